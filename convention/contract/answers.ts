/** What a route answers: what its handler returns, what it and the functions before it throw, and what the framework refuses. */

import type { Sources } from "../project.ts";
import type { TypedRoute } from "../wire/typed-route.ts";
import { uniteShapes } from "../wire/unite-shapes.ts";
import { ANYTHING, type Answer, type AnswerBody, type FoundAnswers } from "./contract.ts";
import { shareError } from "./refusals/bodies.ts";
import { createRefusalReader } from "./refusals/refusals.ts";
import { type Inferred, readReturned } from "./results/returned.ts";

/** @param inferred gives the type of what a function returns where its source does not write it. */
export function createAnswerReader(
  sources: Sources,
  inferred: Inferred | undefined,
): (route: TypedRoute) => FoundAnswers {
  const readRefusals = createRefusalReader(sources, inferred);
  return (route) => {
    const returned = readReturned(sources, route, inferred);
    const found = [returned, readRefusals(route)];
    const answers = found.flatMap((one) => one.answers).map(shareError);
    return {
      answers: answers.length === 0 ? [nothingKnown(route)] : mergeAnswers(answers),
      inputs: found.flatMap(({ inputs = [] }) => inputs),
      isOpen: returned.diagnostics.length > 0 || returned.answers.some(({ status }) => status === "default"),
      diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
    };
  };
}

/** Each operation has an answer, even if its handler never returns. */
function nothingKnown({ location }: TypedRoute): Answer {
  return { status: "default", bodies: [ANYTHING], headers: [], location };
}

/** @returns one answer for each status, "default" last. */
export function mergeAnswers(answers: readonly Answer[]): readonly Answer[] {
  const merged = new Map<Answer["status"], Answer>();
  for (const answer of answers) {
    const before = merged.get(answer.status);
    merged.set(answer.status, before ? mergeTwo(before, answer) : answer);
  }
  return [...merged.values()].sort((one, other) => orderOf(one) - orderOf(other));
}

function orderOf({ status }: Answer): number {
  return status === "default" ? Number.POSITIVE_INFINITY : status;
}

function mergeTwo(one: Answer, other: Answer): Answer {
  const descriptions = distinct([one, other].flatMap(({ description = [] }) => description));
  return {
    ...one,
    ...(descriptions.length > 0 && { description: descriptions.join("; ") }),
    bodies: mergeBodies([...one.bodies, ...other.bodies]),
    headers: distinct([...one.headers, ...other.headers]).sort(),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function mergeBodies(bodies: readonly AnswerBody[]): readonly AnswerBody[] {
  const byMedia = new Map<string, AnswerBody[]>();
  for (const body of bodies) byMedia.set(body.media, [...(byMedia.get(body.media) ?? []), body]);
  const merged = [...byMedia].map(([media, all]) => ({
    media,
    shape: uniteShapes(all.map(({ shape }) => shape)),
  }));
  return merged.sort((one, other) => compareMedia(one.media, other.media));
}

/** JSON first, and what may be anything last. */
function compareMedia(one: string, other: string): number {
  const rank = (media: string): number => (media === "application/json" ? 0 : media === "*/*" ? 2 : 1);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}
