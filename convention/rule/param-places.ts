/** Handlers whose params are in another place of the path than their name or their file suggests. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { toRouteModule, toRoutePath } from "../layout.ts";
import type { FoundHandler } from "./discovery.ts";
import { formatRouteFile, parseRouteFile } from "./file-naming.ts";
import { formatHandlerName, parseHandlerName, parseMethodExport } from "./naming.ts";
import { isBadName, type NamedSegment, paramsIn } from "./segments.ts";

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
  const unbound = unboundOf(handler);
  const others = handler.parameters.filter(({ name }) => unbound.includes(name));
  if (others.length > 0)
    return others.map(({ name, location }) => diagnose("FW351", { param: `[${name}]`, name }, location));
  const appended = handler.params.filter(({ name }) => !bracketsOf(handler).includes(name));
  const nearly = appended.find(({ name }) => findMeant(name, unbound) !== undefined);
  const { name, location } = nearly ?? appended[0] ?? {};
  const bracket = (nearly && findMeant(nearly.name, unbound)) ?? unbound[0];
  if (name === undefined || location === undefined || bracket === undefined) return [];
  const why = `no parameter is \`[${bracket}]\``;
  const hint =
    nearly === undefined
      ? `Rename \`${name}\` to \`${bracket}\` if you mean the bracket, or add \`${bracket}\` before \`${name}\`.`
      : `Did you mean \`${bracket}\`?`;
  return [diagnose("FW212", { name, pattern, why, hint }, location)];
}

/** `itemId` and `item_id` are the same word to a person. */
function findMeant(name: string, brackets: readonly string[]): string | undefined {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  return brackets.find((bracket) => plain(bracket) === plain(name)) ?? closest(name, brackets);
}

/** Params that the name does not place. Whoever forgot it may not have meant a param: who calls is a number, too. */
function checkWords({ handler, path, params }: FoundHandler, pattern: string): Diagnostic[] {
  const names = params.map(({ name }) => name);
  const meant = suggestPlaced(handler, names);
  const placed = paramsIn(path);
  const unplaced = names.filter((name) => !placed.includes(name));
  const isForgotten = placed.length > 0 && unplaced.length > 0;
  const param = params.find(({ name }) => name === (meant?.param ?? unplaced[0]));
  if (param === undefined || !(meant || isForgotten)) return [];
  const { name, location } = param;
  const why = meant
    ? `\`${meant.text}\` in \`${handler}\` is fixed text`
    : `\`${handler}\` does not place it, so clients choose it`;
  const hint = meant
    ? `Did you mean \`${meant.suggestion}\`? If you mean the text, rename the parameter.`
    : `Did you mean \`${[handler, ...unplaced].join("_$")}\`? If clients must not choose it, write \`${name}: From<typeof …>\` with the provider of the value.`;
  return [diagnose("FW212", { name, pattern, why, hint }, location)];
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
  const appended = params.filter((name) => !paramsIn(parsed.segments).includes(name));
  let { segments } = parsed;
  let first: { readonly text: string; readonly param: string } | undefined;
  for (const param of appended) {
    const found = findWords(segments, param, param === appended[0]);
    if (found === undefined) continue;
    const { at, count, before } = found;
    first ??= { text: `${before}${before && "$"}${param}`, param };
    segments = segments.toSpliced(at, count, ...(before === "" ? [] : [before]), { param });
  }
  const suggestion = first && formatHandlerName({ method: parsed.method, segments }, params);
  return first && typeof suggestion === "string" ? { ...first, suggestion } : undefined;
}

/**
 * Where the words of a param's name are fixed text: `slug` for `$slug`, and `orders$id` for `orders_$id`.
 * @param isFirst its segment follows the words directly. Then `by_id` reads as it is served: /by/id/<id>.
 */
function findWords(
  segments: readonly NamedSegment[],
  param: string,
  isFirst: boolean,
): { readonly at: number; readonly count: number; readonly before: string } | undefined {
  const [word = "", ...others] = param.split("_");
  const count = others.length + 1;
  for (const [at, segment] of segments.entries()) {
    if (typeof segment !== "string" || !others.every((other, index) => segments[at + 1 + index] === other))
      continue;
    const isLabel = isFirst && segments[at - 1] === "by" && at + count === segments.length;
    if (segment === word && !isLabel) return { at, count, before: "" };
    if (segment.endsWith(`$${word}`)) return { at, count, before: segment.slice(0, -word.length - 1) };
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
    "method" in parsed
      ? formatHandlerName({ ...parsed, segments })
      : formatRouteFile({ segments, groups: parsed.groups ?? [] });
  if (typeof other !== "string") return undefined;
  return path === undefined ? `\`${other}\`` : toRouteModule(other);
}
