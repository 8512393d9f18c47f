/** `framework upgrade`: brings a newer framework into the project, with the user's edits. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { withProjectLock } from "#generators/changes/lock";
import { handOver } from "#toolchain/upgrade/hand-over";
import { openPackage, type Wanted } from "#toolchain/upgrade/package";
import { readStage } from "#toolchain/upgrade/stage";
import { copyUnpacked, isOurs, toUnpacked, type Unpacked } from "#toolchain/upgrade/unpacked";
import { compareVersions } from "#toolchain/upgrade/version";
import { isSameFramework } from "#toolchain/vendored";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { frameworkVersion } from "../version.ts";
import { failUpgrade, tellNothing } from "./report.ts";
import { abortUpgrade, runUpgrade, tryOn } from "./run.ts";

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
    "dry-run": {
      type: "boolean",
      description: "Write nothing. Print what would change, with a diff of the files that you edited.",
    },
    check: {
      type: "boolean",
      description: "Write nothing. Exit with 1 if there is something to upgrade or to resolve: for CI.",
    },
    continue: {
      type: "boolean",
      description: "Continue after you have resolved the conflicts. Without a version, this is the default.",
    },
    abort: { type: "boolean", description: "Give up an upgrade that waits for you to resolve conflicts." },
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
    if (input.options.abort === true) return abortUpgrade(input, root);
    const path = typeof input.options.from === "string" ? input.options.from : undefined;
    const given = path === undefined ? undefined : toUnpacked(resolve(input.cwd, path));
    if (given !== undefined && isOurs(given)) return bringIn(input, root, given);
    const stage = readStage(root);
    const isNamed = path !== undefined || version !== undefined;
    if (stage !== undefined && (!isNamed || version === stage.to)) return goOn(input, root);
    if (input.options.continue === true) {
      return tellNothing(input, frameworkVersion(), "No upgrade is under way.");
    }
    return begin(input, { cwd: input.cwd, path, version });
  },
};

/** This is the newer framework itself, to which another version has handed over. */
async function bringIn(input: CommandInput, root: string, given: Unpacked): Promise<number> {
  const stage = readStage(root);
  if (stage === undefined || isSameFramework(stage.unpacked.framework, given.framework))
    return runUpgrade(input, root, given);
  const asked = frameworkVersion();
  if (asked === stage.to) return goOn(input, root);
  return failUpgrade(input, [diagnose("FW806", { to: stage.to, asked })]);
}

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
    throw new UsageError("--abort takes no version: it gives up the upgrade that is under way.");
}

/**
 * An upgrade that is under way continues with the framework that it began with. That one is in the project until the upgrade is made.
 * Another command may make it first, so it runs from a copy.
 */
async function goOn(input: CommandInput, root: string): Promise<number> {
  return inTemporary(input, async (temporary) => {
    const copied = await withProjectLock(root, input.terminal.printError, () => copyBegun(root, temporary));
    if (copied === undefined)
      return tellNothing(input, frameworkVersion(), "No upgrade is under way any more.");
    if ("severity" in copied) return failUpgrade(input, [copied]);
    const program = join(copied.framework, "cli/main.js");
    return handOver(program, ["upgrade", "--from", copied.folder, ...passedOn(input)], input.cwd);
  });
}

/** @returns undefined where another command has made the upgrade meanwhile, or given it up. */
function copyBegun(root: string, temporary: string): Unpacked | Diagnostic | undefined {
  const stage = readStage(root);
  return stage && tryOn(temporary, () => copyUnpacked(stage.unpacked, temporary));
}

async function begin(input: CommandInput, wanted: Wanted): Promise<number> {
  return inTemporary(input, async (temporary) => {
    const found = await openPackage(wanted, temporary);
    if ("severity" in found) return failUpgrade(input, [found]);
    const isNewestMeant = wanted.path === undefined && wanted.version === undefined;
    if (isNewestMeant && compareVersions(found.version, frameworkVersion()) < 0) {
      return tellNothing(input, frameworkVersion(), `The newest in the registry is ${found.version}.`);
    }
    return handOver(found.program, ["--upgrade", ...passedOn(input)], input.cwd);
  });
}

/** @param work is given an empty folder, which is gone when it has ended. @returns its exit status. */
async function inTemporary(input: CommandInput, work: (folder: string) => Promise<number>): Promise<number> {
  const temporary = tryOn(tmpdir(), () => mkdtempSync(join(tmpdir(), "framework-upgrade-")));
  if (typeof temporary !== "string") return failUpgrade(input, [temporary]);
  try {
    return await work(temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function passedOn({ options }: CommandInput): string[] {
  return ["dry-run", "check", "force", "json"]
    .filter((name) => options[name] === true)
    .map((name) => `--${name}`);
}
