/** The contract of a project as plain data: what each route takes and gives. OpenAPI, the client, the docs page and the diff are made of it. */

import type { Location, RouteMethod, Segment } from "#runtime/routing/route";
import type { SecurityScheme } from "#runtime/wire/credentials";
import type { Definitions, Notes, Shape } from "#runtime/wire/shape";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

export interface Contract {
  readonly about: About;
  /** In the order of the table. */
  readonly operations: readonly Operation[];
  /** Routes of every method that no other route of their path has: for the comparison of two contracts only. */
  readonly catchAlls?: readonly Operation[];
  /** The shapes of the types with names that the operations take or give. */
  readonly definitions: Definitions;
  /** What comments say of these types. */
  readonly notes: Readonly<Record<string, Notes>>;
  /** What any route sends for a request that is not HTTP, or too large. */
  readonly refused: AnswerBody;
  /** Infos: what is not known, and where. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `[contract]` of `framework.toml`, with a default for what it leaves out. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** As `license` of package.json has it: an SPDX expression, as a rule. */
  readonly license?: string;
  /** URLs. */
  readonly servers: readonly string[];
}

/** One route, as its callers see it. */
export interface Operation extends Prose {
  /** Unique, and a good name for a function: `getUserById`. */
  readonly id: string;
  readonly method: RouteMethod;
  /** As in `/users/by/id/<user_id>`. */
  readonly pattern: string;
  readonly segments: readonly Segment[];
  /** The label of its app; undefined for a route file's. */
  readonly tag?: string;
  readonly handler: string;
  /** Of the handler. */
  readonly location: Location;
  /** The path's params first; then what the functions take, in the order in which they run, each value once. */
  readonly inputs: readonly Input[];
  /** In the order in which they are asked for. */
  readonly credentials: readonly Credential[];
  /** By status, "default" last; never empty. */
  readonly answers: readonly Answer[];
  /** The source does not say all of what its handler returns. */
  readonly isOpen?: true;
}

/** What a comment says. Markdown. */
export interface Prose {
  /** One line. */
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: true;
}

/** With its default, and what `@param` or the comment on its property says. */
export interface Input extends Notes {
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "form";
  /** "" for a body and a form, and for all other keys of a query, of headers or of cookies, with {@link Input.isRest}. */
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
  /**
   * The shape is that of each value whose key no other input has; or, where it is several objects or checks by itself, of all these values
   * together.
   */
  readonly isRest?: true;
  /** Of the parameter. */
  readonly location: Location;
}

export interface Credential {
  readonly scheme: SecurityScheme;
  /** What the comment on the type says that gives it a name. */
  readonly description?: string;
  readonly required: boolean;
  readonly location: Location;
}

export interface Answer {
  /** "default" where the status is not known before it is sent. */
  readonly status: number | "default";
  /** Why it comes, where the source says it: the message of an `HttpError`. */
  readonly description?: string;
  /** One for each media type; empty for no body. JSON first. */
  readonly bodies: readonly AnswerBody[];
  /** The names of headers that come with it, in lower case. */
  readonly headers: readonly string[];
  /** Of what gives it: the return type, a `return`, a `throw`, or the parameter that can be refused. */
  readonly location: Location;
}

/** What one source of answers gives. */
export interface FoundAnswers {
  readonly answers: readonly Answer[];
  /** Bodies that the functions read from the request themselves. */
  readonly inputs?: readonly Input[];
  /** Something of what the handler returns is not known. */
  readonly isOpen?: boolean;
  /** Infos: what is not known, and where. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface AnswerBody {
  /**
   * `application/json`, `text/plain`, `text/event-stream`, `application/octet-stream`, or what a header says. It is the range `*` `/` `*`
   * where nothing is known, as for a `Response`.
   */
  readonly media: string;
  /** Of JSON its value; of events each event's data; of text a string. */
  readonly shape: Shape;
}

/** Nothing is known of it. */
export const ANYTHING: AnswerBody = { media: "*/*", shape: { kind: "unknown" } };
