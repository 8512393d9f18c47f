/** `framework upgrade`: brings a newer framework into the project, with the user's edits. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { formatJson } from "#runtime/escape";
import { frameworkPath } from "#toolchain/framework-folder";
import { explainFailure, listLeft, WAITING_FOLDER } from "#toolchain/upgrade/folders";
import { openPackage } from "#toolchain/upgrade/package";
import { readNewer } from "#toolchain/upgrade/plan";
import { compareVersions } from "#toolchain/upgrade/version";
import { type Command, type CommandInput, flag, UsageError, value } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { frameworkVersion } from "../version.ts";
import { failUpgrade, tellNothing, tellUpgrade } from "./report.ts";
import { begin, finish, giveUp, planOnly } from "./run.ts";

export const upgrade: Command = {
  usage: "framework upgrade [version] [options]",
  summary: "Upgrade vendor/framework/ to a newer version, and keep your edits.",
  details:
    "It replaces files that you never edited, and merges your edits line by line.\n" +
    "Where both sides changed the same lines, you choose. Until then the project keeps its version, and runs.\n" +
    "Without --from, npm fetches the package from the registry: the latest one, or the version or tag that you name.",
  options: {
    from: value("<path>", "A tarball or a folder of create-convention-app. Needs no network."),
    base: value(
      "<path>",
      "The same of the version that the project has, to merge edits. Without it, npm fetches that one.",
    ),
    "dry-run": flag("Write nothing. Print what would change, with a diff of the files that you edited."),
    check: flag("Write nothing. Exit with 1 if there is something to upgrade: for CI."),
    continue: flag("Continue after you have merged your edits in vendor/framework.new/."),
    abort: flag("Give up an upgrade that waits for you: remove vendor/framework.new/."),
    force: flag("Allow an older version."),
    json: flag("Print what was done as JSON."),
  },
  examples: [
    "framework upgrade",
    "framework upgrade 1.2.3 --dry-run",
    "framework upgrade --from ./create-convention-app-1.2.3.tgz",
  ],
  run: (input) => runUpgrade(input, frameworkPath()),
};

/** @param own the framework whose code this is: the newer one where its package's door has started it. */
export async function runUpgrade(input: CommandInput, own: string): Promise<number> {
  const [root, version] = [requireProjectRoot(input), readVersion(input)];
  try {
    if (input.flags.abort) return await abort(input, root);
    if (input.flags.continue) return await goOn(input, root);
    return await bring(input, root, own, version);
  } catch (error) {
    return failUpgrade(input, explainFailure(root, error));
  }
}

/** @throws {UsageError} for what is not a version, and for words that don't go together. */
function readVersion({ words, flags, values }: CommandInput): string | undefined {
  const [version] = words;
  const isMore = version !== undefined || flags["dry-run"] || flags.check;
  const alone = ["abort", "continue"].find((name) => flags[name]);
  if (alone !== undefined && (isMore || flags.abort === flags.continue))
    throw new UsageError(`Use --${alone} alone.`);
  if (version === undefined) return undefined;
  if (values.from !== undefined) throw new UsageError("Give a version or --from, not both.");
  if (/^[\w.+-]+$/.test(version) && !version.endsWith(".tgz")) return version;
  throw new UsageError(`${JSON.stringify(version)} is not a version.`, `Give a path as --from ${version}`);
}

async function abort(input: CommandInput, root: string): Promise<number> {
  const version = listLeft(root).length > 0 ? await giveUp(input, root) : undefined;
  const text =
    version === undefined
      ? "No upgrade is under way."
      : `Gave up the upgrade to ${version}. It had not changed the project yet.`;
  input.terminal.print(input.flags.json ? formatJson({ aborted: version ?? null }) : text);
  return 0;
}

async function goOn(input: CommandInput, root: string): Promise<number> {
  if (existsSync(join(root, WAITING_FOLDER))) return tellUpgrade(input, await finish(input, root));
  return tellNothing(input, frameworkVersion(), "No upgrade is under way.");
}

/**
 * The newer version's own code does the upgrade: the door of its package (`create/upgrade.ts`) unpacks its framework into a folder,
 * and runs it with that folder.
 */
async function bring(input: CommandInput, root: string, own: string, version?: string): Promise<number> {
  const { cwd, flags, values } = input;
  const path = values.from;
  const folder = resolve(cwd, path ?? "");
  const framework = join(folder, "framework");
  const isOurs = existsSync(framework) && realpathSync(framework) === realpathSync(own);
  const temporary = mkdtempSync(join(tmpdir(), "framework-upgrade-"));
  try {
    if (path === undefined || !isOurs) return await fetchNewer(input, temporary, path, version);
    const newer = readNewer(framework);
    const isPlan = flags["dry-run"] || flags.check;
    return tellUpgrade(input, await (isPlan ? planOnly : begin)(input, root, newer, temporary), isPlan);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @param temporary an empty folder to unpack into. */
async function fetchNewer(
  input: CommandInput,
  temporary: string,
  path: string | undefined,
  version: string | undefined,
): Promise<number> {
  const { cwd, flags, values } = input;
  const found = openPackage({ cwd, path, version }, temporary);
  const isNewestMeant = path === undefined && version === undefined;
  if (isNewestMeant && compareVersions(found.version, frameworkVersion()) < 0)
    return tellNothing(input, frameworkVersion(), `The newest in the registry is ${found.version}.`);
  const words = ["dry-run", "check", "force", "json"].filter((name) => flags[name]);
  const base = values.base === undefined ? [] : [`--base=${values.base}`];
  return await handOver(found.program, ["--upgrade", ...words.map((name) => `--${name}`), ...base], cwd);
}

/** A signal goes on to the program, which decides when it can stop. @returns its exit status. */
function handOver(program: string, words: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, [program, ...words], { cwd, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}
