/** The types of a project's wire module: the declared inputs of each route, with the generated code that reads and checks them. */

import type { Exchange } from "../message/exchange.ts";
import type { Location } from "../routing/route.ts";
import type { Routed } from "../routing/router-tree.ts";
import type { CredentialPlace, KeyPlace } from "./credentials.ts";
import type { RequestReader, TextPlace } from "./request-reader.ts";
import type { Definitions, Shape } from "./shape.ts";

/** The exports of a wire module, by route as in `"GET /users/<id:int>"`. Routes without checks or inputs are left out. */
export interface WireModule {
  readonly pathChecks: Readonly<Record<string, Routed["fits"]>>;
  readonly routeInputs: Readonly<Record<string, RouteInputs>>;
}

export interface RouteInputs extends FunctionInputs {
  /** The definitions that input shapes refer to; one object for all routes of a module. */
  readonly definitions: Definitions;
  /** The inputs of the route's guards and providers, by index of the call; undefined for a call without inputs. */
  readonly calls?: readonly (FunctionInputs | undefined)[];
}

export type Place = "body" | TextPlace | CredentialPlace;

/** A parameter with a mark. */
export interface DeclaredInput {
  readonly in: Place;
  /** The parameter's name; "" if it is destructured. */
  readonly name: string;
  /**
   * The name of the value in the request: the query's or the form's key, the cookie's name, the header's name in lower case, the scheme
   * of `Authorization`. Missing if the shape is an object whose keys are the names, and for a body.
   */
  readonly key?: string;
  /** The place of an API key; missing for a header. */
  readonly from?: KeyPlace;
  readonly shape: Shape;
  /** True if the request may lack the value: the handler then receives `undefined`. */
  readonly optional: boolean;
  /** The parameter's default, if it is a literal: for the contract only. */
  readonly default?: string | number | boolean | null;
}

/** A declared input with its generated code. */
export interface BoundInput extends DeclaredInput {
  /** Reads the converted but unchecked value; undefined if the request lacks it. Missing for a credential. */
  readonly value?: (reader: RequestReader) => unknown;
  /** The Standard Schema that validates the value, if its type is one. */
  readonly schema?: StandardSchema;
}

/** The inputs of one function: a handler, a provider or a guard. */
export interface FunctionInputs {
  readonly takes: readonly BoundInput[];
  /**
   * @returns the checked arguments in declared order; undefined if one is invalid. A promise if a Standard Schema validates one.
   * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
   */
  read(reader: RequestReader): readonly unknown[] | undefined | Promise<readonly unknown[] | undefined>;
}

/** A provider or a guard of the project. */
export interface BoundCall {
  readonly kind: "provider" | "guard";
  /** The name in messages, such as `requireUser` or `guard`. */
  readonly name: string;
  readonly location: Location;
  /** True if the call runs before the body is read: a guard, or a provider that a guard needs. */
  readonly isEarly: boolean;
  /** The indices of the calls whose values it receives. */
  readonly provided: readonly number[];
  // biome-ignore lint/suspicious/noExplicitAny: the signature was read from the source text.
  readonly run: (...args: any[]) => unknown;
}

/** The part of https://standardschema.dev that is used here. */
export interface StandardSchema {
  readonly "~standard": { validate(input: unknown): SchemaAnswer | Promise<SchemaAnswer> };
}

/** The output of a schema, or its issues. */
export interface SchemaAnswer {
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
}

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Reads the declared inputs of a request, calls the guards, the providers and the handler, and returns the handler's result.
 *
 * @throws {HttpError} 400, 401, 413, 415 or 422 without calling the handler; or returns a promise that rejects with it.
 */
export interface Serve {
  (
    // biome-ignore lint/suspicious/noExplicitAny: the signature was read from the source text.
    handler: (...args: any[]) => unknown,
    exchange: Exchange,
  ): unknown;
  /** The arguments of `toServe`, if the route has guards or providers. Tests use them to replace some of these. */
  readonly parts?: ServeParts;
}

export interface ServeParts {
  readonly inputs: RouteInputs;
  readonly calls: readonly BoundCall[];
  /** The indices of the calls whose values the handler receives. */
  readonly provided: readonly number[];
  toServe(inputs: RouteInputs, calls: readonly BoundCall[], provided: readonly number[]): Serve;
}
