/**
 * Random trees of folders with random hooks: the order of calls and what arrives are those of a model that is slow and plain. A
 * failure names the seed of its tree.
 */

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

const MIDDLEWARE = [
  "awaits",
  "hands over",
  "copies",
  "reads",
  "replaces",
  "answers early",
  "throws before",
  "throws after",
  "calls twice",
  "forgets",
] as const;
const ERROR = [
  "answers",
  "answers with a status",
  "passes on",
  "throws the same",
  "throws",
  "answers a Map",
] as const;
const HANDLER = [
  "answers",
  "answers with a status",
  "throws",
  "streams",
  "streams a failure",
  "answers a Map",
] as const;

interface Part<Does extends string> {
  readonly does: Does;
  readonly name: string;
  readonly isLate: boolean;
  /** For what answers with a status. */
  readonly status: number;
  /** For what throws. */
  readonly thrown: Thrown;
}

interface Folder {
  readonly path: string;
  readonly middleware: Part<(typeof MIDDLEWARE)[number]> | undefined;
  readonly error: Part<(typeof ERROR)[number]> | undefined;
}

interface Leaf {
  readonly path: string;
  /** The outer first. */
  readonly folders: readonly Folder[];
  readonly handler: Part<(typeof HANDLER)[number]>;
}

function makePart<Does extends string>(random: Random, name: string, does: readonly Does[]): Part<Does> {
  const kind = pick(random, ["bug", "http", "response"] as const);
  const status = kind === "bug" ? 500 : pick(random, [400, 404, 409, 503]);
  return {
    does: pick(random, does),
    name,
    isLate: random(2) === 0,
    status: pick(random, [200, 201, 403, 422, 500]),
    thrown: { kind, label: `of ${name}`, status },
  };
}

function makeFolder(random: Random, path: string): Folder {
  return {
    path,
    middleware: random(3) > 0 ? makePart(random, `middleware ${path}/`, MIDDLEWARE) : undefined,
    error: random(2) > 0 ? makePart(random, `error ${path}/`, ERROR) : undefined,
  };
}

/** @returns the leaves of a tree of folders, each with the folders that it is in. */
function makeTree(random: Random, path: string, around: readonly Folder[]): Leaf[] {
  const folders = [...around, makeFolder(random, path)];
  const leaf = { path: `${path}/leaf`, folders, handler: makePart(random, `handler ${path}/`, HANDLER) };
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
    if (thrown.kind === "response") return { status: thrown.status, body: thrown.label, trail: [] };
    if (level === -1)
      return { status: thrown.status, body: thrown.kind === "bug" ? "500" : thrown.label, trail: [] };
    const hook = folders[level]?.error;
    if (hook === undefined) return answer(level - 1, thrown);
    calls.push(`${hook.name} ${thrown.label}`);
    if (hook.does === "answers") return { status: thrown.status, body: hook.name, trail: [] };
    if (hook.does === "answers with a status") return { status: hook.status, body: hook.name, trail: [] };
    if (hook.does === "throws") return answer(level - 1, hook.thrown);
    if (hook.does === "answers a Map") return answer(level - 1, bug("no JSON"));
    return answer(level - 1, thrown);
  }

  function callHandler(): Outcome {
    calls.push(handler.name);
    if (handler.does === "throws") throw handler.thrown;
    if (handler.does === "streams a failure") throw handler.thrown;
    if (handler.does === "answers a Map") throw bug("no JSON");
    return {
      status: handler.does === "answers with a status" ? handler.status : 200,
      body: handler.name,
      trail: [],
    };
  }

  function callMiddleware(
    { does, name, status, thrown }: NonNullable<Folder["middleware"]>,
    level: number,
  ): Outcome {
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

function bug(label: string): Thrown {
  return { kind: "bug", label, status: 500 };
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
    return [this.#toHandler(handler), ...folders.map((folder) => this.#toHooks(folder))];
  }

  #toHandler(part: Leaf["handler"]): Handler {
    const call = (): unknown => {
      this.calls.push(part.name);
      if (part.does === "throws") throw toError(part.thrown);
      if (part.does === "streams") return this.#stream(part.name);
      if (part.does === "streams a failure") return this.#stream("", toError(part.thrown));
      if (part.does === "answers a Map") return new Map();
      return part.does === "answers" ? { body: part.name } : [{ body: part.name }, part.status];
    };
    return part.isLate ? () => turn().then(call) : call;
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

  #toHooks({ path, middleware, error }: Folder): BoundHooks {
    return {
      folder: path,
      ...(middleware && { middleware: this.#toMiddleware(middleware) }),
      ...(error && { error: this.#toErrorHook(error) }),
    };
  }

  #toMiddleware({ does, name, isLate, status, thrown }: NonNullable<Folder["middleware"]>) {
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

  #toErrorHook({ does, name, isLate, status, thrown }: NonNullable<Folder["error"]>) {
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

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function receive(response: Response): Promise<Outcome> {
  const text = await response.text();
  const trail = response.headers.get("x-trail")?.split(", ") ?? [];
  return { status: response.status, body: toBody(text), trail };
}

/** Objects have it in `body`, errors in `error`; texts are it. */
function toBody(text: string): string {
  if (!text.startsWith("{")) return text;
  const { body, error } = JSON.parse(text);
  return body ?? (error === "Internal Server Error" ? "500" : error);
}

test(`the calls and the answers of ${TREES} random trees are those of the model, by fetch and by socket`, async () => {
  for (let seed = SEED; seed < SEED + TREES; seed++) {
    const leaves = makeTree(createRandom(seed), "", []);
    const recorder = new Recorder();
    const routes = Object.fromEntries(leaves.map((leaf) => [`GET ${leaf.path}`, recorder.toRoute(leaf)]));
    const app = createHookedApp(routes);
    // A server takes a while to close.
    const server = seed % 20 === 0 ? await app.listen() : undefined;
    const bySocket = (path: string, init: RequestInit): Promise<Response> => fetch(server?.url + path, init);
    for (const send of server ? [app.fetch, bySocket] : [app.fetch]) {
      for (const leaf of leaves) {
        for (const method of ["GET", "HEAD"]) {
          recorder.calls = [];
          const { calls, ...expected } = expectOutcome(leaf);
          const outcome = await receive(await send(leaf.path, { method }));
          const where = `seed ${seed}, ${method} ${leaf.path}`;
          assert.equal(recorder.calls, calls, where);
          assert.equal(outcome, method === "HEAD" ? { ...expected, body: "" } : expected, where);
          for (let wait = 0; wait < 50 && recorder.open > 0; wait++) await turn();
          assert.is(recorder.open, 0, `${where}: each stream has ended`);
        }
      }
    }
    await server?.close();
  }
});

test("what no route serves passes the root's hooks as the model has it", async () => {
  for (let seed = SEED; seed < SEED + TREES; seed++) {
    const folder = makeFolder(createRandom(seed), "");
    const recorder = new Recorder();
    const thrown: Thrown = { kind: "http", label: "Not Found", status: 404 };
    const handler = { does: "throws", name: "", isLate: false, status: 0, thrown } as const;
    const [, ...hooks] = recorder.toRoute({ path: "", folders: [folder], handler });
    const { calls, ...expected } = expectOutcome({ path: "", folders: [folder], handler });
    const app = createHookedApp({}, hooks);
    assert.equal(await receive(await app.fetch("/none")), expected, `seed ${seed}`);
    assert.equal(recorder.calls, calls.filter(Boolean), `seed ${seed}`);
  }
});

test.run();
