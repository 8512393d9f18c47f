/** The handlers that a command names: of one file, with one path and signature, whether they are there or not. */

import { formatTake } from "#convention/wire/format-take";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { Param, Route, Segment } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { WantedTakes } from "./takes.ts";
import { toParamType, toTypeWord, type WantedParam, type WantedParameter } from "./words.ts";

export interface Wanted {
  /** For messages: "`post_index`", or the file. */
  readonly what: string;
  readonly module: string;
  readonly handlers: readonly WantedHandler[];
  readonly parameters: readonly WantedParameter[];
  /** Undefined where the command says nothing of it. */
  readonly takes: WantedTakes | undefined;
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

/** A route's params in the order in which its handler declares them, with the request in its place. Without what has a mark. */
export function declaredParameters(route: TypedRoute): readonly (Param | "request")[] {
  return declaredParts(route).filter((part) => part === "request" || "type" in part);
}

function declaredParts(route: TypedRoute): readonly (Param | DeclaredInput | "request")[] {
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

/** Whether a handler is what was asked for: the same params in the same order, and the request if that was asked for. */
export function hasSignature(route: TypedRoute, wanted: readonly WantedParameter[]): boolean {
  const declared = declaredParameters(route);
  if (wanted.includes("request") && !declared.includes("request")) return false;
  return hasParams(
    declared.filter((one) => one !== "request"),
    wanted.filter((one) => one !== "request"),
  );
}

/** Whether the declared params are those that were asked for, in the same order. */
export function hasParams(declared: readonly Param[], asked: readonly WantedParam[]): boolean {
  return (
    declared.length === asked.length &&
    declared.every((param, index) => {
      const other = asked[index];
      return (
        other?.name === param.name && (other.type === undefined || toParamType(other.type) === param.type)
      );
    })
  );
}

/** @example formatSignature(route) // "(request, user_id: int, page?: int)" */
export function formatSignature(route: TypedRoute): string {
  return formatParts(declaredParts(route));
}

export function formatParts(parts: readonly (Param | DeclaredInput | "request")[]): string {
  return `(${parts.map(formatPart).join(", ")})`;
}

function formatPart(part: Param | DeclaredInput | "request"): string {
  if (part === "request") return part;
  return "in" in part ? formatTake(part) : `${part.name}: ${toTypeWord(part.type)}`;
}

/** @param takes as their texts. */
export function formatWanted(wanted: readonly WantedParameter[], takes: readonly string[] = []): string {
  const parts = wanted.map((one) => (one === "request" ? one : `${one.name}: ${one.type ?? "string"}`));
  return `(${[...parts, ...takes].join(", ")})`;
}
