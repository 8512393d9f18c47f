/** Handlers whose params are in another place of the path than their name or their file suggests. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { toRouteModule, toRoutePath } from "../layout.ts";
import type { FoundHandler } from "./discovery.ts";
import {
  formatHandlerName,
  formatRouteFile,
  isBadName,
  type NamedSegment,
  paramsIn,
  parseHandlerName,
  parseMethodExport,
  parseRouteFile,
} from "./naming.ts";

/** @param pattern of the handler's route, for the messages. */
export function checkParams(handler: FoundHandler, pattern: string): Diagnostic[] {
  return handler.convention === "routes" ? checkBrackets(handler, pattern) : checkWords(handler, pattern);
}

/** No parameter could receive the bracket: the one with its name is the request, or has a mark. */
export function takesOtherForBracket(handler: FoundHandler): boolean {
  const unbound = unboundOf(handler);
  return handler.parameters.some(({ name }) => unbound.includes(name));
}

function bracketsOf({ convention, path }: FoundHandler): string[] {
  return convention === "views" ? [] : paramsIn(path);
}

/** The brackets that neither the handler nor one of its providers has as a param. */
function unboundOf(handler: FoundHandler): string[] {
  return bracketsOf(handler).filter((bracket) => !handler.params.some(({ name }) => name === bracket));
}

function checkBrackets(handler: FoundHandler, pattern: string): Diagnostic[] {
  const brackets = bracketsOf(handler);
  if (brackets.length === 0) return [];
  const unbound = unboundOf(handler);
  const free = unbound.filter((bracket) => !handler.parameters.some(({ name }) => name === bracket));
  const others = handler.parameters.flatMap(({ name, location }) => {
    if (!unbound.includes(name)) return [];
    return [diagnose("FW351", { param: `[${name}]`, name }, location)];
  });
  const nearly = handler.params.flatMap(({ name, location }) => {
    const meant = brackets.includes(name) ? undefined : findMeant(name, free);
    if (meant === undefined) return [];
    const why = `\`[${meant}]\` has another name`;
    return [diagnose("FW212", { name, pattern, why, hint: `Did you mean \`${meant}\`?` }, location)];
  });
  const diagnostics = [...others, ...nearly];
  return diagnostics.length > 0 ? diagnostics : checkFreeBracket(handler, free, pattern);
}

/** `itemId` and `item_id` are the same word to a person. */
function findMeant(name: string, brackets: readonly string[]): string | undefined {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  return brackets.find((bracket) => plain(bracket) === plain(name)) ?? closest(name, brackets);
}

function checkFreeBracket(
  handler: FoundHandler,
  [bracket]: readonly string[],
  pattern: string,
): Diagnostic[] {
  const brackets = bracketsOf(handler);
  const appended = handler.params.find(({ name }) => !brackets.includes(name));
  if (bracket === undefined || appended === undefined) return [];
  const { name, location } = appended;
  const why = `no parameter is \`[${bracket}]\``;
  const hint = `Rename \`${name}\` to \`${bracket}\` if you mean the bracket, or add \`${bracket}\` before \`${name}\`.`;
  return [diagnose("FW212", { name, pattern, why, hint }, location)];
}

function checkWords(found: FoundHandler, pattern: string): Diagnostic[] {
  const { params } = found;
  if (params.length === 0) return [];
  const names = params.map(({ name }) => name);
  const meant = suggestPlaced(found.handler, names);
  const param = params.find(({ name }) => name === meant?.param);
  if (meant === undefined || param === undefined) return checkUnplaced(found, pattern);
  const why = `\`${meant.text}\` in \`${found.handler}\` is fixed text`;
  const hint = `Did you mean \`${meant.suggestion}\`? If you mean the text, rename the parameter.`;
  return [diagnose("FW212", { name: meant.param, pattern, why, hint }, param.location)];
}

/** Whoever forgot it in the name may not have meant a param: who calls is a number, too. */
function checkUnplaced({ handler, path, params }: FoundHandler, pattern: string): Diagnostic[] {
  const names = params.map(({ name }) => name);
  const placed = paramsIn(path);
  const [param] = params.filter(({ name }) => !placed.includes(name));
  if (placed.length === 0 || param === undefined) return [];
  const suggestion = [handler, ...names.filter((name) => !placed.includes(name))].join("_$");
  const { name } = param;
  const why = `\`${handler}\` does not place it, so clients choose it`;
  const hint = `Did you mean \`${suggestion}\`? If clients must not choose it, write \`${name}: From<typeof …>\` with the provider of the value.`;
  return [diagnose("FW212", { name, pattern, why, hint }, param.location)];
}

interface Placed {
  /** The fixed text that looks like the param. */
  readonly text: string;
  readonly param: string;
  /** The handler's name with the params in their places. */
  readonly suggestion: string;
}

/**
 * The name that a handler's name was probably meant to be, where it has a param's name as fixed text.
 * @example suggestPlaced("get_slug_comments", ["slug"]) // { text: "slug", param: "slug", suggestion: "get_$slug_comments" }
 */
export function suggestPlaced(handler: string, params: readonly string[]): Placed | undefined {
  const parsed = parseHandlerName(handler, params);
  if (isBadName(parsed)) return undefined;
  const placed = paramsIn(parsed.segments);
  const appended = params.filter((name) => !placed.includes(name));
  let { segments } = parsed;
  let first: Misread | undefined;
  for (const name of appended) {
    const found = findMisread(segments, name, name === appended[0]);
    if (found === undefined) continue;
    first ??= found;
    segments = segments.toSpliced(found.at, found.count, ...found.meant);
  }
  const suggestion = first && formatHandlerName({ method: parsed.method, segments }, params);
  return typeof suggestion === "string" && first
    ? { text: first.text, param: first.param, suggestion }
    : undefined;
}

/** Segments that look like a param. */
interface Misread {
  readonly param: string;
  readonly text: string;
  readonly at: number;
  readonly count: number;
  readonly meant: readonly NamedSegment[];
}

/**
 * Finds the words of a param's name as fixed text: `slug` for `$slug`, and `orders$id` for `orders_$id`.
 * @param isFirst whether its segment follows the words directly. Then `by_id` reads as it is served: /by/id/<id>.
 */
function findMisread(
  segments: readonly NamedSegment[],
  param: string,
  isFirst: boolean,
): Misread | undefined {
  const [word = "", ...others] = param.split("_");
  const count = others.length + 1;
  for (const [at, segment] of segments.entries()) {
    if (typeof segment !== "string" || !others.every((other, index) => segments[at + 1 + index] === other))
      continue;
    const isLabel = isFirst && segments[at - 1] === "by" && at + count === segments.length;
    const text = [segment, ...others].join("_");
    if (segment === word && !isLabel) return { param, text, at, count, meant: [{ param }] };
    if (segment.endsWith(`$${word}`))
      return { param, text, at, count, meant: [segment.slice(0, -word.length - 1), { param }] };
  }
  return undefined;
}

const ITEM: NamedSegment = { param: "id" };

/**
 * The name, or the file, that a second handler of one name can have, where the first one is for a list and it is for an item.
 * @returns undefined where the name is not a handler's.
 */
export function suggestOtherName(name: string, file: string): string | undefined {
  const path = toRoutePath(file);
  const parsed =
    path === undefined ? parseHandlerName(name) : parseMethodExport(name) && parseRouteFile(path);
  if (parsed === undefined || isBadName(parsed)) return undefined;
  const segments = [...parsed.segments, ITEM];
  const other =
    "method" in parsed ? formatHandlerName({ ...parsed, segments }) : formatRouteFile({ segments });
  if (typeof other !== "string") return undefined;
  return path === undefined ? `\`${other}\`` : toRouteModule(other);
}
