/** The types between the app and a project's wire module, which has the inputs of each route, with the code that reads them. */

import type { Exchange } from "../message/exchange.ts";
import type { Location } from "../routing/route.ts";
import type { Routed } from "../routing/router-tree.ts";
import type { RequestReader, TextPlace } from "./request-reader.ts";
import type { Definitions, Shape } from "./shape.ts";

/** What the wire module of a project exports, by `"GET /users/<id:int>"`, for each route that has some of it. */
export interface WireModule {
  readonly pathChecks: Readonly<Record<string, Routed["fits"]>>;
  readonly routeInputs: Readonly<Record<string, RouteInputs>>;
}

export interface RouteInputs extends FunctionInputs {
  /** All that the takes refer to; the same object for all routes of a module. */
  readonly definitions: Definitions;
  /** For each of the route's calls, in their order. Missing for one that takes nothing. */
  readonly calls?: readonly (FunctionInputs | undefined)[];
}

export type Place = "body" | "form" | "query" | "header" | "cookie" | "bearer" | "basic" | "api-key";

/** One parameter with a mark. */
export interface DeclaredInput {
  readonly in: Place;
  /** The parameter's name; "" for one that is destructured. */
  readonly name: string;
  /**
   * What the request calls the value: the query's or the form's key, the cookie's name, the header's name in lower case. Missing where
   * the shape is an object whose keys are the names, and for a body.
   */
  readonly key?: string;
  readonly shape: Shape;
  /** The handler is given `undefined` where the request has none. */
  readonly optional: boolean;
  /** The parameter's default, if it is a literal. For who reads the contract: the handler has it anyway. */
  readonly default?: string | number | boolean | null;
}

/** An input, with the code for it. */
export interface BoundInput extends DeclaredInput {
  /** Gives what the request has, converted and unchecked; undefined where it has nothing. Missing for a credential. */
  readonly value?: (reader: RequestReader) => unknown;
  /** Checks the value, if its type is a Standard Schema. */
  readonly schema?: StandardSchema;
}

/** Reads what one function is called with: the handler, a provider or a guard. */
export interface FunctionInputs {
  readonly takes: readonly BoundInput[];
  /**
   * @returns the function's arguments in declared order; undefined where something does not fit. A promise where a Standard Schema is asked.
   * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
   */
  read(reader: RequestReader): readonly unknown[] | undefined | Promise<readonly unknown[] | undefined>;
}

/** A provider or a guard, with the project's function. */
export interface BoundCall {
  readonly kind: "provider" | "guard";
  /** As messages call it: `requireUser`, `guard`. */
  readonly name: string;
  readonly location: Location;
  /** It runs before the request's body is read: it is a guard, or a guard needs it. */
  readonly isEarly: boolean;
  /** The indices of the calls whose values it is given. */
  readonly provided: readonly number[];
  // biome-ignore lint/suspicious/noExplicitAny: the signature was read from the source text.
  readonly run: (...args: any[]) => unknown;
}

/** What we use of https://standardschema.dev. */
export interface StandardSchema {
  readonly "~standard": { validate(input: unknown): SchemaAnswer | Promise<SchemaAnswer> };
}

/** The value, or what is wrong with it. */
export interface SchemaAnswer {
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
}

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Takes off the wire what the handler declares, calls it, and gives what it returns.
 *
 * @throws {HttpError} 400, 401, 413, 415 or 422, or a promise that rejects with it: the handler is not called then.
 */
export interface Serve {
  (
    // biome-ignore lint/suspicious/noExplicitAny: the signature was read from the source text.
    handler: (...args: any[]) => unknown,
    exchange: Exchange,
  ): unknown;
  /** What it is made of, where something runs before the handler. A test makes another one, with some of it replaced. */
  readonly parts?: ServeParts;
}

export interface ServeParts {
  readonly inputs: RouteInputs;
  readonly calls: readonly BoundCall[];
  /** The indices of the calls whose values the handler is given. */
  readonly provided: readonly number[];
  toServe(inputs: RouteInputs, calls: readonly BoundCall[], provided: readonly number[]): Serve;
}

/** One way in which a value does not fit its shape, as the client gets it. */
export interface Issue {
  readonly in: "body" | TextPlace;
  /** A JSON pointer (RFC 6901) to the value; "" for all of it. */
  readonly pointer: string;
  readonly code: IssueCode;
  /** As in "at least 3 characters". It never repeats the value. */
  readonly message: string;
}

export type IssueCode =
  | "type"
  | "required"
  | "one_of"
  | "min"
  | "max"
  | "exclusive_min"
  | "exclusive_max"
  | "multiple_of"
  | "min_length"
  | "max_length"
  | "pattern"
  | "format"
  | "min_items"
  | "max_items"
  | "unique_items"
  /** Given more than once, where one value is asked for. */
  | "repeated"
  /** Said by a Standard Schema. */
  | "schema";
