/** `framework routes diff`: what has changed for the callers of the routes since a commit. */

import { formatLocation, formatProblem } from "#convention/diagnostics/format";
import { escapeControl, formatJson } from "#runtime/escape";
import { compareContracts, listUncompared } from "#toolchain/contract/diff/compare";
import { type Loaded, loadBoth } from "#toolchain/contract/diff/loaded";
import type { Difference } from "#toolchain/contract/diff/rules";
import { countLevels, formatGroup, groupDifferences } from "#toolchain/contract/diff/text";
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
    strict: flag("Exit with 1 also if a result could not be compared, and name each on stderr."),
  },
  examples: [
    "framework routes diff main",
    "framework routes diff origin/main...",
    "framework routes diff v1.2.0 v1.3.0 --fail-on none",
  ],
  async run(input) {
    const { words, flags, values, terminal } = input;
    const failing = FAILING.get(values["fail-on"] ?? "breaking");
    if (failing === undefined)
      throw new UsageError(`--fail-on takes no ${values["fail-on"]}.`, "Give breaking, risky or none.");
    const { before, after, differing, ...sides } = loadBoth(requireProjectRoot(input), words);
    const differences = compareContracts(before.contract, after.contract, sides);
    const uncompared = listUncompared(before.contract, after.contract, differing);
    if (flags.json) terminal.print(formatJson(differences.map(toDifferenceRecord), 2));
    else printDifferences(differences, uncompared.length, [before, after], input);
    for (const { method, pattern, location } of flags.strict ? uncompared : []) {
      const message = `The result of ${method} ${pattern} was not compared (${formatLocation(location)}).`;
      const hint = "Write the return type, as in `: Promise<User>`.";
      terminal.printError(formatProblem(escapeControl(message), hint, terminal.color));
    }
    const isFailed = differences.some(({ level }) => failing.includes(level));
    return isFailed || (flags.strict && uncompared.length > 0) ? 1 : 0;
  },
};

const FAILING: ReadonlyMap<string, readonly string[]> = new Map([
  ["breaking", ["breaking"]],
  ["risky", ["breaking", "risky"]],
  ["none", []],
]);

function printDifferences(
  differences: readonly Difference[],
  uncompared: number,
  [before, after]: readonly [Loaded, Loaded],
  { terminal }: CommandInput,
): void {
  const groups = groupDifferences(differences);
  for (const group of groups) terminal.print(`${formatGroup(group, [before, after], terminal)}\n`);
  const routes = count(after.sources.project.routes.length, "route");
  const changes = groups.length === 0 ? "No changes" : count(groups.length, "change");
  const levels = groups.length === 0 ? "" : `: ${countLevels(groups)}`;
  const sides = `${nameSide(before)}${after.ref === undefined ? "" : `: ${nameSide(after)}`}`;
  const open =
    uncompared === 0 ? "" : ` ${count(uncompared, "result")} not compared: the source does not say the type.`;
  terminal.print(`${changes} in ${routes}${levels}. Compared with ${sides}.${open}`);
}

function nameSide({ ref = "", commit = "" }: Loaded): string {
  return commit.startsWith(ref) ? ref : `${ref} (${commit.slice(0, 7)})`;
}

/** What `--json` gives for a difference, with its fields in this order. */
function toDifferenceRecord({ before, after, type, ...difference }: Difference): object {
  const [was, is] = [before, after].map((place) => (place ? toPlace(place) : null));
  return { ...difference, before: was, after: is, type: type?.name ?? null };
}
