/** The errors with a status that a function throws, or a function of the project that it calls: names are followed from file to file. */

import type { Location } from "#runtime/routing/route";
import { type DeclaredFunction, findDeclaredFunction } from "../../source/declared.ts";
import type { SourceModule } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { findValue } from "../../source/names.ts";
import type { Thrown, Use } from "../../source/throws.ts";
import { type Closed, pickField } from "../../source/written.ts";
import { readWrittenModule } from "../../source/written-module.ts";
import {
  DEEPEST,
  findCallee,
  findClass,
  findClassOf,
  findDeclared,
  findMethod,
  isRequest,
} from "../values/callees.ts";
import { close, type Frame, isGlobal, toGiven } from "../values/closing.ts";

/** An error that is an answer. */
export interface ThrownError {
  /** "response": it is a `Response`. "body": the request's body is read. */
  readonly kind: "error" | "response" | "body";
  /** Those of the `HttpError`, with all names followed; of a body the method of the request. */
  readonly arguments: readonly Closed[];
  readonly location: Location;
}

/** A function with what it is called with. */
interface ThrowingFrame extends Frame {
  /** The `throw` around its call. */
  readonly thrown: Location | undefined;
}

/** More would be a program that nobody calls in one handler. */
const MOST_CALLS = 2000;

/** What was found, by the place of the function: a guard is before many routes. */
const alreadyFound = new WeakMap<Modules, Map<Location, readonly ThrownError[]>>();

/** @param location of the function's name. @returns the errors in the order in which they were found. */
export function findThrown(modules: Modules, location: Location): readonly ThrownError[] {
  const known = alreadyFound.get(modules) ?? new Map<Location, readonly ThrownError[]>();
  alreadyFound.set(modules, known);
  const declared = findDeclaredFunction(modules, location);
  const errors = known.get(location) ?? (declared ? followFunction(modules, declared) : []);
  known.set(location, errors);
  return errors;
}

function followFunction(modules: Modules, { module, name }: DeclaredFunction): readonly ThrownError[] {
  const callable = readWrittenModule(module).callable([name]);
  if (callable === undefined) return [];
  const errors: ThrownError[] = [];
  const frames = new Map<string, ThrowingFrame>();
  const call = (called: ThrowingFrame): void => {
    const frame = { ...called, arguments: called.arguments.map((value) => toGiven(value)) };
    const key = keyOf(frame);
    if (frames.size < MOST_CALLS && !frames.has(key)) frames.set(key, frame);
  };
  call({ module, callable, arguments: [], thrown: undefined });
  // The map grows while it is gone through.
  for (const frame of frames.values())
    for (const use of readWrittenModule(frame.module).factsOf(frame.callable).uses)
      followUse(modules, frame, use, errors, call);
  return errors;
}

function keyOf({ module, callable, arguments: given, thrown }: ThrowingFrame): string {
  const values = given.map((value) => (value.kind === "unknown" ? "" : JSON.stringify(value, toPlain)));
  const place = thrown ? `${thrown.file}:${thrown.line}:${thrown.column}` : "";
  return [module.file, callable.start, place, ...values].join("\n");
}

function toPlain(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

function followUse(
  modules: Modules,
  frame: ThrowingFrame,
  use: Use,
  errors: ThrownError[],
  call: (frame: ThrowingFrame) => void,
): void {
  switch (use.kind) {
    case "made":
      followMade(modules, frame, use, errors, call);
      return;
    case "called":
      followCalled(modules, frame, use, errors, call);
      return;
    case "thrown":
      followConstant(modules, frame, use, errors);
      return;
    case "method":
      followMethod(modules, frame, use, errors, call);
      return;
    case "unnamed":
      errors.push(unread(use.location));
  }
}

/** Of the request it reads the body. */
function followMethod(
  modules: Modules,
  frame: ThrowingFrame,
  { of, name, arguments: given, location, thrown }: Extract<Use, { readonly kind: "method" }>,
  errors: ThrownError[],
  call: (frame: ThrowingFrame) => void,
): void {
  if (of.kind === "parameter" && isRequest(modules, frame, of.index)) {
    errors.push({ kind: "body", arguments: [{ kind: "literal", value: name }], location });
    return;
  }
  const owner = findClassOf(modules, frame, of);
  const callee = owner && findMethod(modules, owner, name);
  const closed = given.map((value) => close(modules, frame, value));
  const place = thrown?.isWhole ? placeOf(frame, thrown, location) : undefined;
  if (callee) call({ ...callee, arguments: closed, thrown: place });
}

type CallUse = Extract<Use, { readonly kind: "made" | "called" }>;

function unread(location: Location): ThrownError {
  return { kind: "error", arguments: [], location };
}

/** The `throw` itself; or where the function is called in one, that one. */
function placeOf(
  { thrown: around }: ThrowingFrame,
  thrown: Thrown | undefined,
  location: Location,
): Location {
  return thrown?.location ?? around ?? location;
}

function followMade(
  modules: Modules,
  frame: ThrowingFrame,
  use: CallUse,
  errors: ThrownError[],
  call: (frame: ThrowingFrame) => void,
): void {
  const { path, thrown } = use;
  const given = use.arguments.map((value) => close(modules, frame, value));
  const location = placeOf(frame, thrown, use.location);
  const found = toHttpError(modules, frame.module, path, given);
  if (found) errors.push({ kind: "error", arguments: found, location });
  else if (thrown?.isWhole && isGlobal(modules, frame.module, path, "Response"))
    errors.push({ kind: "response", arguments: given, location });
  const owner = findClass(modules, frame.module, path);
  const callable = owner?.written.methods.get("constructor");
  if (owner && callable) call({ module: owner.module, callable, arguments: given, owner, thrown: undefined });
}

/** @returns the arguments that reach the constructor of `HttpError`; undefined for another class. */
function toHttpError(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  given: readonly Closed[],
  depth = 0,
): readonly Closed[] | undefined {
  if (isHttpError(modules, module, path)) return given;
  const owner = depth < DEEPEST ? findClass(modules, module, path) : undefined;
  if (owner?.written.superPath === undefined) return undefined;
  const { superPath, methods } = owner.written;
  const callable = methods.get("constructor");
  const facts = callable && readWrittenModule(owner.module).factsOf(callable);
  const frame = callable && { module: owner.module, callable, arguments: given, thrown: undefined };
  const passed = frame ? facts?.superCall?.map((value) => close(modules, frame, value)) : given;
  return toHttpError(modules, owner.module, superPath, passed ?? [], depth + 1);
}

function isHttpError(modules: Modules, module: SourceModule, path: readonly string[]): boolean {
  const found = findValue(modules, module, { path });
  return found.kind === "framework" && found.path.join(".") === "HttpError";
}

function followCalled(
  modules: Modules,
  frame: ThrowingFrame,
  { path, arguments: given, location, thrown }: CallUse,
  errors: ThrownError[],
  call: (frame: ThrowingFrame) => void,
): void {
  const callee = findCallee(modules, frame, path);
  if (callee) {
    const closed = given.map((value) => close(modules, frame, value));
    // What a function returns is thrown where it is called.
    const place = thrown?.isWhole ? placeOf(frame, thrown, location) : undefined;
    call({ ...callee, arguments: closed, thrown: place });
  } else if (thrown?.isWhole) {
    const { kind } = findValue(modules, frame.module, { path });
    if (isGlobal(modules, frame.module, path, "Response"))
      errors.push({ kind: "response", arguments: [], location });
    // What packages and engines make is answered with a 500.
    else if (kind === "declared" || kind === "lost" || path[0] === "this")
      errors.push(unread(placeOf(frame, thrown, location)));
  }
}

/** `throw NOT_FOUND` */
function followConstant(
  modules: Modules,
  frame: ThrowingFrame,
  { path, location }: Extract<Use, { readonly kind: "thrown" }>,
  errors: ThrownError[],
): void {
  const found = findDeclared(modules, frame.module, path);
  if (found === undefined) return;
  const value = pickField(readWrittenModule(found.module).constant(found.name), found.rest);
  if (value.kind !== "made") return;
  const outside: ThrowingFrame = { ...frame, module: found.module, arguments: [] };
  const given = value.arguments.map((one) => close(modules, outside, one));
  const passed = toHttpError(modules, found.module, value.path, given);
  if (passed)
    errors.push({ kind: "error", arguments: passed, location: placeOf(frame, undefined, location) });
}
