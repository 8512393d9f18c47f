/** Serves the OpenAPI contract and its docs page from texts in memory. */

import type { Exchange } from "./message/exchange.ts";
import { hasTag } from "./message/headers.ts";
import { type Answer, emptyAnswer, errorAnswer } from "./message/result.ts";

/** A text and all its response headers. */
export interface DocsFile {
  readonly text: string;
  readonly headers: readonly string[];
  /** The value of the `ETag` in the headers. */
  readonly tag: string;
}

/** The files by path. A function creates its file on demand. */
export type DocsFiles = Readonly<Record<string, DocsFile | (() => Promise<DocsFile>)>>;

type DocsRequest = Pick<Exchange, "method" | "path" | "header">;

/** @returns undefined for a path that has no file. */
export type Docs = (exchange: DocsRequest) => Answer | Promise<Answer> | undefined;

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
      ? file().then((created) => answer(created, exchange))
      : answer(file, exchange);
  };
}

function answer({ headers, tag, text }: DocsFile, exchange: DocsRequest): Answer {
  if (hasTag(exchange.header("if-none-match") ?? "", tag)) return emptyAnswer(304, headers);
  return { status: 200, headers, body: text };
}
