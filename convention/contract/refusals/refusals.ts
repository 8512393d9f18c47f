/** What a route answers besides what its handler returns: what the framework refuses, what is thrown, and what hooks make of both. */

import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Sources } from "../../project.ts";
import type { FolderHooks, Shared, TypedRoute } from "../../wire/typed-route.ts";
import type { Answer, FoundAnswers, Input } from "../contract.ts";
import { functionsOf } from "../inputs.ts";
import type { Inferred } from "../results/returned.ts";
import { ERROR_BODY } from "./bodies.ts";
import { toErrorAnswers } from "./errors.ts";
import { readFrameworkRefusals } from "./framework.ts";
import { answerErrors, type ErrorHookAnswers, readErrorHook, readMiddleware } from "./hooks.ts";
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
  const { bodyLimit } = project.settings;
  const reading = startReading(sources, inferred);
  return (route) => {
    const refused = readFrameworkRefusals(route, types.shapes.definition, bodyLimit);
    const thrown = functionsOf(route).flatMap(({ location }) => reading.thrownAt(location));
    const answers = [
      // There is no route then, so only the hooks of the root are around it.
      ...reading.around(refuseParam(route), project.unmatched ? [project.unmatched] : []),
      ...reading.around([...refused, ...thrown], route.hooks),
      ...route.hooks.flatMap(({ middleware }, index) =>
        middleware ? reading.fromMiddleware(middleware, route.hooks.slice(0, index + 1)) : [],
      ),
    ];
    const sent = route.method === "HEAD" ? answers.map((answer) => ({ ...answer, bodies: [] })) : answers;
    const inputs = functionsOf(route).flatMap(({ location }) => reading.bodiesAt(location));
    return { answers: sent, inputs, diagnostics: reading.takeDiagnostics() };
  };
}

function refuseParam({ segments, location }: TypedRoute): readonly Answer[] {
  const hasInt = segments.some((segment) => typeof segment !== "string" && segment.type === "int");
  return hasInt ? [{ status: 404, bodies: [ERROR_BODY], headers: [], location }] : [];
}

/** What was read of functions that are before or around many routes. */
interface Reading {
  readonly thrownAt: (location: Location) => readonly Answer[];
  /** What it reads by `request.json()`, of which nothing else is known. */
  readonly bodiesAt: (location: Location) => readonly Input[];
  /** What becomes of errors. @param folders the outer first. */
  readonly around: (answers: readonly Answer[], folders: readonly FolderHooks[]) => readonly Answer[];
  /** What it returns, and what becomes of what it throws. */
  readonly fromMiddleware: (middleware: Shared, folders: readonly FolderHooks[]) => readonly Answer[];
  /** Each once. */
  readonly takeDiagnostics: () => readonly Diagnostic[];
}

function startReading(sources: Sources, inferred: Inferred | undefined): Reading {
  const { types } = sources;
  const diagnostics: Diagnostic[] = [];
  const noted = new Set<string>();
  const errorsAt = (location: Location): readonly ThrownError[] => findThrown(types.modules, location);
  const thrownAt = remember((location: Location) => {
    const errors = errorsAt(location);
    for (const place of errors.flatMap(computedIn)) {
      const key = `${place.file}:${place.line}:${place.column}`;
      if (!noted.has(key)) diagnostics.push(diagnose("FW910", COMPUTED, place));
      noted.add(key);
    }
    return errors.flatMap((error) => toErrorAnswers(error, sources));
  });
  const errorHooks = new Map<Shared, ErrorHookAnswers>();
  const middlewares = new Map<Shared, readonly Answer[]>();
  return {
    thrownAt,
    bodiesAt: (location) => errorsAt(location).flatMap(toInput),
    around,
    fromMiddleware: (middleware, folders) => [
      ...ownOf(middleware),
      ...around(thrownAt(middleware.location), folders),
    ],
    takeDiagnostics: () => diagnostics.splice(0),
  };

  function around(first: readonly Answer[], folders: readonly FolderHooks[]): readonly Answer[] {
    let answers = first;
    for (const { error: hook } of [...folders].reverse()) {
      if (hook === undefined) continue;
      const read = errorHooks.get(hook) ?? readErrorHook(sources, hook, inferred);
      if (!errorHooks.has(hook)) diagnostics.push(...read.diagnostics);
      errorHooks.set(hook, read);
      answers = [...answerErrors(answers, read), ...thrownAt(hook.location)];
    }
    return answers;
  }

  function ownOf(middleware: Shared): readonly Answer[] {
    const before = middlewares.get(middleware);
    if (before) return before;
    const read = readMiddleware(sources, middleware);
    diagnostics.push(...read.diagnostics);
    middlewares.set(middleware, read.answers);
    return read.answers;
  }
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

/** It may be optional: the function may catch what the reading throws. */
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
