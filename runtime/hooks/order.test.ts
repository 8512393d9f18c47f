/** Which hooks run, in which order, and what arrives. `toolchain/load/order.test.ts` compares projects of random shape with a model. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp } from "../hooked.fixture.ts";
import { HttpError } from "../message/errors.ts";
import type { BoundHooks, Next } from "./hooks.ts";

/** What the hooks of a folder do: a middleware passes on unless it is told otherwise, and an error hook leaves the error to others. */
interface Does {
  readonly middleware?: "throws before" | "throws after" | "answers early";
  readonly error?: "answers" | "throws";
}

type Case = readonly [title: string, outer: Does, inner: Does, handler: "answers" | "throws", calls: string];

const CASES: readonly Case[] = [
  ["the outer middleware is around the inner one", {}, {}, "answers", "A> B> handler <B <A: 200 handler"],
  ["the nearest error hook is asked first", {}, {}, "throws", "A> B> handler B!handler A!handler <B <A: 409"],
  [
    "an outer error hook is not asked for what an inner one has answered",
    { error: "answers" },
    { error: "answers" },
    "throws",
    "A> B> handler B!handler <B <A: 409 B",
  ],
  [
    "what an error hook throws is the next one's error",
    { error: "answers" },
    { error: "throws" },
    "throws",
    "A> B> handler B!handler A!B <B <A: 409 A",
  ],
  [
    "an error before next() is for the folder's own error hook",
    {},
    { middleware: "throws before", error: "answers" },
    "answers",
    "A> B> B!before <A: 409 B",
  ],
  [
    "an error after next() is no business of an inner error hook",
    { middleware: "throws after", error: "answers" },
    { error: "answers" },
    "answers",
    "A> B> handler <B <A A!after: 409 A",
  ],
  ["an early answer calls nothing inside", {}, { middleware: "answers early" }, "answers", "A> B> <A: 200 B"],
];

for (const [title, outer, inner, handler, expected] of CASES)
  test(`${title}, by fetch and by socket`, async () => {
    const calls: string[] = [];
    const call = (): unknown => {
      calls.push("handler");
      if (handler === "throws") throw new HttpError(409, "handler");
      return "handler";
    };
    const app = createHookedApp({ "GET /": [call, toHooks("A", outer, calls), toHooks("B", inner, calls)] });
    const server = await app.listen();
    for (const send of [app.fetch, (path: string) => fetch(server.url + path)]) {
      const response = await send("/");
      const body = await response.text();
      const shown = body.startsWith("{") ? "" : ` ${body}`;
      assert.is(`${calls.splice(0).join(" ")}: ${response.status}${shown}`, expected);
    }
    await server.close();
  });

function toHooks(name: string, { middleware, error }: Does, calls: string[]): BoundHooks {
  return {
    folder: name,
    async middleware(_: unknown, next: Next) {
      calls.push(`${name}>`);
      if (middleware === "throws before") throw new HttpError(409, "before");
      if (middleware === "answers early") return name;
      const response = await next();
      calls.push(`<${name}`);
      if (middleware === "throws after") throw new HttpError(409, "after");
      return response;
    },
    error(thrown: unknown) {
      calls.push(`${name}!${(thrown as Error).message}`);
      if (error === "throws") throw new HttpError(409, name);
      return error === "answers" ? name : undefined;
    },
  };
}

test.run();
