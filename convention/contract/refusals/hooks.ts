/** What the hooks of the folders around a route answer: error hooks instead of what was thrown, middleware instead of what `next()` gave. */

import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Sources } from "../../project.ts";
import { findDeclaredFunction } from "../../source/declared.ts";
import { readPassedOn } from "../../source/passed-on.ts";
import { readReturns } from "../../source/returned.ts";
import { scopeOf } from "../../wire/result-types.ts";
import type { Shared } from "../../wire/typed-route.ts";
import { ANYTHING, type Answer, type AnswerBody, type FoundAnswers } from "../contract.ts";
import { type Inferred, readReturned } from "../results/returned.ts";
import { splitResult } from "../results/split.ts";

export interface ErrorHookAnswers {
  /** With a status of their own. */
  readonly own: readonly Answer[];
  /** With the status of the error. */
  readonly bodies: readonly AnswerBody[];
  /** It may leave an error as it is. */
  readonly passes: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function readErrorHook(
  sources: Sources,
  hook: Shared,
  inferred: Inferred | undefined,
): ErrorHookAnswers {
  const { module, exported: handler, location } = hook;
  const isRead = findDeclaredFunction(sources.types.modules, location) ?? inferred?.(module, handler);
  if (isRead === undefined)
    return {
      own: [toDefault(location)],
      bodies: [ANYTHING],
      passes: true,
      diagnostics: [explain("error hook", hook)],
    };
  const { answers, diagnostics } = readReturned(sources, { module, handler, location }, inferred);
  // A hook that returns nothing leaves the error to the next one.
  const passes = answers.some(({ status }) => status === 204);
  const plain = answers.filter(({ status }) => status === 200);
  const own = answers.filter(({ status }) => status !== 200 && status !== 204);
  const isOpen = own.some(({ status }) => status === "default");
  const bodies = [...plain.flatMap((answer) => answer.bodies), ...(isOpen ? [ANYTHING] : [])];
  return { own, bodies, passes, diagnostics };
}

/** What becomes of errors. @param answers to what was thrown. */
export function answerErrors(answers: readonly Answer[], hook: ErrorHookAnswers): readonly Answer[] {
  const { own, bodies, passes } = hook;
  const replaced = answers.flatMap((answer): readonly Answer[] => {
    const other = bodies.length === 0 ? [] : [{ ...answer, bodies }];
    return passes ? [answer, ...other] : other;
  });
  return [...replaced, ...own];
}

/** What a middleware answers itself. */
export function readMiddleware({ types }: Sources, hook: Shared): FoundAnswers {
  const { modules, shapes } = types;
  const { location } = hook;
  const declared = findDeclaredFunction(modules, location);
  const passed = declared && readPassedOn(declared.value);
  const returned = declared && readReturns(declared.value, declared.module);
  if (!declared || !passed || !returned || returned.isGenerator)
    return { answers: [toDefault(location)], diagnostics: [explain("middleware", hook)] };
  const scope = scopeOf(declared.module, declared.value);
  const own = returned.types.filter((_, index) => index < passed.length && !passed[index]);
  let isKnown = true;
  const answers = own.flatMap((type) =>
    splitResult(shapes.part({ type, scope })).flatMap((piece): readonly Answer[] => {
      const { status, media, body, problem } = piece;
      // Without a response it is answered with a 500.
      if (status === 204 && !piece.isReply) return [];
      if (problem) isKnown = false;
      const shape = body ? shapes.readResult(body).shape : ANYTHING.shape;
      const bodies = media === null ? [] : [{ media, shape }];
      return [{ status, bodies, headers: [], location: type.location }];
    }),
  );
  return { answers, diagnostics: isKnown ? [] : [explain("middleware", hook)] };
}

function toDefault(location: Answer["location"]): Answer {
  return { status: "default", bodies: [ANYTHING], headers: [], location };
}

/** How to write each hook, so that it can be read. */
const INSTEAD = {
  "error hook": "Export a function, as in `export function error(error: unknown) { … }`.",
  middleware: 'Return what `next()` gave, or an object with a status, as in `[{ error: "…" }, 429]`.',
} as const;

function explain(hook: keyof typeof INSTEAD, { module, location }: Shared): Diagnostic {
  const what = `What the ${hook} of ${module} answers`;
  return diagnose("FW910", { what, instead: INSTEAD[hook] }, location);
}
