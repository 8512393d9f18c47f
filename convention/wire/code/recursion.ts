/** Finds the definitions whose values can be nested without limit: recursive types, and types that contain one. */

import type { Definitions } from "#runtime/wire/shape";
import { referencesIn } from "../inner-shapes.ts";

/** @returns the names of recursive definitions, and of those that refer to one. */
export function findDeep(definitions: Definitions): ReadonlySet<string> {
  const deep = new Set(Object.keys(definitions));
  const used = new Map([...deep].map((name) => [name, usesOf(name, definitions)]));
  const users = new Map<string, string[]>([...deep].map((name) => [name, []]));
  for (const [name, names] of used) for (const one of names) users.get(one)?.push(name);
  // A topological sort, in linear time: definitions are removed after all that they refer to, so recursive ones remain.
  const done = [...deep].filter((name) => used.get(name)?.size === 0);
  for (const name of done) {
    deep.delete(name);
    for (const user of users.get(name) ?? []) {
      const left = used.get(user);
      if (left?.delete(name) && left.size === 0) done.push(user);
    }
  }
  return deep;
}

function usesOf(name: string, definitions: Definitions): Set<string> {
  const shape = definitions[name];
  return new Set(shape ? referencesIn(shape).filter((one) => Object.hasOwn(definitions, one)) : []);
}
