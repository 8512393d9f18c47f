/** What git would leave out of a commit, and whether a clone would have the vendored framework. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
import { CONFIG_FILE } from "#runtime/project-root";
import { isNoManifest, readManifest } from "../vendored.ts";

/** Statuses of `git check-ignore`: something is ignored, nothing is. Any other is no answer. */
const ANSWERS: readonly (number | null)[] = [0, 1];

/**
 * Which of these files git ignores; one that is committed already is not among them.
 *
 * @param files relative to the root.
 * @returns undefined where git can't say: it is not installed, or there is no repository, or not a trusted one.
 */
export function listIgnored(root: string, files: readonly string[]): readonly string[] | undefined {
  const { status, stdout } = spawnSync("git", ["check-ignore", "-z", "--stdin"], {
    cwd: root,
    input: files.join("\0"),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  return ANSWERS.includes(status) ? stdout.split("\0").filter((file) => file !== "") : undefined;
}

/** Many a .gitignore has `vendor/`, `build/` or `*.d.ts`. */
export function checkFrameworkInGit(root: string): readonly Diagnostic[] {
  const manifest = readManifest(join(root, VENDORED_FOLDER));
  if (isNoManifest(manifest)) return [];
  const files = Object.keys(manifest.files).map((file) => `${VENDORED_FOLDER}/${file}`);
  const ignored = listIgnored(root, [CONFIG_FILE, ...files]);
  // Where the project as a whole is ignored, it is nobody's to clone.
  if (ignored === undefined || ignored.length === 0 || ignored.includes(CONFIG_FILE)) return [];
  const [file, why] =
    ignored.length === 1
      ? ["a vendored file", "a clone lacks it"]
      : [`${ignored.length} vendored files`, "a clone lacks them"];
  const hint = "Add two lines at the end of .gitignore: !/vendor/ and !/vendor/**";
  return [{ ...diagnose("FW837", { ignores: "ignores", file, why, hint }), locations: ignored.map(startOf) }];
}
