/** The names in the text of a wire module: what it imports, and how the names of a project become names of JavaScript. */

import type { Route } from "#runtime/routing/route";
import type { TypedRoute } from "../typed-route.ts";

/** What a wire module imports of `runtime/wire`, if it needs it. */
export type Check = keyof typeof import("#runtime/wire/imports");

/** @returns the name of the variable for a value. Nothing else in a wire module begins with `$`. */
export function toLocal(name: string, index: number): string {
  return `$${/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : index}`;
}

/** @example toPascal("post_index") // "PostIndex" */
export function toPascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** @returns how an object literal has the key. In brackets, `__proto__` is a key like any other. */
export function formatKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** @returns how an import has the name of an export, which can be a text that is not a name, too. */
export function formatExport(exported: string): string {
  return formatKey(exported).replace(/^\[(.*)\]$/, "$1");
}

/** @returns the expression for a key of an object. What every object inherits counts only if it is the object's own. */
export function formatAccess(object: string, name: string): string {
  const access = isIdentifier(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
  return name in {} ? `Object.hasOwn(${object}, ${JSON.stringify(name)}) ? ${access} : undefined` : access;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** True if the route takes something off the wire, or something runs before its handler. */
export function hasInputs({ calls, takes }: TypedRoute): boolean {
  return takes.length > 0 || calls.length > 0;
}

/**
 * @returns another name for each route. The types of the params tell two with the same pattern apart.
 * @example inputsKey(route) // "GET /users/<id:int>"
 */
export function inputsKey({ method, pattern, segments }: Route): string {
  const types = segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.type]));
  return `${method} ${pattern.replaceAll(">", () => `:${types.shift()}>`)}`;
}
