/** What a route answers besides what its handler returns: what the framework refuses, what is thrown, and what hooks make of both. */

import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Sources } from "../../project.ts";
import { type FolderHooks, paramsOf, type Shared, type TypedRoute } from "../../wire/typed-route.ts";
import type { Answer, FoundAnswers, Input } from "../contract.ts";
import { functionsOf } from "../inputs.ts";
import type { Inferred } from "../results/returned.ts";
import { ERROR_BODY } from "./bodies.ts";
import { toErrorAnswers } from "./errors.ts";
import { readFrameworkRefusals, TOO_LARGE } from "./framework.ts";
import { answerErrors, readErrorHook, readMiddleware } from "./hooks.ts";
import { findThrown, type ThrownError } from "./thrown.ts";

/**
 * @param inferred gives the type of what a hook returns where its source does not write it.
 * @returns what reads the routes of a project, and each function that is before many of them once.
 */
export function createRefusalReader(
  sources: Sources,
  inferred?: Inferred,
): (route: TypedRoute) => FoundAnswers {
  const { types, project } = sources;
  const thrownAt = remember((location: Location) => readThrown(sources, location));
  const ofErrorHook = remember((hook: Shared) => readErrorHook(sources, hook, inferred));
  const ofMiddleware = remember((hook: Shared) => readMiddleware(sources, hook));
  // Without a match, only the hooks of the root are around an answer.
  const outside = project.unmatched ? [project.unmatched] : [];

  return (route) => {
    const { hooks, method } = route;
    const thrown = functionsOf(route).map(({ location }) => thrownAt(location));
    const refused = readFrameworkRefusals(route, types.shapes.definitions);
    const limit = String(route.limits?.bodyLimit ?? project.settings.bodyLimit);
    const answers = [
      ...around(refuseParam(route), outside),
      ...around([...refused, ...thrown.flatMap((one) => one.answers)], hooks),
      ...hooks.flatMap((folder, index) => fromMiddleware(folder, hooks.slice(0, index + 1))),
    ].map((answer) =>
      answer.description === TOO_LARGE
        ? { ...answer, description: TOO_LARGE.replace("{limit}", limit) }
        : answer,
    );
    return {
      answers: method === "HEAD" ? answers.map((answer) => ({ ...answer, bodies: [] })) : answers,
      inputs: thrown.flatMap(({ inputs = [] }) => inputs),
      diagnostics: [...thrown, ...[...outside, ...hooks].flatMap(readFolder)].flatMap(
        (one) => one.diagnostics,
      ),
    };
  };

  /** What becomes of errors. @param folders the outer first. */
  function around(first: readonly Answer[], folders: readonly FolderHooks[]): readonly Answer[] {
    return folders.reduceRight(
      (answers, { error }) =>
        error ? [...answerErrors(answers, ofErrorHook(error)), ...thrownAt(error.location).answers] : answers,
      first,
    );
  }

  /** What it returns, and what becomes of what it throws. */
  function fromMiddleware({ middleware }: FolderHooks, folders: readonly FolderHooks[]): readonly Answer[] {
    if (!middleware) return [];
    return [...ofMiddleware(middleware).answers, ...around(thrownAt(middleware.location).answers, folders)];
  }

  function readFolder({ error, middleware }: FolderHooks): readonly Pick<FoundAnswers, "diagnostics">[] {
    return [
      ...(error ? [ofErrorHook(error), thrownAt(error.location)] : []),
      ...(middleware ? [ofMiddleware(middleware), thrownAt(middleware.location)] : []),
    ];
  }
}

function refuseParam({ segments, location }: TypedRoute): readonly Answer[] {
  const canMiss = paramsOf(segments).some(({ type, shape }) => type === "int" || shape !== undefined);
  return canMiss ? [{ status: 404, bodies: [ERROR_BODY], headers: [], location }] : [];
}

function readThrown(sources: Sources, location: Location): FoundAnswers {
  const errors = findThrown(sources.types.modules, location);
  return {
    answers: errors.flatMap((error) => toErrorAnswers(error, sources)),
    inputs: errors.flatMap(toInput),
    diagnostics: errors.flatMap(computedIn).map((place) => diagnose("FW910", COMPUTED, place)),
  };
}

/** The places of statuses that are computed. */
function computedIn(error: ThrownError): readonly Location[] {
  return error.kind === "error" ? error.statuses.filter((status) => typeof status !== "number") : [];
}

const COMPUTED = {
  what: "The status of this `HttpError`",
  instead:
    "Write the number, or declare the answer in the handler's return type, as in `Book | [{ error: string }, 404]`.",
} as const;

/** What it reads by `request.json()`, of which nothing else is known. The function may catch what the reading throws. */
function toInput(error: ThrownError): readonly Input[] {
  const method = error.kind === "body" ? error.method : undefined;
  const rest = { name: "", required: false, location: error.location } as const;
  if (method === "json") return [{ in: "body", ...rest, shape: { kind: "unknown" } }];
  const fields: Shape = { kind: "object", properties: [], others: { kind: "unknown" } };
  return method === "formData" ? [{ in: "form", ...rest, shape: fields }] : [];
}

function remember<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
