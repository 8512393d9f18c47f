/** Looks at results under dev: it reports what does not fit the type that the handler writes, and what may not be sent as it was meant. */

import type { Declared } from "#convention/contract/declared";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { BoundRoute } from "#runtime/app";
import type { Answer } from "#runtime/message/result";
import type { Source } from "#runtime/message/stream";
import type { Route } from "#runtime/routing/route";
import { compareAnswer, diagnoseDifferences } from "../contract/hold/compare.ts";
import { findOthers } from "./undeclared.ts";

const SHOWN_KEYS = 3;
/** In characters: it takes a tenth of a second to compare as many, in which nobody else is answered. */
const LONGEST_HELD = 2 ** 20;

export interface ResultChecks {
  /** Finds what the handler of a route says that it returns; undefined where it writes no type. @param route as in `GET /items`. */
  findDeclared(route: string): Promise<Declared | undefined>;
  /** Gets what is wrong, each place of a route once. */
  report(diagnostic: Diagnostic): void;
  advise(line: string): void;
}

/** @returns the route with an eye on its results: the answers stay as they are. */
export function watchResults(bound: BoundRoute, checks: ResultChecks): BoundRoute {
  const { route } = bound;
  const known = new Set<string>();
  let declared: Promise<Declared | undefined> | undefined;
  return {
    ...bound,
    look(answer) {
      const { body } = answer;
      if (typeof body === "string" && body.length <= LONGEST_HELD) {
        declared ??= checks.findDeclared(`${route.method} ${route.pattern}`);
        // Nobody waits for this, but for the answer.
        void declared.then((type) => setImmediate(judge, answer, body, type));
      }
      return answer;
    },
  };

  function judge(answer: Answer<Source>, body: string, type: Declared | undefined): void {
    const status = findPairStatus(body);
    if (status !== undefined && isNew("pair", "")) checks.advise(formatPair(route, status));
    if (type === undefined) return;
    const { differences, compared } = compareAnswer(answer, type);
    const wrong = diagnoseDifferences(
      route,
      differences.filter(({ code, pointer }) => isNew(code, pointer)),
    );
    if (wrong) checks.report(wrong);
    const others = compared ? findOthers(compared.value, compared.shape, type.definitions) : [];
    const pointers = others.map(({ pointer }) => pointer).filter((pointer) => isNew("excess", pointer));
    if (pointers.length === 0) return;
    const shown = { route: `${route.method} ${route.pattern}`, pointers: pointers.slice(0, SHOWN_KEYS) };
    checks.report(diagnose("FW971", shown, route.location));
  }

  /** What is in one item of a list is in the others, too. */
  function isNew(code: string, pointer: string): boolean {
    const key = `${code} ${pointer.replace(/\/\d+(?=\/|$)/g, "/*")}`;
    const before = known.size;
    return known.add(key).size > before;
  }
}

/** @returns the status of `[array, status]`, which is a JSON array and is sent with 200. */
function findPairStatus(body: string): string | undefined {
  const [, status] = /^\[\[.*\],([2-5]\d\d)\]$/s.exec(body) ?? [];
  return status !== undefined && JSON.parse(body).length === 2 ? status : undefined;
}

function formatPair({ handler, location: { file, line, column } }: Route, status: string): string {
  const what = `\`${handler}\` returned [array, ${status}]: that is a JSON array.`;
  return `${what} For a status write reply(array, ${status}). (${file}:${line}:${column})`;
}
