/** Puts other functions in place of a project's providers and guards, for its tests. A server that replaces none has no code for it. */

import type { BoundRoute } from "./app.ts";
import type { BoundCall, Serve, ServeParts } from "./wire/inputs.ts";
import type { Provided } from "./wire/marks.ts";

/** Gives what a provider gives: by returning it, a promise of it, or a generator that yields it. */
export type Substitute<T> = () =>
  | T
  | PromiseLike<T>
  | Generator<T, unknown, undefined>
  | AsyncGenerator<T, unknown, undefined>;

/**
 * For `createApp({ providers })`: has another function called in place of a provider or a guard. Nothing that only the replaced function
 * takes is asked of a request.
 *
 * @param provider the function that the project exports.
 * @returns takes the substitute, which is called without arguments.
 * @example const app = await createApp({ providers: [replace(currentUser).with(() => ({ name: "Ada" }))] });
 */
export function replace<F extends (...args: never[]) => unknown>(
  provider: F,
): Replaced<Provided<ReturnType<F>>> {
  // Apart from the substitute, whose literals then have the types that the provider's have.
  return { with: (substitute) => new Replacement(provider, substitute) };
}

/** A provider that waits for its substitute. */
export interface Replaced<T> {
  with(substitute: Substitute<T>): Replacement;
}

/** By the function of the project. */
type Substitutes = ReadonlyMap<unknown, () => unknown>;

/** What `replace(…).with(…)` returns. */
export class Replacement {
  readonly #provider: (...args: never[]) => unknown;
  readonly #substitute: () => unknown;

  /** @internal */
  constructor(provider: (...args: never[]) => unknown, substitute: () => unknown) {
    this.#provider = provider;
    this.#substitute = substitute;
  }

  /**
   * Applies all of them at once, because one may be needed by another alone. A method, so that the app needs no function from here.
   *
   * @throws {Error} for a function that no route calls.
   * @internal
   */
  "~apply"(routes: readonly BoundRoute[], all: readonly Replacement[]): BoundRoute[] {
    const called = new Set<unknown>(
      routes.flatMap(({ serve }) => serve?.parts?.calls.map(({ run }) => run) ?? []),
    );
    for (const { name } of all.map((one) => one.#provider).filter((provider) => !called.has(provider)))
      throw new Error(
        `createApp() can't replace ${name || "a function without a name"}: no route calls it as a provider or a guard.`,
      );
    const substitutes = new Map(all.map((one) => [one.#provider, one.#substitute]));
    return routes.map((route) =>
      route.serve?.parts ? { ...route, serve: withSubstitutes(route.serve.parts, substitutes) } : route,
    );
  }
}

function withSubstitutes(parts: ServeParts, substitutes: Substitutes): Serve {
  const { inputs, calls, provided, toServe } = parts;
  const needed = findNeeded(parts, substitutes);
  const changed = calls.map((call, index): BoundCall => {
    // It keeps its place, because the others are given values by place.
    if (!needed.has(index)) return { ...call, kind: "provider", run: () => undefined };
    const run = substitutes.get(call.run);
    return run === undefined ? call : { ...call, run };
  });
  const callInputs = changed.map((call, index) =>
    call === calls[index] ? inputs.calls?.[index] : undefined,
  );
  return toServe({ ...inputs, calls: callInputs }, changed, provided);
}

/** @returns the indices of the calls that are still made: what a substitute has no use for is left out. */
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
