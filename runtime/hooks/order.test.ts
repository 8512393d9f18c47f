/**
 * Random trees of folders with random hooks: the order of calls and what arrives are those of a model that is slow and plain. A
 * failure names the seed of its tree.
 */

import { setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Handler } from "../app.ts";
import { createHookedApp, type HookedRoute } from "../hooked.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { createRandom, pick, type Random, runs, SEED } from "../random.fixture.ts";
import type { BoundHooks, Next } from "./hooks.ts";

const TREES = runs(20, 2_000);

/** What is thrown: a mistake, an error that is an answer, or a response. */
interface Thrown {
  readonly kind: "bug" | "http" | "response";
  readonly label: string;
  readonly status: number;
}

const WAYS = {
  middleware: [
    ...["awaits", "hands over", "copies", "reads", "replaces", "answers early"],
    ...["throws before", "throws after", "calls twice", "forgets"],
  ],
  error: ["answers", "answers with a status", "passes on", "throws the same", "throws", "answers a Map"],
  handler: ["answers", "answers with a status", "throws", "streams", "streams a failure", "answers a Map"],
} as const;

interface Part {
  /** One of the ways. */
  readonly does: string;
  readonly name: string;
  readonly isLate: boolean;
  /** For what answers with a status. */
  readonly status: number;
  /** For what throws. */
  readonly thrown: Thrown;
}

interface Folder {
  readonly path: string;
  readonly middleware: Part | undefined;
  readonly error: Part | undefined;
}

interface Leaf {
  readonly path: string;
  /** The outer first. */
  readonly folders: readonly Folder[];
  readonly handler: Part;
}

function makePart(random: Random, what: keyof typeof WAYS, path: string): Part {
  const name = `${what} ${path}/`;
  const kind = pick(random, ["bug", "http", "response"] as const);
  const status = kind === "bug" ? 500 : pick(random, [400, 404, 409, 503]);
  return {
    does: pick<string>(random, WAYS[what]),
    name,
    isLate: random(2) === 0,
    status: pick(random, [200, 201, 403, 422, 500]),
    thrown: { kind, label: `of ${name}`, status },
  };
}

function makeFolder(random: Random, path: string): Folder {
  return {
    path,
    middleware: random(3) > 0 ? makePart(random, "middleware", path) : undefined,
    error: random(2) > 0 ? makePart(random, "error", path) : undefined,
  };
}

/** @returns the leaves of a tree of folders, each with the folders that it is in. */
function makeTree(random: Random, path: string, around: readonly Folder[]): Leaf[] {
  const folders = [...around, makeFolder(random, path)];
  const leaf = { path: `${path}/leaf`, folders, handler: makePart(random, "handler", path) };
  const depth = around.length;
  const inner = Array.from({ length: random(depth === 0 ? 4 : 3 - Math.min(depth, 2)) }, (_, index) =>
    makeTree(random, `${path}/f${index}`, folders),
  );
  return [leaf, ...inner.flat()];
}

/** What arrives, and the calls on the way. */
interface Outcome {
  readonly status: number;
  readonly body: string;
  /** The middleware that added a header. */
  readonly trail: readonly string[];
}

const bug = (label: string): Thrown => ({ kind: "bug", label, status: 500 });

/** The model: plain functions that call each other, and throw what is thrown. */
function expectOutcome({ folders, handler }: Leaf): Outcome & { readonly calls: readonly string[] } {
  const calls: string[] = [];

  function from(level: number): Outcome {
    const folder = folders[level];
    if (folder === undefined) return recover(level - 1, callHandler);
    const { middleware } = folder;
    if (middleware === undefined) return from(level + 1);
    return recover(level, () => callMiddleware(middleware, level));
  }

  function recover(level: number, act: () => Outcome): Outcome {
    try {
      return act();
    } catch (thrown) {
      return answer(level, thrown as Thrown);
    }
  }

  function answer(level: number, thrown: Thrown): Outcome {
    const { kind, label, status } = thrown;
    if (kind === "response") return { status, body: label, trail: [] };
    if (level === -1) return { status, body: kind === "bug" ? "500" : label, trail: [] };
    const hook = folders[level]?.error;
    if (hook === undefined) return answer(level - 1, thrown);
    calls.push(`${hook.name} ${label}`);
    if (hook.does === "answers") return { status, body: hook.name, trail: [] };
    if (hook.does === "answers with a status") return { status: hook.status, body: hook.name, trail: [] };
    if (hook.does === "throws") return answer(level - 1, hook.thrown);
    return answer(level - 1, hook.does === "answers a Map" ? bug("no JSON") : thrown);
  }

  function callHandler(): Outcome {
    const { does, name, status, thrown } = handler;
    calls.push(name);
    if (does === "throws" || does === "streams a failure") throw thrown;
    if (does === "answers a Map") throw bug("no JSON");
    return { status: does === "answers with a status" ? status : 200, body: name, trail: [] };
  }

  function callMiddleware({ does, name, status, thrown }: Part, level: number): Outcome {
    calls.push(`${name} begins`);
    if (does === "throws before") throw thrown;
    if (does === "answers early") return { status, body: name, trail: [] };
    const inner = from(level + 1);
    if (does === "hands over") return inner;
    calls.push(`${name} got ${inner.status}`);
    if (does === "throws after") throw thrown;
    if (does === "calls twice") throw bug("twice");
    if (does === "forgets") throw bug("nothing");
    if (does === "replaces") return { status, body: name, trail: [] };
    return { ...inner, trail: [...inner.trail, name] };
  }

  return { ...from(0), calls };
}

function toError({ kind, label, status }: Thrown): unknown {
  if (kind === "response") return new Response(label, { status });
  return kind === "http" ? new HttpError(status, label) : new Error(label);
}

/** What was thrown by us has its label, what the framework threw one of its own. */
function labelOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /no JSON|twice|nothing/.exec(text)?.[0] ?? text;
}

/** The same as functions for the app. */
class Recorder {
  calls: string[] = [];
  open = 0;

  toRoute({ folders, handler }: Leaf): HookedRoute {
    const hooks = folders.map(
      ({ path, middleware, error }): BoundHooks => ({
        folder: path,
        ...(middleware && { middleware: this.#toMiddleware(middleware) }),
        ...(error && { error: this.#toErrorHook(error) }),
      }),
    );
    return [this.#toHandler(handler), ...hooks];
  }

  #toHandler({ does, name, isLate, status, thrown }: Part): Handler {
    const call = (): unknown => {
      this.calls.push(name);
      if (does === "throws") throw toError(thrown);
      if (does === "streams") return this.#stream(name);
      if (does === "streams a failure") return this.#stream("", toError(thrown));
      if (does === "answers a Map") return new Map();
      return does === "answers" ? { body: name } : [{ body: name }, status];
    };
    return isLate ? () => turn().then(call) : call;
  }

  async *#stream(text: string, failure?: unknown): AsyncGenerator<string> {
    this.open++;
    try {
      if (failure !== undefined) throw failure;
      for (const piece of text.match(/.{1,4}/g) ?? []) {
        yield piece;
        await turn();
      }
    } finally {
      this.open--;
    }
  }

  #toMiddleware({ does, name, isLate, status, thrown }: Part) {
    const middleware = async (next: Next): Promise<unknown> => {
      if (isLate) await turn();
      if (does === "throws before") throw toError(thrown);
      if (does === "answers early") return [{ body: name }, status];
      const response = await next();
      this.calls.push(`${name} got ${response.status}`);
      if (isLate) await turn();
      if (does === "throws after") throw toError(thrown);
      if (does === "calls twice") return next();
      if (does === "forgets") return undefined;
      if (does === "replaces") return [{ body: name }, status];
      response.headers.append("x-trail", name);
      if (does === "copies") return new Response(response.body, response);
      if (does === "reads") await response.text();
      return response;
    };
    return (_: unknown, next: Next): unknown => {
      this.calls.push(`${name} begins`);
      return does === "hands over" ? next() : middleware(next);
    };
  }

  #toErrorHook({ does, name, isLate, status, thrown }: Part) {
    const call = (error: unknown): unknown => {
      this.calls.push(`${name} ${labelOf(error)}`);
      if (does === "throws the same") throw error;
      if (does === "throws") throw toError(thrown);
      if (does === "answers a Map") return new Map();
      if (does === "passes on") return undefined;
      return does === "answers" ? { body: name } : [{ body: name }, status];
    };
    return isLate ? (error: unknown) => turn().then(() => call(error)) : call;
  }
}

/** Objects have their body in `body`, errors in `error`; texts are it. */
async function receive(response: Response): Promise<Outcome> {
  const text = await response.text();
  const trail = response.headers.get("x-trail")?.split(", ") ?? [];
  const { body, error } = text.startsWith("{") ? JSON.parse(text) : { body: text };
  const message = error === "Internal Server Error" ? "500" : error;
  return { status: response.status, body: body ?? message, trail };
}

/** What no route serves is an error that the root's hooks get, as if a handler without a name threw it. */
const MISS: Thrown = { kind: "http", label: "Not Found", status: 404 };
const MISSING: Part = { does: "throws", name: "", isLate: false, status: 0, thrown: MISS };

test(`the calls and the answers of ${TREES} random trees are those of the model, by fetch and by socket`, async () => {
  for (let seed = SEED; seed < SEED + TREES; seed++) {
    const leaves = makeTree(createRandom(seed), "", []);
    const folders = leaves[0]?.folders ?? [];
    const unmatched: Leaf = { path: "/none", folders, handler: MISSING };
    const recorder = new Recorder();
    const routes = Object.fromEntries(leaves.map((leaf) => [`GET ${leaf.path}`, recorder.toRoute(leaf)]));
    const [, ...root] = recorder.toRoute(unmatched);
    const app = createHookedApp(routes, root);
    const asked = [...leaves, unmatched].flatMap((leaf) => [[leaf, "GET"] as const, [leaf, "HEAD"] as const]);
    // A server takes a while to close.
    const server = seed % 20 === 0 ? await app.listen() : undefined;
    const bySocket = (path: string, init: RequestInit): Promise<Response> => fetch(server?.url + path, init);
    for (const send of server ? [app.fetch, bySocket] : [app.fetch]) {
      for (const [leaf, method] of asked) {
        recorder.calls = [];
        const { calls, ...expected } = expectOutcome(leaf);
        const outcome = await receive(await send(leaf.path, { method }));
        const where = `seed ${seed}, ${method} ${leaf.path}`;
        assert.equal(recorder.calls, calls.filter(Boolean), where);
        assert.equal(outcome, method === "HEAD" ? { ...expected, body: "" } : expected, where);
        for (let wait = 0; wait < 50 && recorder.open > 0; wait++) await turn();
        assert.is(recorder.open, 0, `${where}: each stream has ended`);
      }
    }
    await server?.close();
  }
});

test.run();
