/** The handlers that a command names: of one file, with one path and signature, whether they are there or not. */

import { isDeepStrictEqual } from "node:util";
import { formatTake } from "#convention/wire/format-take";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { Param, Route, Segment } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions, Property } from "#runtime/wire/shape";
import { BODY_METHODS } from "../code/body-names.ts";
import { type Field, formatFieldType } from "../code/fields.ts";
import type { HandlerParameter, Taken } from "../code/handlers.ts";
import { PLAINLY } from "../edit/code.ts";
import { toParamType, toTypeWord } from "./words.ts";

export interface Wanted {
  /** For messages: "`post_index`", or the file. */
  readonly what: string;
  readonly module: string;
  readonly handlers: readonly WantedHandler[];
  readonly parameters: readonly HandlerParameter[];
  readonly taken: Taken;
  readonly segments: readonly Segment[];
  /** The path as it is printed. */
  readonly pattern: string;
  /** The name of their test file, without folder and ending. */
  readonly testName: string;
  readonly notes: readonly string[];
}

export interface WantedHandler {
  readonly method: Route["method"];
  readonly name: string;
  /** What it serves, if it is there. */
  readonly route: TypedRoute | undefined;
}

/** The routes of the handlers that are there. */
export function presentRoutes({ handlers }: Pick<Wanted, "handlers">): readonly TypedRoute[] {
  return handlers.flatMap(({ route }) => route ?? []);
}

type Part = Param | DeclaredInput | "request";

/** A route's params in the order in which its handler declares them, with the request in its place. Without what has a mark. */
export function declaredParameters(route: TypedRoute): readonly (Param | "request")[] {
  return declaredParts(route).filter((part) => part === "request" || "type" in part);
}

function declaredParts(route: TypedRoute): readonly Part[] {
  const params = route.segments.filter((segment) => typeof segment !== "string");
  const takes = route.takes.values();
  return route.arguments
    .map((argument) => {
      if (argument === "taken") return takes.next().value;
      if (argument === "provided") return undefined;
      return argument === "request" ? argument : params[argument];
    })
    .filter((part) => part !== undefined);
}

/**
 * Whether a handler is what was asked for: the same params in the same order, the request if that was asked for, and fields of
 * the same names where the command names some. The types of fields are not compared.
 */
export function isAsWanted(
  route: TypedRoute,
  { parameters, taken: { body, query } }: Pick<Wanted, "parameters" | "taken">,
  definitions: Definitions,
): boolean {
  const declared = declaredParameters(route);
  const ofBody = route.takes.find((take) => take.in === "body");
  const object =
    ofBody && (ofBody.shape.kind === "reference" ? definitions[ofBody.shape.name] : ofBody.shape);
  const ofQuery = route.takes.flatMap((take): Property[] =>
    take.in === "query" && take.key !== undefined ? [{ ...take, name: take.key }] : [],
  );
  return (
    (!parameters.includes("request") || declared.includes("request")) &&
    hasParams(declared, parameters) &&
    (!BODY_METHODS.includes(route.method) ||
      hasFields(object?.kind === "object" ? object.properties : [], body)) &&
    hasFields(ofQuery, query)
  );
}

/** Whether the declared params are those that were asked for, in the same order. The request may be among either. */
export function hasParams(
  declared: readonly (Param | "request")[],
  asked: readonly HandlerParameter[],
): boolean {
  const others = asked.filter((one) => one !== "request");
  const isSame = ({ name, type }: Param, index: number): boolean =>
    others[index]?.name === name && toParamType(others[index].type ?? toTypeWord(type)) === type;
  const own = declared.filter((one) => one !== "request");
  return own.length === others.length && own.every(isSame);
}

function hasFields(declared: readonly Property[], asked: readonly Field[]): boolean {
  const format = ({ name, optional }: Pick<Field, "name" | "optional">): string =>
    `${name}${optional ? "?" : ""}`;
  return asked.length === 0 || isDeepStrictEqual(asked.map(format).sort(), declared.map(format).sort());
}

/** @example formatSignature(route) // "(request, user_id: int, page?: int)" */
export function formatSignature(route: TypedRoute): string {
  return formatParts(declaredParts(route));
}

export function formatParts(parts: readonly Part[]): string {
  return `(${parts.map(formatPart).join(", ")})`;
}

function formatPart(part: Part): string {
  if (part === "request") return part;
  return "in" in part ? formatTake(part) : `${part.name}: ${toTypeWord(part.type)}`;
}

export function formatWanted({ parameters, taken }: Pick<Wanted, "parameters" | "taken">): string {
  const format = ({ name, type, optional }: Field): string =>
    `${name}${optional ? "?" : ""}: ${formatFieldType(type, PLAINLY)}`;
  const body = taken.body.length === 0 ? [] : [`body: { ${taken.body.map(format).join("; ")} }`];
  const params = parameters.map((one) => (one === "request" ? one : `${one.name}: ${one.type ?? "string"}`));
  return `(${[...params, ...body, ...taken.query.map(format)].join(", ")})`;
}
