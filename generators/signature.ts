/** Compares the handler that was asked for with the one that is there. */

import type { Param, Route } from "#runtime/core/routing/route";
import { toParamType, type WantedParameter } from "./words.ts";

/** A route's params in the order in which its handler declares them, with the request in its place. */
export function declaredParameters(route: Route): readonly (Param | "request")[] {
  const params = route.segments.filter((segment) => typeof segment !== "string");
  return route.arguments
    .map((argument) => (argument === "request" ? argument : params[argument]))
    .filter((one) => one !== undefined);
}

/** Whether a handler is what was asked for: the same params in the same order, and the request if that was asked for. */
export function hasSignature(route: Route, wanted: readonly WantedParameter[]): boolean {
  const declared = declaredParameters(route);
  if (wanted.includes("request") && !declared.includes("request")) return false;
  const params = declared.filter((one) => one !== "request");
  const asked = wanted.filter((one) => one !== "request");
  return (
    params.length === asked.length &&
    params.every((param, index) => {
      const other = asked[index];
      return (
        other?.name === param.name && (other.type === undefined || toParamType(other.type) === param.type)
      );
    })
  );
}

/** @example formatSignature(route) // "(request, user_id: int)" */
export function formatSignature(route: Route): string {
  const parts = declaredParameters(route).map((one) =>
    one === "request" ? one : `${one.name}: ${one.type === "int" ? "int" : "string"}`,
  );
  return `(${parts.join(", ")})`;
}

export function formatWanted(wanted: readonly WantedParameter[]): string {
  return `(${wanted.map((one) => (one === "request" ? one : `${one.name}: ${one.type ?? "string"}`)).join(", ")})`;
}
