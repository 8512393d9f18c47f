/** Runs providers that are generators: opens them before the handler, and closes each exactly once after it, the last first. */

import type { Exchange, Opened, Watch } from "../message/exchange.ts";
import { isObject } from "../message/json.ts";
import { type Answer, isPlain } from "../message/result.ts";
import { type Chunks, endSoon } from "../message/stream.ts";
import type { BoundCall } from "./inputs.ts";

type Yielded = IteratorResult<unknown, unknown> | Promise<IteratorResult<unknown, unknown>>;

/** A synchronous or asynchronous generator. */
interface AnyGenerator {
  next(value?: unknown): Yielded;
  return(value?: unknown): Yielded;
  throw(error?: unknown): Yielded;
}

/** The outcome of the request, as the generator method to call: `return` if the client does not want the rest of a stream. */
interface Ending {
  readonly resume: "next" | "return" | "throw";
  readonly error?: unknown;
}

const FINISHED: Ending = { resume: "next" };
const CANCELLED: Ending = { resume: "return" };

export function isGenerator(value: unknown): value is AnyGenerator {
  if (!isObject(value) || !("next" in value)) return false;
  const { next, return: end, throw: fail } = value as Partial<AnyGenerator>;
  return [next, end, fail].every((member) => typeof member === "function");
}

/** @returns the value that the generator yields. @param name the provider's name, for messages. */
export function openGenerator(generator: AnyGenerator, name: string, exchange: Exchange): Promise<unknown> {
  const opened = exchange.opened instanceof OpenedGenerators ? exchange.opened : new OpenedGenerators();
  exchange.opened = opened;
  return opened.open(generator, name);
}

class OpenedGenerators implements Opened {
  readonly #open: { readonly generator: AnyGenerator; readonly name: string }[] = [];
  #ending: Ending | undefined;
  #closing: Promise<void> | undefined;
  #watch: Watch | undefined;

  async open(generator: AnyGenerator, name: string): Promise<unknown> {
    const { done, value } = await generator.next();
    if (done) throw new TypeError(`${name} ended without a value. A provider must yield one.`);
    this.#open.push({ generator, name });
    // The app has given up the request in the meantime. `watch` logs the error.
    if (this.#ending !== undefined) await this.#close().catch(ignore);
    return value;
  }

  async finish(answer: Answer, watch: Watch): Promise<Answer> {
    if (this.#ending !== undefined) return answer;
    this.#watch = watch;
    if (!isPlain(answer.body)) return { ...answer, body: this.#closeAfter(answer.body) };
    await this.#end(FINISHED);
    return answer;
  }

  fail(error: unknown, watch: Watch): Promise<unknown> {
    const isFirst = this.#closing === undefined;
    this.#watch = watch;
    return this.#end({ resume: "throw", error }).then(
      () => error,
      (other) => (isFirst ? other : error),
    );
  }

  /** A failure overrides a success for the generators that are still open. @param source a stream to await first, as it uses them. */
  #end(ending: Ending, source?: Promise<void>): Promise<void> {
    const overrides = ending.resume === "throw" && this.#ending?.resume === "next";
    if (this.#ending === undefined || overrides) this.#ending = ending;
    this.#closing ??= this.#close(source);
    return this.#closing;
  }

  #close(source?: Promise<void>): Promise<void> {
    const closing = source ? source.then(() => this.#closeAll()) : this.#closeAll();
    this.#watch?.(closing);
    return closing;
  }

  /** Rejects with the last error of a generator, which is thrown into the earlier generators, too. */
  async #closeAll(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (let opened = this.#open.pop(); opened !== undefined; opened = this.#open.pop()) {
      const { resume, error } = this.#ending ?? CANCELLED;
      try {
        const { done } = await opened.generator[resume](error);
        if (done) continue;
        await opened.generator.return();
        const message = `${opened.name} yielded twice. A provider must yield one value, and end.`;
        throw new TypeError(message, resume === "throw" ? { cause: error } : {});
      } catch (thrown) {
        if (resume === "throw" && thrown === error) continue;
        failure = { error: thrown };
        this.#ending = { resume: "throw", error: thrown };
      }
    }
    if (failure) throw failure.error;
  }

  /** Delays the end until all generators are closed, so that the client notices a failed commit. */
  #closeAfter(chunks: Chunks): Chunks {
    return {
      next: async () => {
        const chunk = await chunks.next().catch(async (error: unknown) => {
          await this.#end({ resume: "throw", error }).catch(ignore);
          throw error;
        });
        if (chunk === undefined) await this.#end(FINISHED);
        return chunk;
      },
      cancel: () => this.#end(CANCELLED, endSoon(chunks)).catch(ignore),
    };
  }
}

function ignore(): void {}

/** @example nameOfCall(call) // "transaction (database/providers.ts:7)" */
export function nameOfCall({ name, location }: BoundCall): string {
  return `${name} (${location.file}:${location.line})`;
}
