/** What runs for a route before its handler, in order, and what all of it takes off the wire. */

import { nameScheme } from "#convention/contract/inputs";
import type { Shared, TypedRoute } from "#convention/wire/typed-route";
import { toKind } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";

export interface Step extends Shared {
  readonly kind: "middleware" | "guard" | "provider";
}

export function stepsOf({ hooks, calls }: TypedRoute): readonly Step[] {
  const around = hooks.flatMap(({ middleware }): Step[] =>
    middleware === undefined ? [] : [{ ...middleware, kind: "middleware" }],
  );
  return [...around, ...calls];
}

/** Those of the guards and providers come before the handler's. What several functions take is there once, and required if one requires it. */
export function takesOf({ calls, takes }: TypedRoute): readonly DeclaredInput[] {
  const known = new Map<string, DeclaredInput>();
  for (const take of [...calls.flatMap((call) => call.takes), ...takes]) {
    const name = identify(take);
    const first = known.get(name);
    if (first === undefined || (first.optional && !take.optional)) known.set(name, take);
  }
  return [...known.values()];
}

/** Without a key, an object's keys are the names: two objects may ask for different ones. */
function identify(take: DeclaredInput): string {
  const { scheme } = toKind(take) ?? {};
  return scheme ? nameScheme(scheme) : `${take.in} ${take.key ?? JSON.stringify(take.shape)}`;
}

/** Of the file that exports it. @example folderOf(guard) // "routes/admin/", "./" for the project's root */
export function folderOf({ module }: Pick<Shared, "module">): string {
  return module.includes("/") ? module.slice(0, module.lastIndexOf("/") + 1) : "./";
}
