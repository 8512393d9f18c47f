/** Replaces providers and guards of a project in its tests. A bundle includes this module only if the project calls `replace`. */

import type { BoundRoute } from "./app.ts";
import type { BoundCall, Serve, ServeParts } from "./wire/inputs.ts";
import type { Provided } from "./wire/marks.ts";

/** A function that replaces a provider. It returns the value, a promise of it, or a generator that yields it. */
export type Substitute<T> = () =>
  | T
  | PromiseLike<T>
  | Generator<T, unknown, undefined>
  | AsyncGenerator<T, unknown, undefined>;

/**
 * Replaces a provider or a guard in `createApp({ providers })`. Inputs that only the replaced function declares are not read.
 *
 * @param provider the function that the project exports.
 * @returns an object with `with(substitute)`. The substitute is called without arguments.
 * @example const app = await createApp({ providers: [replace(currentUser).with(() => ({ name: "Ada" }))] });
 */
export function replace<F extends (...args: never[]) => unknown>(
  provider: F,
): Replaced<Provided<ReturnType<F>>> {
  // A call of its own for the substitute, so that TypeScript gives its literals the provider's types.
  return { with: (substitute) => new Replacement(provider, substitute) };
}

/** A provider whose substitute is not set yet. */
export interface Replaced<T> {
  with(substitute: Substitute<T>): Replacement;
}

/** The substitutes, by the project's function that each replaces. */
type Substitutes = ReadonlyMap<unknown, () => unknown>;

/** The result of `replace(…).with(…)`. */
export class Replacement {
  readonly #provider: (...args: never[]) => unknown;
  readonly #substitute: () => unknown;

  /** @internal */
  constructor(provider: (...args: never[]) => unknown, substitute: () => unknown) {
    this.#provider = provider;
    this.#substitute = substitute;
  }

  /**
   * Applies all replacements at once: one may make another unused. A method, so that the app does not import this module.
   *
   * @throws {Error} for a function that no route calls.
   * @internal
   */
  "~apply"(routes: readonly BoundRoute[], all: readonly Replacement[]): BoundRoute[] {
    const called = new Set<unknown>(
      routes.flatMap(({ serve }) => serve?.parts?.calls.map(({ run }) => run) ?? []),
    );
    for (const { name } of all.map((item) => item.#provider).filter((provider) => !called.has(provider)))
      throw new Error(
        `createApp() can't replace ${name || "a function without a name"}: no route calls it as a provider or a guard.`,
      );
    const substitutes = new Map(all.map((item) => [item.#provider, item.#substitute]));
    return routes.map((route) =>
      route.serve?.parts ? { ...route, serve: withSubstitutes(route.serve.parts, substitutes) } : route,
    );
  }
}

function withSubstitutes(parts: ServeParts, substitutes: Substitutes): Serve {
  const { inputs, calls, provided, toServe } = parts;
  const needed = findNeeded(parts, substitutes);
  const changed = calls.map((call, index): BoundCall => {
    // An empty call keeps its index, because calls refer to each other by index.
    if (!needed.has(index)) return { ...call, kind: "provider", run: () => undefined };
    const run = substitutes.get(call.run);
    return run === undefined ? call : { ...call, run };
  });
  const callInputs = changed.map((call, index) =>
    call === calls[index] ? inputs.calls?.[index] : undefined,
  );
  return toServe({ ...inputs, calls: callInputs }, changed, provided);
}

/** @returns the indices of the calls still needed: providers that only a replaced function used are left out. */
function findNeeded({ calls, provided }: ServeParts, substitutes: Substitutes): ReadonlySet<number> {
  const needed = new Set<number>();
  const need = (index: number): void => {
    const call = calls[index];
    if (call === undefined || needed.has(index)) return;
    needed.add(index);
    if (!substitutes.has(call.run)) call.provided.forEach(need);
  };
  for (const [index, { kind }] of calls.entries()) if (kind === "guard") need(index);
  provided.forEach(need);
  return needed;
}
