/** Compares what we take as a type with what the TypeScript compiler takes, for random types and values. */

import { compareWithTypeScript } from "#convention/oracle.fixture";
import { Problem } from "#runtime/problem";
import { createFolder, limitRun } from "../../e2e/harness/workspace.ts";
import { formatTable } from "../measure.ts";
import { parseOptions, toCount } from "../options.ts";

const PAIRS = 10_000;
const VALUES = 10;
/** So many types are one project, so that its wire module is not larger than real ones. */
const TYPES_AT_ONCE = 500;
const SHOWN = 20;
const LIMIT_MINUTES = 60;

export async function benchOracle(words: readonly string[]): Promise<string> {
  const options = parseOptions(words, ["pairs", "seed"]);
  const types = Math.ceil(toCount(options, "pairs", PAIRS) / VALUES);
  const first = toCount(options, "seed", 1);
  limitRun(LIMIT_MINUTES);
  const counts = { pairs: 0, taken: 0 };
  const unread = new Map<string, string[]>();
  const disagreements: string[] = [];
  for (let at = 0; at < types; at += TYPES_AT_ONCE) {
    const count = { types: Math.min(TYPES_AT_ONCE, types - at), values: VALUES };
    const compared = await compareWithTypeScript(createFolder("oracle"), first + at, count);
    counts.pairs += compared.pairs;
    counts.taken += compared.taken;
    disagreements.push(...compared.disagreements);
    for (const { module, diagnostic } of compared.unread) {
      const kind = diagnostic === undefined ? "no diagnostic" : `${diagnostic.code} ${diagnostic.message}`;
      unread.set(kind, [...(unread.get(kind) ?? []), module]);
    }
  }
  if (disagreements.length > 0) {
    const shown = disagreements.slice(0, SHOWN).join("\n");
    throw new Problem(
      `Of ${counts.pairs} pairs ${disagreements.length} are judged in another way:\n\n${shown}`,
    );
  }
  return [
    `${types} types from seed ${first}, ${counts.pairs} pairs: both take ${counts.taken} and both refuse the others.`,
    formatTable(["types that are not read", "", "the first"], rowsOf(unread)),
  ].join("\n\n");
}

function rowsOf(unread: ReadonlyMap<string, readonly string[]>): string[][] {
  const rows = [...unread].sort(([, a], [, b]) => b.length - a.length);
  return rows.map(([kind, modules]) => [
    kind,
    String(modules.length),
    modules[0]?.trimEnd().split("\n").at(-1) ?? "",
  ]);
}
