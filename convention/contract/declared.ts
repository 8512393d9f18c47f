/** Reads what a handler says that it returns: what its results are held to. Only a written return type counts. */

import type { Route } from "#runtime/routing/route";
import type { Definitions, Shape } from "#runtime/wire/shape";
import type { Sources } from "../project.ts";
import { resolveExport } from "../source/exports.ts";
import { mapChildren, reachable } from "../wire/inner-shapes.ts";
import { writtenResultOf } from "../wire/result-types.ts";
import type { TypedRoute } from "../wire/typed-route.ts";
import { mergeAnswers } from "./answers.ts";
import type { Answer } from "./contract.ts";
import { readReturned } from "./results/returned.ts";

export interface Declared {
  readonly answers: readonly Answer[];
  /** All that the answers refer to. */
  readonly definitions: Definitions;
}

/** @returns undefined for a handler that leaves its return type to TypeScript. */
export function readDeclared(sources: Sources, route: TypedRoute): Declared | undefined {
  if (!writesResult(sources, route)) return undefined;
  const answers = mergeAnswers(readReturned(sources, route, undefined).answers).map(loosenBodies);
  const definitions = sources.types.shapes.allDefinitions;
  const shapes = answers.flatMap(({ bodies }) => bodies.map(({ shape }) => shape));
  const names = [...reachable(shapes, definitions)];
  const used = names.flatMap((name) => {
    const shape = definitions[name];
    return shape ? [[name, loosen(shape)] as const] : [];
  });
  return { answers, definitions: Object.fromEntries(used) };
}

function loosenBodies(answer: Answer): Answer {
  return { ...answer, bodies: answer.bodies.map((body) => ({ ...body, shape: loosen(body.shape) })) };
}

/** TypeScript takes `undefined` for `unknown` and 1 for `{}`, and no mistake is reported that it does not see. */
function loosen(shape: Shape): Shape {
  const looser = mapChildren(shape, loosen);
  if (looser.kind !== "object") return looser;
  const { properties, others } = looser;
  if (properties.length === 0 && others === undefined) return { kind: "unknown" };
  const loose = properties.map((one) => ({ ...one, optional: one.optional || one.shape.kind === "unknown" }));
  return { ...looser, properties: loose };
}

function writesResult({ types: { modules } }: Sources, { module: file, handler, location }: Route): boolean {
  const module = modules.get(file);
  const origin = module && resolveExport(modules, module, handler, location);
  return origin?.kind === "function" && writtenResultOf(modules, origin) !== undefined;
}
