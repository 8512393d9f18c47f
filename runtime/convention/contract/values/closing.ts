/** Follows the names in what is written: what a value comes to for one call of the function that it is written in. */

import type { SourceModule } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { findValue } from "../../source/names.ts";
import { type Closed, joinTemplate, pickField, UNWRITTEN, type Written } from "../../source/written.ts";
import { readWrittenModule } from "../../source/written-module.ts";
import { type Callee, DEEPEST, findDeclared } from "./callees.ts";

/** A function with what it is called with. */
export interface Frame extends Callee {
  readonly arguments: readonly Closed[];
}

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
      return UNWRITTEN;
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
