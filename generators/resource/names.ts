/** The names that the parts of a resource have: its app, its table, its types, and what its comments call it. */

import type { Project } from "#convention/project";
import { isFunctionName } from "#convention/rule/segments";
import { toSingular } from "../code/plural.ts";

export interface ResourceNames {
  /** The folder of its app, as in `book-reviews`. */
  readonly app: string;
  /** As in `book_reviews`; also the key of the list that is sent. */
  readonly table: string;
  /** Of one of them, as in `BookReview`. */
  readonly type: string;
  /** What handlers and tests call one of them, as in `book_review`; `body` where the code needs the name for something else. */
  readonly variable: string;
  /** As in "book review". */
  readonly one: string;
  /** As in "a book review". */
  readonly aOne: string;
  /** As in "book reviews". */
  readonly all: string;
}

/** Types that the generated code needs for itself, or that it would hide. */
const TYPES_IN_USE: readonly string[] = [
  ...["Body", "DateTime", "From", "HttpError", "Max", "MaxLength", "Min", "Query", "Reply", "Request"],
  ...["Array", "Boolean", "Date", "Error", "JSON", "Number", "Object", "Partial", "Promise", "Record"],
  ...["ReturnType", "String", "Symbol"],
];

/** What the generated code calls something else. */
const VARIABLES_IN_USE: readonly string[] = [
  ...["after", "app", "assert", "body", "changes", "columns", "count", "create", "created", "credentials"],
  ...["database", "db", "guarded", "headers", "isEmpty", "parent", "providers", "shown", "taken"],
  ...["deleted", "error", "found", "guard", "id", "ids", "int", "last", "limit", "list", "listed"],
  ...["made", "method", "next", "page", "path", "q", "query", "read", "replace", "reply", "request"],
  ...["response", "row", "rows", "send", "test", "url"],
];

/** They could be variables, but would mislead. */
const MISLEADING =
  /^(?:an?|any|as|async|bigint|boolean|declare|module|number|object|of|process|string|symbol|type|undefined|unknown)$/;

/** The words that begin with a vowel when they are spoken. */
const AFTER_AN = /^(?!one\b|eu)(?:[aeio]|u(?!s|ni|ti|r[il]\b|uid)|hour|honest|heir)/;

/**
 * @param name in the plural as a rule, in lower case, its words joined by `_` or `-`.
 * @example namesOf("book-reviews").type // "BookReview"
 */
export function namesOf(name: string): ResourceNames {
  const words = name.split(/[_-]/);
  const singular = [...words.slice(0, -1), toSingular(words.at(-1) ?? "")];
  const type = singular.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const one = singular.join(" ");
  return {
    app: name,
    table: words.join("_"),
    type: TYPES_IN_USE.includes(type) ? `${type}Row` : type,
    variable: toVariable(singular.join("_")) ?? "body",
    one,
    aOne: `${AFTER_AN.test(one) ? "an" : "a"} ${one}`,
    all: words.join(" "),
  };
}

/** @returns undefined for a name that the code needs for something else. */
function toVariable(name: string): string | undefined {
  const isFree = isFunctionName(name) && !MISLEADING.test(name) && !VARIABLES_IN_USE.includes(name);
  return isFree ? name : undefined;
}

/** The app that a table is named after. @example findOwner(project, "book_reviews") // "book-reviews" */
export function findOwner({ apps }: Pick<Project, "apps">, table: string): string | undefined {
  return apps.find(({ name }) => namesOf(name).table === table)?.name;
}

/** What a test calls a row of another table. @example nameRow("book_reviews") // "book_review" */
export function nameRow(table: string): string {
  const words = table.split("_");
  const one = [...words.slice(0, -1), toSingular(words.at(-1) ?? "")].join("_");
  return toVariable(one) ?? `${one}_row`;
}
