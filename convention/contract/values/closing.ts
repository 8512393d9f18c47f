/** Follows the names in what is written: what a value comes to for one call of the function that it is written in. */

import type { SourceModule } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { findValue } from "../../source/names.ts";
import {
  type Closed,
  joinTemplate,
  pickField,
  UNWRITTEN,
  type Written,
  type WrittenCall,
} from "../../source/written.ts";
import { readWrittenModule } from "../../source/written-module.ts";
import { type Callee, DEEPEST, findCallee, findDeclared } from "./callees.ts";

/** A function with what it is called with. */
export interface Frame extends Callee {
  readonly arguments: readonly Closed[];
}

/** A function may call itself more than once, so calls go less deep than names. */
const DEPTH_OF_CALL = 5;

/** Follows each name in a value. */
export function close(modules: Modules, frame: Frame, value: Written, depth = 0): Closed {
  if (depth > DEEPEST) return UNWRITTEN;
  const inner = (one: Written): Closed => close(modules, frame, one, depth + 1);
  switch (value.kind) {
    case "parameter": {
      const { defaults } = readWrittenModule(frame.module).factsOf(frame.callable);
      const given = frame.arguments[value.index] ?? inner(defaults[value.index] ?? UNWRITTEN);
      return given.kind === "unknown" ? typedText(frame, value.index) : given;
    }
    case "name":
      return closeName(modules, frame, value.path, depth);
    case "either":
    case "list":
      return { kind: value.kind, of: value.of.map(inner) };
    case "object":
      return { ...value, fields: new Map([...value.fields].map(([name, field]) => [name, inner(field)])) };
    case "template":
      return joinTemplate(value, inner);
    case "made":
      return isGlobal(modules, frame.module, value.path, "Headers")
        ? inner(value.arguments[0] ?? UNWRITTEN)
        : UNWRITTEN;
    case "called":
      return closeCalled(modules, frame, value, depth + DEPTH_OF_CALL);
    default:
      return value;
  }
}

/** How many objects and lists may be in one another. */
const DEEPEST_GIVEN = 5;

/** What a function is given, without what is too deep in it: one that calls itself with more each time would have no end. */
export function toGiven(value: Closed, depth = 0): Closed {
  const inner = (one: Closed): Closed => toGiven(one, depth + 1);
  switch (value.kind) {
    case "either":
    case "list":
      return depth === DEEPEST_GIVEN ? UNWRITTEN : { kind: value.kind, of: value.of.map(inner) };
    case "object":
      if (depth === DEEPEST_GIVEN) return UNWRITTEN;
      return { ...value, fields: new Map([...value.fields].map(([name, field]) => [name, inner(field)])) };
    default:
      return value;
  }
}

/** A parameter that is a text, whatever it says. */
function typedText({ callable }: Frame, index: number): Closed {
  const param = callable.params[index];
  const type = param?.type === "Identifier" ? param.typeAnnotation : undefined;
  const isText = type?.type === "TSTypeAnnotation" && type.typeAnnotation.type === "TSStringKeyword";
  return isText && param?.type === "Identifier" ? { kind: "text", text: `{${param.name}}` } : UNWRITTEN;
}

function closeName(modules: Modules, frame: Frame, path: readonly string[], depth: number): Closed {
  const found = findDeclared(modules, frame.module, path);
  if (found === undefined) return UNWRITTEN;
  const constant = readWrittenModule(found.module).constant(found.name);
  const value = pickField(constant, found.rest);
  return close(modules, { ...frame, module: found.module, arguments: [] }, value, depth + 1);
}

/** What a function of the project returns. */
function closeCalled(
  modules: Modules,
  frame: Frame,
  { path, arguments: given }: WrittenCall,
  depth: number,
): Closed {
  const callee = findCallee(modules, frame, path);
  if (callee === undefined || ("generator" in callee.callable && callee.callable.generator)) return UNWRITTEN;
  const { gives } = readWrittenModule(callee.module).factsOf(callee.callable);
  const called: Frame = { ...callee, arguments: given.map((one) => close(modules, frame, one, depth)) };
  const [first = UNWRITTEN, ...others] = gives.map((one) => close(modules, called, one, depth));
  return others.length === 0 ? first : { kind: "either", of: [first, ...others] };
}

export function isGlobal(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  name: string,
): boolean {
  return path[0] === name && findValue(modules, module, { path }).kind === "global";
}

/** The branches of `?:`, and of what is like it. */
export function alternativesOf(value: Closed): readonly Closed[] {
  return value.kind === "either" ? value.of.flatMap((one) => alternativesOf(one)) : [value];
}
