/** Converts names of a project to identifiers, keys and property accesses in the wire module. */

import type { Route } from "#runtime/routing/route";
import type { TypedRoute } from "../typed-route.ts";

/** The name of a function that the wire module can import from `runtime/wire`. */
export type Check = keyof typeof import("#runtime/wire/imports");

/** @returns the variable for an input. No other name in a wire module begins with `$`. */
export function toLocal(name: string, index: number): string {
  return `$${/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : index}`;
}

/** @example toPascal("post_index") // "PostIndex" */
export function toPascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Formats a key of an object literal. `__proto__` is in brackets, so that it does not set the prototype. */
export function formatKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** Formats an exported name for an import: a string literal if it is not an identifier. */
export function formatExport(exported: string): string {
  return formatKey(exported).replace(/^\[(.*)\]$/, "$1");
}

/** Formats a property access. Names that every object inherits, such as `toString`, must be own properties. */
export function formatAccess(object: string, name: string): string {
  const access = isIdentifier(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
  return name in {} ? `Object.hasOwn(${object}, ${JSON.stringify(name)}) ? ${access} : undefined` : access;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** True if the handler reads values from the request, or a guard or provider runs before it. */
export function hasInputs({ calls, takes }: TypedRoute): boolean {
  return takes.length > 0 || calls.length > 0;
}

/**
 * @returns the unique key of a route. Param types distinguish two routes with the same pattern.
 * @example inputsKey(route) // "GET /users/<id:int>"
 */
export function inputsKey({ method, pattern, segments }: Route): string {
  const types = segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.type]));
  return `${method} ${pattern.replaceAll(">", () => `:${types.shift()}>`)}`;
}
