/** Reads the contract of a project from its sources, without running any of it. */

import type { Location } from "#runtime/routing/route";
import type { Notes, Property, Shape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { sortDiagnostics } from "../diagnostics/order.ts";
import type { Sources } from "../project.ts";
import { findDeclaredFunction } from "../source/declared.ts";
import type { Literal } from "../source/module.ts";
import { isBody } from "../wire/clashes.ts";
import { reachable } from "../wire/inner-shapes.ts";
import type { Declared } from "../wire/labels.ts";
import { placeOf } from "../wire/places.ts";
import type { TypedRoute } from "../wire/typed-route.ts";
import { readAbout } from "./about.ts";
import { createAnswerReader } from "./answers.ts";
import { finishShape, nameTypes } from "./components.ts";
import type { Contract, FoundAnswers, Input, Operation } from "./contract.ts";
import { readCredentials, readInputs } from "./inputs.ts";
import { nameOperations } from "./names.ts";
import { type Comment, readComment, readNotes } from "./prose.ts";
import { ERROR_BODY, ERROR_DEFINITIONS } from "./refusals/bodies.ts";
import type { Inferred } from "./results/returned.ts";

export interface ContractOptions {
  /** The types of results that no source writes: what the project's own `tsc` inferred. */
  readonly inferred?: Inferred;
  /** Reads these routes, with the ids that they have among all. */
  readonly ids?: ReadonlyMap<TypedRoute, string>;
  /** What else has names of types, in sources from which routes were left out. */
  readonly declared?: readonly Declared[];
}

/** Of the keys of the parameters that a function destructures. */
function readDefaults({ types }: Sources, location: Location): ReadonlyMap<string, Literal> {
  const parameters = findDeclaredFunction(types.modules, location)?.value.parameters ?? [];
  return new Map(
    parameters.flatMap((parameter) => (parameter.kind === "destructured" ? [...parameter.defaults] : [])),
  );
}

function shapesIn({ inputs, answers }: Operation): readonly Shape[] {
  return [...inputs, ...answers.flatMap(({ bodies }) => bodies)].map(({ shape }) => shape);
}

/** @returns the operation with other shapes in the places of its own. */
export function mapShapes(operation: Operation, map: (shape: Shape) => Shape): Operation {
  const inputs = operation.inputs.map((input) => ({ ...input, shape: map(input.shape) }));
  const answers = operation.answers.map((answer) => {
    const bodies = answer.bodies.map((body) => ({ ...body, shape: map(body.shape) }));
    return { ...answer, bodies };
  });
  return { ...operation, inputs, answers };
}

/** As opposed to one of every method, of which a document and a client say nothing. */
function hasOneMethod({ method }: Pick<TypedRoute, "method">): boolean {
  return method !== "ALL";
}

/** The ids of the routes that are not hidden; with `all` handlers, which have none, only for a comparison. */
export function readIds(
  sources: Sources,
  routes: readonly TypedRoute[] = sources.project.routes,
  withCatchAlls = false,
): ReadonlyMap<TypedRoute, string> {
  const commentOf = ({ location }: TypedRoute): Comment => readComment(sources, location);
  const shown = routes.filter((route) => !commentOf(route).isHidden);
  const ids = nameOperations(shown.filter(hasOneMethod), (route) => commentOf(route).operation);
  const all = shown.filter((route) => withCatchAlls || hasOneMethod(route));
  return new Map(all.map((route) => [route, ids.get(route) ?? ""]));
}

/** What is mounted for every method says itself what it takes. */
function diagnoseMounted(sources: Sources): readonly Diagnostic[] {
  return sources.project.routes
    .filter((route) => !hasOneMethod(route) && !readComment(sources, route.location).isHidden)
    .map(({ pattern, location }) => diagnose("FW934", { route: `ALL ${pattern}` }, location));
}

/** @example readContract(readSources(root)).operations */
export function readContract(sources: Sources, options: ContractOptions = {}): Contract {
  const { inferred, ids = readIds(sources), declared } = options;
  const { project, types } = sources;
  const labels = new Map(project.apps.map(({ name, label }) => [name, label]));
  const diagnostics = new Map(diagnoseMounted(sources).map((one) => [JSON.stringify(one), one]));
  const readAnswers = createAnswerReader(sources, inferred);
  const notesOf = (property: Property): Notes | undefined =>
    readNotes(sources, placeOf(property), property.shape);
  const all = [...ids].map(([route, id]) => toOperation(route, id));
  const { allDefinitions, naming } = types.shapes;
  const names = nameTypes(Object.keys(allDefinitions), naming, declared);
  const finish = (shape: Shape): Shape => finishShape(shape, names, notesOf);
  const used = reachable(all.flatMap(shapesIn), allDefinitions);
  const definitions = Object.entries(allDefinitions).flatMap(([name, shape]) =>
    used.has(name) ? [[names.get(name) ?? name, finish(shape)] as const] : [],
  );
  const notes = definitions.flatMap(([name, shape]) => {
    const found = readNotes(sources, placeOf(shape), shape);
    return found ? [[name, found] as const] : [];
  });
  const finished = all.map((operation) => mapShapes(operation, finish));
  return {
    about: readAbout(sources),
    operations: finished.filter(hasOneMethod),
    catchAlls: finished.filter((operation) => !hasOneMethod(operation)),
    refused: ERROR_BODY,
    definitions: { ...Object.fromEntries(definitions), ...ERROR_DEFINITIONS },
    notes: Object.fromEntries(notes),
    diagnostics: sortDiagnostics([...diagnostics.values()]),
  };

  function toOperation(route: TypedRoute, id: string): Operation {
    const { method, pattern, segments, handler, location, app } = route;
    const found = readAnswers(route);
    // A guard is before many routes.
    for (const one of found.diagnostics) diagnostics.set(JSON.stringify(one), one);
    const {
      prose,
      operation = id,
      tag = app === null ? undefined : (labels.get(app) ?? app),
    } = readComment(sources, location);
    if (operation !== id && hasOneMethod(route))
      diagnostics.set(id, diagnose("FW935", { name: operation, id }, location));
    return {
      id,
      method,
      pattern,
      segments,
      ...(tag !== undefined && { tag }),
      handler,
      location,
      ...prose,
      inputs: withOwnBody(route, found),
      credentials: readCredentials(
        route,
        ({ shape }) => readNotes(sources, placeOf(shape), shape)?.description,
      ),
      answers: found.answers,
      ...(found.isOpen === true && { isOpen: true }),
    };
  }

  /** Nobody sends a body with GET. */
  function withOwnBody(route: TypedRoute, { inputs: [own] = [] }: FoundAnswers): readonly Input[] {
    const { definitions } = types.shapes;
    const inputs = readInputs(route, definitions, {
      ofFunction: (place) => ({
        descriptions: readComment(sources, place).params,
        defaults: readDefaults(sources, place),
      }),
      ofProperty: notesOf,
    });
    const hasBody = inputs.some(isBody);
    const isUnsent = route.method === "GET" || route.method === "HEAD";
    return own === undefined || hasBody || isUnsent ? inputs : [...inputs, own];
  }
}
