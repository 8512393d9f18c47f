/** `framework routes diff`: what has changed for the callers of the routes since a commit. */

import type { AnyOperation } from "#convention/contract/contract";
import { formatLocation, formatProblem } from "#convention/diagnostics/format";
import { escapeControl, formatJson } from "#runtime/escape";
import { compareContracts, listUncompared } from "#toolchain/contract/diff/compare";
import type { Difference } from "#toolchain/contract/diff/difference";
import { countLevels, formatLevels, groupDifferences } from "#toolchain/contract/diff/groups";
import { type Loaded, type LoadedPair, loadBoth, RefError } from "#toolchain/contract/diff/loaded";
import { formatMarkdown } from "#toolchain/contract/diff/markdown";
import { formatGroup } from "#toolchain/contract/diff/text";
import { type Command, type CommandInput, flag, UsageError, value } from "../command.ts";
import { count } from "../count.ts";
import { requireProjectRoot } from "../project-root.ts";
import { toPlace } from "./record.ts";

export const routesDiff: Command = {
  usage: "framework routes diff <ref> [<ref>] [options]",
  summary: "Show what has changed for callers since a commit, breaking changes first.",
  details:
    "It compares what routes take and answer at a commit with the files on disk, or with a second commit.\n" +
    "main is the commit at the end of main. main... is the one at which this branch has left main.\n" +
    "It reads git's objects: it checks nothing out, installs nothing, and runs nothing of the project.\n" +
    "A commit has no node_modules, so of both sides it knows only what the source says. It prints how many results it could not compare.\n" +
    "A change breaks callers if the route takes less or answers more than before. With a breaking change, the exit status is 1.",
  options: {
    "fail-on": value(
      "<level>",
      "Exit with 1 on a change of this level, or above: breaking, risky or none. Default: breaking.",
    ),
    json: flag("Print every difference of every route as a JSON array, for programs."),
    markdown: flag("Print a comment for a pull request."),
    strict: flag("Exit with 1 also if a result could not be compared, and name each on stderr."),
  },
  examples: [
    "framework routes diff main",
    "framework routes diff origin/main... --markdown",
    "framework routes diff v1.2.0 v1.3.0 --fail-on none",
  ],
  async run(input) {
    const failing = chooseFailing(input);
    const refs = chooseRefs(input);
    const root = requireProjectRoot(input);
    const { before, after, differing, ...sides } = load(root, refs, input);
    const differences = compareContracts(before.contract, after.contract, sides);
    const uncompared = listUncompared(before.contract, after.contract, differing);
    printDifferences(differences, uncompared.length, [before, after], input);
    const isStrict = input.flags.strict;
    if (isStrict) nameUncompared(uncompared, input);
    const isFailed = differences.some(({ level }) => failing.includes(level));
    return isFailed || (isStrict && uncompared.length > 0) ? 1 : 0;
  },
};

const FAILING: Readonly<Record<string, readonly string[]>> = {
  breaking: ["breaking"],
  risky: ["breaking", "risky"],
  none: [],
};

function chooseFailing({ values }: CommandInput): readonly string[] {
  const level = values["fail-on"] ?? "breaking";
  const found = Object.hasOwn(FAILING, level) ? FAILING[level] : undefined;
  if (found === undefined)
    throw new UsageError(`--fail-on takes no ${JSON.stringify(level)}.`, "Give breaking, risky or none.");
  return found;
}

function chooseRefs({ words, flags }: CommandInput): readonly string[] {
  if (flags.json && flags.markdown)
    throw new UsageError("--json and --markdown are two formats.", "Choose one of them.");
  const [first, second] = words;
  if (second !== undefined && `${first} ${second}`.includes(".."))
    throw new UsageError("A range with dots has both commits already.", "Give it alone.");
  return words;
}

function load(root: string, refs: readonly string[], { terminal }: CommandInput): LoadedPair {
  try {
    return loadBoth(root, refs);
  } catch (error) {
    if (error instanceof RefError) {
      const message = `At ${error.ref}, the project has errors, so its routes can't be compared.`;
      terminal.printError(`${formatProblem(message, "Name a commit without errors.", terminal.color)}\n`);
    }
    throw error;
  }
}

function nameUncompared(operations: readonly AnyOperation[], { terminal }: CommandInput): void {
  for (const { method, pattern, location } of operations) {
    const message = escapeControl(
      `The result of ${method} ${pattern} was not compared (${formatLocation(location)}).`,
    );
    const hint = "Write the return type, as in `: Promise<User>`.";
    terminal.printError(formatProblem(message, hint, terminal.color));
  }
}

function printDifferences(
  differences: readonly Difference[],
  uncompared: number,
  sides: readonly [Loaded, Loaded],
  { flags, terminal }: CommandInput,
): void {
  const { print, columns, color } = terminal;
  const groups = groupDifferences(differences);
  const [before, after] = sides;
  const open = uncompared === 0 ? "" : `. ${sayUncompared(uncompared)}`;
  const title = `Compared with ${nameSide(before)}${after.ref === undefined ? "" : `: ${nameSide(after)}`}${open}`;
  if (flags.json) {
    print(formatJson(differences.map(toDifferenceRecord), 2));
    return;
  }
  if (flags.markdown) {
    print(formatMarkdown(groups, sides, title));
    return;
  }
  for (const group of groups) print(`${formatGroup(group, sides, { columns, color })}\n`);
  for (const side of sides)
    if (side.isMissing)
      print(`There is no framework.toml in ${side.ref ?? "this folder"}, so it has no routes.`);
  const routes = count(after.sources.project.routes.length, "route");
  if (groups.length === 0) print(`No changes in ${routes}. ${title}.`);
  else
    print(`${count(groups.length, "change")} in ${routes}: ${formatLevels(countLevels(groups))}. ${title}.`);
}

function sayUncompared(number: number): string {
  const results = number === 1 ? "1 result was" : `${number} results were`;
  return `${results} not compared, because the source does not say ${number === 1 ? "its type" : "their types"}`;
}

function nameSide({ ref = "the files here", commit }: Loaded): string {
  return commit === undefined || commit.startsWith(ref) ? ref : `${ref} (${commit.slice(0, 7)})`;
}

/** What `--json` gives for a difference, with its fields in this order. */
function toDifferenceRecord({
  level,
  id,
  method,
  pattern,
  where,
  message,
  before,
  after,
  type,
}: Difference): object {
  return {
    level,
    id,
    method,
    pattern,
    where,
    message,
    before: before ? toPlace(before) : null,
    after: after ? toPlace(after) : null,
    type: type?.name ?? null,
  };
}
