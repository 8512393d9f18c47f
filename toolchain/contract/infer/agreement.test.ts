/** The compiler is the oracle: what the `return`s of a handler say is what TypeScript infers of it. */

import { rmSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mergeAnswers } from "#convention/contract/answers";
import { formatAnswers } from "#convention/contract/reading.fixture";
import { DECLARED, SAID } from "#convention/contract/results/handlers.fixture";
import { readReturned } from "#convention/contract/results/returned";
import type { ProjectFiles } from "#convention/folder.fixture";
import { createProject, readSound } from "./infer.fixture.ts";
import { inferResults } from "./infer.ts";

const FRAMEWORK = `
export type int = number;
export type Body<T> = T;
export type Query<T> = T;
export type Bearer = string;
export type ApiKey<_Name extends string> = string;
export type Min<_N extends number> = unknown;
export type From<F extends (...given: never) => unknown> = Awaited<ReturnType<F>>;
export declare class Request { json(): Promise<any>; }
export declare class HttpError extends Error { constructor(status: number, message: string); }
export declare class Reply<out T = unknown, out S extends number = number> { readonly value: T; readonly status: S; }
export declare function reply<const S extends number, T>(value: T, status: S, headers?: object): Reply<T, S>;
export declare class EventStream<out T> { readonly of: T; }
export declare class ServerSentEvent<out T> { readonly fields: { data?: T }; }
export declare function event<T>(fields: { id?: number; data?: T }): ServerSentEvent<T>;
export declare function events<T>(source: AsyncIterable<T> | Iterable<T>): EventStream<T>;
`;

const files: Record<string, ProjectFiles[string]> = {
  "vendor/framework/index.d.ts": FRAMEWORK,
  "framework.toml": `apps = ${JSON.stringify(SAID.map((_, index) => `app${index}`))}\n`,
};
for (const [index, [handler]] of SAID.entries()) {
  files[`apps/app${index}/app.toml`] = `[app]\nprefix = "/${index}"\n`;
  files[`apps/app${index}/views.ts`] = `${DECLARED}declare function make(): any;\nexport ${handler}`;
}

const root = createProject(files);
const sources = readSound(root);
const { inferred } = await inferResults(sources);
rmSync(root, { recursive: true, force: true });

for (const [index, [handler, , other]] of SAID.entries()) {
  test(`TypeScript agrees on \`${handler}\``, () => {
    const route = sources.project.routes.find(({ app }) => app === `app${index}`);
    assert.ok(route);
    const [said, found] = [undefined, inferred].map((one) => {
      const { answers } = readReturned(sources, route, one);
      return normalize(formatAnswers(mergeAnswers(answers)));
    });
    assert.is(found, other === undefined ? said : normalize(withoutNotes(other)));
  });
}

/** Without definitions and infos. */
function withoutNotes(summary: string): string {
  return (summary.split("; ")[0] ?? "").replaceAll(" · ", "; ");
}

/** An `int` is a number to TypeScript, each file has a `User` of its own, and an order says nothing. */
function normalize(text: string): string {
  return text
    .replace(/\bint\b/g, "number")
    .replace(/#(User|Point)\d+/g, "#$1")
    .replace(/\(([^()]*)\)\[\]/g, (_, of: string) => `(${of.split(" | ").sort().join(" | ")})[]`)
    .replace(/\{ ([^{}]*) \}/g, (_, of: string) => `{ ${of.split(", ").sort().join(", ")} }`);
}

test.run();
