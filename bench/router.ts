/** What a look-up takes in our router and in others, in a small table and in a large one; and what building a table takes. */

import { resolve } from "node:path";
import { runWell } from "../e2e/harness/command.ts";
import { isolatedEnvironment } from "../e2e/harness/environment.ts";
import { limitRun } from "../e2e/harness/workspace.ts";
import { currentFramework } from "./built-server.ts";
import { installPeers } from "./http/servers.ts";
import { formatNotFirst, formatTable, quantile, type Ranking, withQuartiles } from "./measure.ts";
import { type ChosenNode, chooseNodes } from "./nodes.ts";
import { parseOptions, toCount } from "./options.ts";

const ROUNDS = 7;
const LIMIT_MINUTES = 60;
const SMALL = 10;
const LARGE = 10_000;

const OURS = "ours";
/** The first once more: how far the two are apart is the noise. */
const OURS_AGAIN = "ours again";
const ROUTERS = [
  { title: OURS, name: "ours" },
  { title: "find-my-way", name: "find-my-way" },
  { title: "memoirist", name: "memoirist" },
  { title: OURS_AGAIN, name: "ours" },
] as const;

/** What `lookups.mjs` prints: nanoseconds, but for the build's milliseconds and megabytes. */
interface Figures {
  readonly static: number;
  readonly one: number;
  readonly three: number;
  readonly miss: number;
  readonly build: number;
  readonly megabytes: number;
}

interface Column {
  readonly title: string;
  readonly digits: number;
  of(figures: Figures): number;
}

const LOOKUPS: readonly Column[] = [
  { title: "static", digits: 0, of: (figures) => figures.static },
  { title: "1 param", digits: 0, of: ({ one }) => one },
  { title: "3 params", digits: 0, of: ({ three }) => three },
  { title: "miss", digits: 0, of: ({ miss }) => miss },
];
const COLUMNS: readonly Column[] = [
  ...LOOKUPS,
  { title: "build ms", digits: 1, of: ({ build }) => build },
  { title: "MB", digits: 1, of: ({ megabytes }) => megabytes },
];

interface Series {
  readonly title: string;
  readonly name: string;
  readonly size: number;
  /** One for each round. */
  readonly rounds: Figures[];
}

export async function benchRouter(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds", "framework"]);
  const rounds = toCount(options, "rounds", ROUNDS);
  limitRun(LIMIT_MINUTES);
  const nodes = await chooseNodes(options.node ?? []);
  const framework = resolve(options.framework?.at(-1) ?? (await currentFramework()));
  const peers = await installPeers();
  const parts: string[] = [];
  for (const node of nodes) {
    parts.push(formatReport(node, await measure(node, rounds, { framework, peers })));
  }
  return parts.join("\n\n");
}

/** Each router in a process of its own, in turn: what one has taught the compiler helps and hinders no other. */
async function measure(
  node: ChosenNode,
  rounds: number,
  { framework, peers }: { framework: string; peers: string },
): Promise<Series[]> {
  const series = [SMALL, LARGE].flatMap((size) =>
    ROUTERS.map((router): Series => ({ ...router, size, rounds: [] })),
  );
  const file = `${framework}/runtime/routing.js`;
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    for (const { name, size, rounds: taken } of series) {
      const command = [node.path, "--expose-gc", "lookups.mjs", name, String(size), file];
      const { stdout } = await runWell(command, { cwd: peers, env: isolatedEnvironment() });
      taken.push(JSON.parse(stdout) as Figures);
    }
  }
  return series;
}

function formatReport({ version }: ChosenNode, series: readonly Series[]): string {
  return [
    `### Node ${version}`,
    "Medians, with quartiles in brackets.",
    ...[SMALL, LARGE].flatMap((size) => [
      `${format(size)} routes: nanoseconds of processor time a look-up, and what the table takes to build, cold, and to hold.`,
      figureTable(series.filter((one) => one.size === size)),
    ]),
    `A look-up among ${format(LARGE)} routes to one among ${format(SMALL)}, in the same round.`,
    growthTable(series),
    `${OURS} is not first: ${formatNotFirst(OURS, rankingsOf(series))}.`,
  ].join("\n\n");
}

function figureTable(series: readonly Series[]): string {
  const cell = (rounds: readonly Figures[], { of, digits }: Column): string =>
    withQuartiles(rounds.map(of), (value) => value.toFixed(digits));
  return formatTable(
    ["", ...COLUMNS.map(({ title }) => title)],
    series.map(({ title, rounds }) => [title, ...COLUMNS.map((column) => cell(rounds, column))]),
  );
}

function growthTable(series: readonly Series[]): string {
  const rows = ROUTERS.map(({ title }) => {
    const [small, large] = [SMALL, LARGE].map(
      (size) => series.find((one) => one.title === title && one.size === size)?.rounds ?? [],
    );
    const ratios = ({ of }: Column): number[] =>
      (large ?? []).map((figures, round) => of(figures) / of(small?.[round] ?? figures));
    return [title, ...LOOKUPS.map((column) => withQuartiles(ratios(column), (value) => value.toFixed(2)))];
  });
  return formatTable(["", ...LOOKUPS.map(({ title }) => title)], rows);
}

function rankingsOf(series: readonly Series[]): Ranking[] {
  return [SMALL, LARGE].flatMap((size) =>
    COLUMNS.map(({ title, of }) => {
      const ranked = series.filter((one) => one.size === size && one.title !== OURS_AGAIN);
      const medians = ranked.map((one): [string, number] => [one.title, quantile(one.rounds.map(of), 0.5)]);
      return { name: `${title} at ${format(size)}`, isMoreBetter: false, medians: new Map(medians) };
    }),
  );
}

function format(size: number): string {
  return size.toLocaleString("en");
}
