/** Requests a second, processor time, latency and memory of our built server beside others that answer the same. */

import { limitRun } from "../e2e/harness/workspace.ts";
import { requireSameAnswers } from "./http/agreement.ts";
import { CASE_GROUPS, type CaseGroup } from "./http/cases.ts";
import { requireLoadTools } from "./http/load.ts";
import { EXPLANATION, formatBehind, formatReport } from "./http/report.ts";
import { type Amount, type Measurement, measure } from "./http/samples.ts";
import { type Candidate, LOGGING, prepareServers, RAW, SERVERS, startServers } from "./http/servers.ts";
import { chooseNodes } from "./nodes.ts";
import { choose, type Options, parseOptions, toCount } from "./options.ts";

const ROUNDS = 5;
const SECONDS = 2;
const LIMIT_MINUTES = 180;

export async function benchHttp(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["node", "rounds", "seconds", "case", "server", "framework"]);
  const amount = {
    rounds: toCount(options, "rounds", ROUNDS),
    seconds: toCount(options, "seconds", SECONDS),
  };
  const groups = chooseGroups(options);
  const names = choose(options, "server", SERVERS);
  requireLoadTools();
  limitRun(LIMIT_MINUTES);
  const nodes = await chooseNodes(options.node ?? []);
  // The ratios are to raw, whatever was asked for.
  const wanted = SERVERS.filter((name) => name === RAW || names.includes(name));
  const frameworks = options.framework ?? [];
  const logging = wanted.filter((name) => LOGGING.includes(name));
  const candidates = [
    ...(await prepareServers(wanted, frameworks, false)),
    ...(groups.some(({ isLogged }) => isLogged) ? await prepareServers(logging, frameworks, true) : []),
  ];
  const parts = [EXPLANATION];
  const verdicts: string[] = [];
  for (const { path, version } of nodes) {
    const measurements = await measureOn(path, candidates, groups, amount);
    parts.push(`### Node ${version}`);
    for (const [at, measurement] of measurements.entries()) {
      parts.push(`#### ${groups[at]?.title}`, formatReport(measurement));
    }
    verdicts.push(`Node ${version}: ${formatBehind(measurements.flatMap(({ series }) => series))}`);
  }
  return [...parts, verdicts.join("\n")].join("\n\n");
}

/** @returns the groups with the cases that were asked for, without those that are left empty. */
function chooseGroups(options: Options): CaseGroup[] {
  const known = CASE_GROUPS.flatMap(({ cases }) => cases.map(({ name }) => name));
  const names = choose(options, "case", known);
  return CASE_GROUPS.map(({ cases, ...group }) => ({
    ...group,
    cases: cases.filter(({ name }) => names.includes(name)),
  })).filter(({ cases }) => cases.length > 0);
}

async function measureOn(
  node: string,
  candidates: readonly Candidate[],
  groups: readonly CaseGroup[],
  amount: Amount,
): Promise<Measurement[]> {
  const servers = await startServers(node, candidates);
  const measurements: Measurement[] = [];
  const subjects = groups.map(({ cases, without, isLogged = false }) => ({
    cases,
    among: servers.filter((server) => {
      const canLog = LOGGING.some((name) => server.name.startsWith(name));
      return !without.includes(server.name) && (!canLog || (server.isLogged ?? false) === isLogged);
    }),
  }));
  for (const { cases, among } of subjects) await requireSameAnswers(among, cases);
  for (const { cases, among } of subjects) measurements.push(await measure(among, cases, amount));
  await Promise.all(servers.map((server) => server.stop()));
  return measurements;
}
