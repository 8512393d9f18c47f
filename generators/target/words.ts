/** Reads what a person types after `generate`: params such as `item_id:int`, and paths such as `/items/<item_id>`. */

import { closest } from "#convention/diagnostics/closest";
import { meantType as meantParamType } from "#convention/rule/param-types";
import { badParamName, type NamedSegment } from "#convention/rule/segments";
import type { Param, ParamType } from "#runtime/routing/route";
import type { HandlerParam, HandlerParameter, TypeWord } from "../code/handlers.ts";
import { refuseWord } from "../refused.ts";

export type PathPart = string | HandlerParam;

/** A part of a path as a name spells it. */
export function toNamed(part: PathPart): NamedSegment {
  if (typeof part === "string") return part;
  return isWhole(part) ? { param: part.name, whole: true } : { param: part.name };
}

function isWhole({ type }: HandlerParam): boolean {
  return type === "string[]" || type === "str[]";
}

const TYPE_WORDS: readonly TypeWord[] = ["int", "str", "number", "string", "string[]"];

export function toParamType(type: TypeWord): ParamType {
  if (type === "string[]" || type === "str[]") return "str[]";
  return type === "int" || type === "number" ? "int" : "str";
}

/** As most people write it. */
export function toTypeWord(type: ParamType): TypeWord {
  return type === "str" ? "string" : type === "str[]" ? "string[]" : type;
}

/** The params of a route. */
export function toParams(wanted: readonly HandlerParameter[]): readonly Param[] {
  return wanted
    .filter((one) => one !== "request")
    .map(({ name, type }) => ({ name, type: toParamType(type ?? "string") }));
}

/** @example parseParams(["item_id:int", "request"]) // [{ name: "item_id", type: "int" }, "request"] */
export function parseParams(words: readonly string[]): readonly HandlerParameter[] {
  const parameters = words.map(parseParam);
  refuseRepeated(parameters);
  return parameters;
}

function parseParam(word: string): HandlerParameter {
  const [, name = "", type] = /^([^:]*)(?::(.*))?$/s.exec(word) ?? [];
  if (name === "request" && (type === undefined || type === "Request")) return "request";
  const bad = badParamName(name);
  if (bad !== undefined) refuseWord(bad.why, bad.hint);
  const known = TYPE_WORDS.find((one) => one === type);
  if (known !== undefined || type === undefined) return { name, type: known };
  const nearest = meantType(type);
  return refuseWord(
    `\`${type}\` is not a type that a segment of a path can have`,
    nearest === undefined
      ? "The types are int and number for digits, str and string for text."
      : `Did you mean \`${name}:${nearest}\`?`,
  );
}

/** The same suggestion as for a handler's signature. */
function meantType(word: string): string | undefined {
  const known = meantParamType(word);
  return TYPE_WORDS.find((type) => type === known) ?? closest(word, TYPE_WORDS);
}

/** The first name that two parameters share. */
export function findRepeated(parameters: readonly HandlerParameter[]): string | undefined {
  const names = parameters.map((one) => (one === "request" ? one : one.name));
  return names.find((name, index) => names.indexOf(name) !== index);
}

function refuseRepeated(parameters: readonly HandlerParameter[]): void {
  const repeated = findRepeated(parameters);
  if (repeated !== undefined) refuseWord(`\`${repeated}\` is given twice`, "Give each param its own name.");
}

/**
 * A path as `routes list` prints it, or as a route file spells it; the slash in front may be missing.
 *
 * @example parsePath("/users/<user_id:int>") // ["users", { name: "user_id", type: "int" }]
 */
export function parsePath(path: string): readonly PathPart[] {
  const texts = path
    .split("/")
    .filter((text, index, all) => text !== "" || (index > 0 && index < all.length - 1));
  const parts = texts.map(parsePart);
  refuseRepeated(parts.filter((part) => typeof part !== "string"));
  return parts;
}

function parsePart(text: string): PathPart {
  const whole = /^\*([^*]+)$|^\[\.{3}(.+)\]$/.exec(text)?.slice(1).join("");
  const inner = whole ?? /^<(.*)>$/.exec(text)?.[1] ?? /^\[(.*)\]$/.exec(text)?.[1];
  const foreign = /^(?::(\w+)|\{(\w+)\})$/.exec(text);
  if (foreign !== null)
    refuseWord(
      `\`${text}\` is not a param`,
      `Write it <${foreign[1] ?? foreign[2]}>, in quotes for the shell.`,
    );
  const part = inner === undefined ? text : parseParam(whole === undefined ? inner : `${whole}:string[]`);
  if (part === "request" && inner !== undefined)
    refuseWord("A param can't be named `request`", "Name it for what it holds, such as <request_id>.");
  return part;
}

/**
 * Merges the params of a path with those given as words. A word with the name of one in the path gives its type; any other is a
 * further parameter.
 */
export function mergeParams(
  inPath: readonly HandlerParam[],
  words: readonly HandlerParameter[],
): readonly HandlerParameter[] {
  const typed = inPath.map((param) => {
    const word = words.find((one) => one !== "request" && one.name === param.name);
    if (word === undefined || word === "request") return param;
    if (isWhole(param) && word.type !== undefined && !isWhole(word))
      refuseWord(
        `\`${param.name}\` is all that is left of the path, which is a list of texts`,
        `Leave out \`:${word.type}\`, or write \`[${param.name}]\` for one segment.`,
      );
    return { name: param.name, type: word.type ?? param.type };
  });
  const further = words.filter(
    (one) => one !== "request" && !inPath.some((param) => param.name === one.name),
  );
  return words.includes("request") && inPath.length > 0
    ? ["request", ...typed, ...further]
    : [...typed, ...words.filter((one) => one === "request" || further.includes(one))];
}
