/** Compares an answer with what the return type of its handler allows. */

import type { Answer as DeclaredAnswer } from "#convention/contract/contract";
import type { Declared } from "#convention/contract/declared";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { unescapeKey } from "#runtime/escape";
import { HttpError } from "#runtime/message/errors";
import type { ValidationIssue } from "#runtime/message/issue";
import type { Answer } from "#runtime/message/result";
import type { Source } from "#runtime/message/stream";
import type { Route } from "#runtime/routing/route";
import { JSON_MEDIA } from "#runtime/wire/body";
import { findIssuesOf, listWords } from "#runtime/wire/issues";
import type { Definitions, Shape } from "#runtime/wire/shape";

export interface Difference {
  /** A JSON pointer; "" for all of the body. */
  readonly pointer: string;
  readonly code: ValidationIssue["code"] | "status" | "media";
  /** As in "/user/name: a string, but got null". */
  readonly text: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** What was compared, where the type says how it looks. */
  readonly compared?: { readonly value: unknown; readonly shape: Shape };
}

const ALIKE: Comparison = { differences: [] };

/** What the framework itself writes for a text and for JSON: a handler with headers of its own knows what it sends. */
const OWN_MEDIA = /^(?:text\/plain|application\/json); charset=utf-8$/;

/** What is wrong with a result of a route, as a diagnostic at its handler. */
export function diagnoseDifferences(
  { method, pattern, location }: Pick<Route, "method" | "pattern" | "location">,
  [first, ...more]: readonly Difference[],
): Diagnostic | undefined {
  if (first === undefined) return undefined;
  const what = more.length === 0 ? first.text : `${first.text}, and ${more.length} more`;
  return diagnose("FW970", { route: `${method} ${pattern}`, what }, location);
}

/** @param answer as it is sent: what `toJSON` gives and what JSON leaves out are seen as clients see them. */
export function compareAnswer(answer: Answer<Source>, { answers, definitions }: Declared): Comparison {
  const { body, status } = answer;
  const declared = findAnswer(answers, status);
  if (declared === undefined)
    return answers.length === 0 ? ALIKE : differ("status", describeStatus(status, answers));
  if (typeof body !== "string" || declared.bodies.some(({ media }) => media === "*/*")) return ALIKE;
  const type = contentTypeOf(answer);
  const isJson = JSON_MEDIA.pattern.test(type);
  const found = declared.bodies.find(({ media }) => JSON_MEDIA.pattern.test(media) === isJson);
  if (found === undefined) return OWN_MEDIA.test(type) ? differ("media", describeMedia(isJson)) : ALIKE;
  const { shape } = found;
  // A text that `reply` sends as JSON is still a text for its type.
  if (isJson && compareValue(body, shape, definitions).length === 0) return ALIKE;
  const value: unknown = isJson ? parseJson(body) : body;
  // The headers say JSON, but the handler wrote the text itself.
  if (value === undefined) return differ("media", "the body: JSON, but got a text that is not JSON");
  return { differences: compareValue(value, shape, definitions), compared: { value, shape } };
}

function findAnswer(answers: readonly DeclaredAnswer[], status: number): DeclaredAnswer | undefined {
  return answers.find((one) => one.status === status) ?? answers.find((one) => one.status === "default");
}

function differ(code: Difference["code"], text: string): Comparison {
  return { differences: [{ pointer: "", code, text }] };
}

function describeStatus(status: number, answers: readonly DeclaredAnswer[]): string {
  return `the status: ${listWords(answers.map((one) => String(one.status)))}, but got ${status}`;
}

function describeMedia(isJson: boolean): string {
  return isJson ? "the body: not JSON, but got JSON" : "the body: JSON, but got a text";
}

/** @returns undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function contentTypeOf({ headers }: Answer<Source>): string {
  const at = headers.findIndex((word, index) => index % 2 === 0 && word.toLowerCase() === "content-type");
  return at === -1 ? "" : (headers[at + 1] ?? "");
}

function compareValue(value: unknown, shape: Shape, definitions: Definitions): readonly Difference[] {
  try {
    return findIssuesOf(value, shape, definitions).map(({ pointer, code, message }) => ({
      pointer,
      code,
      text: `${pointer || "the body"}: ${message}${code === "required" ? "" : `, but got ${describeAt(value, pointer)}`}`,
    }));
  } catch (error) {
    // What a request may not have, such as a key `__proto__`, an answer may.
    if (error instanceof HttpError) return [];
    throw error;
  }
}

function describeAt(value: unknown, pointer: string): string {
  const keys = pointer.split("/").slice(1);
  const found = keys.reduce<unknown>((inner, key) => Object(inner)[unescapeKey(key)], value);
  if (Array.isArray(found)) return "an array";
  if (typeof found === "object" && found !== null) return "an object";
  return shorten(JSON.stringify(found));
}

/** A text may be long, and much of it secret. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
