/** Holds results to the types that their handlers write, under dev: it reports what does not fit, and the answer stays as it is. */

import type { Declared } from "#convention/contract/declared";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { BoundRoute } from "#runtime/app";
import type { Answer } from "#runtime/message/result";
import type { Source } from "#runtime/message/stream";
import type { Route } from "#runtime/routing/route";
import { compareAnswer } from "../contract/hold/compare.ts";
import { createNews, diagnoseDifferences, diagnoseExcess } from "../contract/hold/findings.ts";
import { findOthers } from "./undeclared.ts";

/** How many answers of a route are kept until its type is known, and how many keys a warning names. */
const KEPT = 10;
const SHOWN_VALUES = 3;
/** In characters: it takes a tenth of a second to compare as many, in which nobody else is answered. */
const LONGEST_HELD = 2 ** 20;

export interface Results {
  hold(bound: BoundRoute): BoundRoute;
  /** @param declared undefined where the handler writes no return type. */
  learn(route: string, declared: Declared | undefined): void;
}

/**
 * @param ask is called with the name of a route when that answers for the first time.
 * @param report gets what is wrong, each place of a route once.
 */
export function createResults(
  ask: (route: string) => void,
  report: (diagnostic: Diagnostic) => void,
): Results {
  const held = new Map<string, HeldRoute>();
  return {
    hold(bound) {
      const name = `${bound.route.method} ${bound.route.pattern}`;
      const route = new HeldRoute(bound.route, () => ask(name), report);
      held.set(name, route);
      return {
        ...bound,
        look(answer) {
          route.look(answer);
          return answer;
        },
      };
    },
    learn: (name, declared) => held.get(name)?.learn(declared),
  };
}

class HeldRoute {
  readonly #route: Route;
  readonly #ask: () => void;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #isNew = createNews();
  /** Null where there is nothing to hold to; undefined until it is known. */
  #declared: Declared | null | undefined;
  #kept: Answer<Source>[] = [];

  constructor(route: Route, ask: () => void, report: (diagnostic: Diagnostic) => void) {
    this.#route = route;
    this.#ask = ask;
    this.#report = report;
  }

  look(answer: Answer<Source>): void {
    const declared = this.#declared;
    if (declared === null || (typeof answer.body === "string" && answer.body.length > LONGEST_HELD)) return;
    // Nobody waits for this, but for the answer.
    if (declared) setImmediate(() => this.#judge(answer, declared));
    else if (this.#kept.length < KEPT && this.#kept.push(answer) === 1) this.#ask();
  }

  learn(declared: Declared | undefined): void {
    this.#declared = declared ?? null;
    if (declared) for (const answer of this.#kept) this.#judge(answer, declared);
    this.#kept = [];
  }

  #judge(answer: Answer<Source>, declared: Declared): void {
    const { differences, compared } = compareAnswer(answer, declared);
    const wrong = diagnoseDifferences(this.#route, differences.filter(this.#isNew));
    if (wrong) this.#report(wrong);
    const others = compared ? findOthers(compared.value, compared.shape, declared.definitions) : [];
    const pointers = others.map(({ pointer }) => pointer);
    const fresh = pointers.filter((pointer) => this.#isNew({ code: "excess", pointer }));
    const more = diagnoseExcess(this.#route, fresh.slice(0, SHOWN_VALUES));
    if (more) this.#report(more);
  }
}
