/** `framework upgrade`: brings a newer framework into the project, with the user's edits. */

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import { codeOf, explainSystemError } from "#convention/diagnostics/system-error";
import { frameworkPath } from "#toolchain/framework-folder";
import { handOver } from "#toolchain/upgrade/hand-over";
import { openPackage, type Wanted } from "#toolchain/upgrade/package";
import { readNewer } from "#toolchain/upgrade/plan";
import { compareVersions } from "#toolchain/upgrade/version";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { frameworkVersion } from "../version.ts";
import { failUpgrade, tellNothing } from "./report.ts";
import { abortUpgrade, beginUpgrade, continueUpgrade } from "./run.ts";

export const upgrade: Command = {
  usage: "framework upgrade [version] [options]",
  summary: "Upgrade vendor/framework/ to a newer version, and keep your edits.",
  details:
    "It replaces files that you never edited, and merges your edits line by line.\n" +
    "Where both sides changed the same lines, you choose. Until then the project keeps its version, and runs.\n" +
    "Without --from, npm fetches the package from the registry: the latest one, or the version or tag that you name.",
  takesWords: true,
  options: {
    from: {
      type: "string",
      value: "<path>",
      description: "A tarball or a folder of create-convention-app. Needs no network.",
    },
    base: {
      type: "string",
      value: "<path>",
      description:
        "The same of the version that the project has, to merge edits. Without it, npm fetches that one.",
    },
    "dry-run": {
      type: "boolean",
      description: "Write nothing. Print what would change, with a diff of the files that you edited.",
    },
    check: {
      type: "boolean",
      description: "Write nothing. Exit with 1 if there is something to upgrade: for CI.",
    },
    continue: {
      type: "boolean",
      description: "Continue after you have merged your edits in vendor/framework.new/.",
    },
    abort: {
      type: "boolean",
      description: "Give up an upgrade that waits for you: remove vendor/framework.new/.",
    },
    force: { type: "boolean", description: "Allow an older version." },
    json: { type: "boolean", description: "Print what was done as JSON." },
  },
  examples: [
    "framework upgrade",
    "framework upgrade 1.2.3 --dry-run",
    "framework upgrade --from ./create-convention-app-1.2.3.tgz",
  ],
  async run(input) {
    const root = requireProjectRoot(input);
    const version = readVersion(input);
    const { options, cwd } = input;
    if (options.abort === true) return abortUpgrade(input, root);
    if (options.continue === true) return continueUpgrade(input, root, frameworkVersion());
    const path = typeof options.from === "string" ? options.from : undefined;
    const folder = resolve(cwd, path ?? "");
    if (path === undefined || !isOurs(folder)) return fetchNewer(input, { cwd, path, version });
    const newer = readNewer(toFramework(folder));
    if ("severity" in newer) return failUpgrade(input, [newer]);
    return beginUpgrade(input, root, { newer, temporary: join(folder, "base") });
  },
};

/** @throws {UsageError} for what is not a version, and for words that don't go together. */
function readVersion({ words, options }: CommandInput): string | undefined {
  const [version, ...others] = words;
  if (others.length > 0) throw new UsageError(`Give one version, not ${words.length}.`);
  if (options.abort === true) refuseBesideAbort(version, options);
  if (version === undefined) return undefined;
  if (options.from !== undefined) throw new UsageError("Give a version or --from, not both.");
  if (/^[\w.+-]+$/.test(version) && !version.endsWith(".tgz")) return version;
  throw new UsageError(`${JSON.stringify(version)} is not a version.`, `Give a path as --from ${version}`);
}

function refuseBesideAbort(version: string | undefined, options: CommandInput["options"]): void {
  const other = ["continue", "dry-run", "check"].find((name) => options[name] === true);
  if (other !== undefined) throw new UsageError(`Use --abort or --${other}, not both.`);
  if (version !== undefined)
    throw new UsageError("--abort takes no version: it gives up the upgrade that waits.");
}

/** The door of a newer package (`create/upgrade.ts`) unpacks its framework there, and starts it with that folder. */
function toFramework(folder: string): string {
  return join(folder, "framework");
}

function isOurs(folder: string): boolean {
  const framework = toFramework(folder);
  return existsSync(framework) && realpathSync(framework) === realpathSync(frameworkPath());
}

/** The newer version's own code does the upgrade. */
async function fetchNewer(input: CommandInput, wanted: Wanted): Promise<number> {
  let temporary: string;
  try {
    temporary = mkdtempSync(join(tmpdir(), "framework-upgrade-"));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return failUpgrade(input, [diagnose("FW622", { file: tmpdir(), why: explainSystemError(error) })]);
  }
  try {
    const found = await openPackage(wanted, temporary);
    if ("severity" in found) return failUpgrade(input, [found]);
    const isNewestMeant = wanted.path === undefined && wanted.version === undefined;
    if (isNewestMeant && compareVersions(found.version, frameworkVersion()) < 0)
      return tellNothing(input, frameworkVersion(), `The newest in the registry is ${found.version}.`);
    return await handOver(found.program, ["--upgrade", ...passedOn(input)], input.cwd);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function passedOn({ options }: CommandInput): string[] {
  const flags = ["dry-run", "check", "force", "json"].filter((name) => options[name] === true);
  const base = typeof options.base === "string" ? [`--base=${options.base}`] : [];
  return [...flags.map((name) => `--${name}`), ...base];
}
