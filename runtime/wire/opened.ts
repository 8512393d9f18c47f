/** The generators that providers of a request have opened: closed exactly once, the last first. */

import type { Failure, Opened, Watch } from "../message/exchange.ts";
import { type Answer, isPlain } from "../message/result.ts";
import { isThenable } from "../message/sendable.ts";
import { type Chunks, endSoon } from "../message/stream.ts";
import type { BoundCall } from "./taker.ts";

type AnyGenerator = Generator<unknown, unknown, unknown> | AsyncGenerator<unknown, unknown, unknown>;

/** A generator with the provider that made it. */
interface Waiting {
  readonly generator: AnyGenerator;
  readonly call: BoundCall;
}

type Ending =
  /** The answer is made, and sent if it is a stream. */
  | { readonly kind: "finished" }
  /** Nobody wants the rest of a stream. */
  | { readonly kind: "left" }
  | ({ readonly kind: "failed" } & Failure);

const FINISHED: Ending = { kind: "finished" };
const LEFT: Ending = { kind: "left" };

export function isGenerator(value: unknown): value is AnyGenerator {
  if (typeof value !== "object" || value === null || !("next" in value)) return false;
  const { next, return: end, throw: fail } = value as Partial<AnyGenerator>;
  return [next, end, fail].every((member) => typeof member === "function");
}

export class OpenedGenerators implements Opened {
  readonly #waiting: Waiting[] = [];
  #ending: Ending | undefined;
  #closing: Promise<Failure | undefined> | undefined;
  #watch: Watch | undefined;

  /** Runs a generator to its first value, and gives that to `keep`. */
  open(one: Waiting, keep: (value: unknown) => void): Promise<void> | undefined {
    const step = one.generator.next();
    if (isThenable(step)) return Promise.resolve(step).then((first) => this.#keepLate(one, first, keep));
    this.#keep(one, step);
    keep(step.value);
    return undefined;
  }

  async finish(answer: Answer, watch: Watch): Promise<Answer> {
    if (this.#ending !== undefined) return answer;
    this.#watch = watch;
    if (!isPlain(answer.body)) return { ...answer, body: this.#closeAfter(answer.body) };
    const failure = await this.#end(FINISHED);
    if (failure) throw failure.error;
    return answer;
  }

  async fail(error: unknown, watch: Watch): Promise<unknown> {
    const isFirst = this.#closing === undefined;
    this.#watch = watch;
    const failure = await this.#end({ kind: "failed", error });
    return isFirst && failure ? failure.error : error;
  }

  #keep(one: Waiting, { done }: IteratorResult<unknown, unknown>): void {
    if (done)
      throw new TypeError(`${nameOfCall(one.call)} ended without a value. A provider must yield one.`);
    this.#waiting.push(one);
  }

  /** The app may have given up the request meanwhile, and calls nothing more then. */
  async #keepLate(
    one: Waiting,
    first: IteratorResult<unknown, unknown>,
    keep: (value: unknown) => void,
  ): Promise<void> {
    this.#keep(one, first);
    if (this.#ending === undefined) keep(first.value);
    else await this.#close();
  }

  /** A failure overrides a good end for those that still wait. */
  #end(ending: Ending, source?: Promise<void>): Promise<Failure | undefined> {
    const overrides = ending.kind === "failed" && this.#ending?.kind === "finished";
    if (this.#ending === undefined || overrides) this.#ending = ending;
    this.#closing ??= this.#close(source);
    return this.#closing;
  }

  /** @param source has to end first, because it uses what the generators hold. */
  #close(source?: Promise<void>): Promise<Failure | undefined> {
    const closing = source ? source.then(() => this.#closeWaiting()) : this.#closeWaiting();
    this.#watch?.(closing);
    return closing;
  }

  /** @returns the last error that one of them threw of its own. */
  async #closeWaiting(): Promise<Failure | undefined> {
    let failure: Failure | undefined;
    for (let one = this.#waiting.pop(); one !== undefined; one = this.#waiting.pop()) {
      const ending = this.#ending ?? LEFT;
      try {
        await resume(one, ending);
      } catch (error) {
        if (ending.kind === "failed" && ending.error === error) continue;
        failure = { error };
        this.#ending = { kind: "failed", error };
      }
    }
    return failure;
  }

  /** @returns the same pieces. The end comes when all is closed, so that the client sees a commit that fails. */
  #closeAfter(chunks: Chunks): Chunks {
    return {
      next: async () => {
        const chunk = await chunks.next().catch(async (error: unknown) => {
          await this.#end({ kind: "failed", error });
          throw error;
        });
        const failure = chunk === undefined ? await this.#end(FINISHED) : undefined;
        if (failure) throw failure.error;
        return chunk;
      },
      cancel: async () => {
        await this.#end(LEFT, endSoon(chunks));
      },
    };
  }
}

/** @throws what the generator throws, and an error if it goes on. */
async function resume(one: Waiting, ending: Ending): Promise<void> {
  const { generator } = one;
  const { done } = await step(generator, ending);
  if (done) return;
  await generator.return(undefined);
  const cause = ending.kind === "failed" ? { cause: ending.error } : {};
  throw new TypeError(
    `${nameOfCall(one.call)} yielded twice. A provider must yield one value, and end.`,
    cause,
  );
}

function step(
  generator: AnyGenerator,
  ending: Ending,
): IteratorResult<unknown, unknown> | Promise<IteratorResult<unknown, unknown>> {
  if (ending.kind === "failed") return generator.throw(ending.error);
  return ending.kind === "finished" ? generator.next() : generator.return(undefined);
}

/** @example nameOfCall(call) // "transaction (database/providers.ts:7)" */
export function nameOfCall({ name, location }: BoundCall): string {
  return `${name} (${location.file}:${location.line})`;
}
