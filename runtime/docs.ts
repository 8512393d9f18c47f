/** Answers for the contract and its docs page: texts that exist before anybody asks for them. */

import type { Exchange } from "./message/exchange.ts";
import { hasTag } from "./message/headers.ts";
import { type Answer, emptyAnswer, errorAnswer } from "./message/result.ts";

/** A text with all headers that go out with it. */
export interface DocsFile {
  readonly text: string;
  readonly headers: readonly string[];
  /** The value of its `ETag`, which is among the headers. */
  readonly tag: string;
}

/** By path. A function makes its file when somebody asks for it. */
export type DocsFiles = Readonly<Record<string, DocsFile | (() => Promise<DocsFile>)>>;

type Asked = Pick<Exchange, "method" | "path" | "header">;

/** @returns undefined for a path that has no file. */
export type Docs = (exchange: Asked) => Answer | Promise<Answer> | undefined;

const ALLOW = ["Allow", "GET, HEAD, OPTIONS"] as const;

/** @example createDocs({ "/openapi.json": { text: "{}", headers: ["ETag", '"1"'], tag: '"1"' } }) */
export function createDocs(files: DocsFiles): Docs {
  const byPath = new Map(Object.entries(files));
  return (exchange) => {
    const file = byPath.get(exchange.path);
    if (file === undefined) return undefined;
    if (exchange.method === "OPTIONS") return emptyAnswer(204, ALLOW);
    if (exchange.method !== "GET" && exchange.method !== "HEAD")
      return errorAnswer(405, "Method Not Allowed", ALLOW);
    return typeof file === "function"
      ? file().then((made) => answer(made, exchange))
      : answer(file, exchange);
  };
}

function answer({ headers, tag, text }: DocsFile, exchange: Asked): Answer {
  if (hasTag(exchange.header("if-none-match") ?? "", tag)) return emptyAnswer(304, headers);
  return { status: 200, headers, body: text };
}
