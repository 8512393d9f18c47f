/** What git would leave out of a commit. */

import { spawnSync } from "node:child_process";

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
