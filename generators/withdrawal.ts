/** Takes out of a source file what a generator wrote into it, as long as that is unedited: the inverse of `source.ts`. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Location, Route } from "#runtime/core/routing/route";
import type { Change } from "./changes/changes.ts";
import {
  type HandlerBlueprint,
  type HandlerParameter,
  handlerBlueprint,
  typesOf,
} from "./source/blueprints.ts";
import { applyEdits, type Edit, type Region, removeBlock } from "./source/edits.ts";
import { type FrameworkType, importedTypes, withoutTypes } from "./source/imports.ts";
import { type FunctionOutline, isUnreadable, type Outline, readOutline } from "./source/outline.ts";
import { diagnoseUnreadable } from "./source/source.ts";
import { applyStyle, detectStyle, type Layout, type Style, WIDTHS } from "./source/style.ts";
import { readUses } from "./source/uses.ts";

/** A handler or test that differs from what a generator writes. */
export interface Edited {
  readonly what: string;
  readonly location: Location;
  /** Null where no generator could have written it. */
  readonly difference: Difference | null;
}

/** Changes of some of the files, and what to say about them. */
export interface FileChanges {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** What taking code out changes, and the code that stays because it was edited. */
export interface CodeRemoval extends FileChanges {
  readonly edited: readonly Edited[];
}

/** Part of a file that differs from what a generator writes, and the edit that would undo that. */
export interface Difference {
  readonly file: string;
  readonly text: string;
  readonly edit: Edit;
}

/** What is left of a file without the handlers; the whole file, if one of them was edited. */
export interface Withdrawal {
  readonly text: string;
  readonly edited: readonly Edited[];
}

/**
 * Compares part of a file with what a generator writes, in any of the widths that formatters are commonly set to.
 *
 * @param write gives the blueprint in a layout.
 * @returns undefined where they are the same.
 */
export function findDifference(
  file: string,
  text: string,
  { start, end }: Region,
  style: Style,
  write: (layout: Layout) => string,
): Difference | undefined {
  const layouts: readonly Layout[] = [style, ...WIDTHS.map((width) => ({ ...style, width }))];
  const texts = layouts.map((layout) => applyStyle(write(layout), style).slice(0, -style.eol.length));
  if (texts.includes(text.slice(start, end))) return undefined;
  return { file, text, edit: { start, end, text: texts[0] ?? "" } };
}

/**
 * Takes the handlers of routes out of their file, with the imports that nothing else uses.
 *
 * @param fallback decides what the file itself does not show.
 * @returns what is left, or why the file can't be edited.
 */
export function withdrawHandlers(
  file: string,
  text: string,
  routes: readonly Route[],
  fallback: Style,
): Withdrawal | Diagnostic {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return diagnoseUnreadable(file, outline);
  const style = detectStyle(text, fallback);
  const edited = routes.flatMap((route): Edited[] => {
    const what = `\`${route.handler}\``;
    const found = outline.functions.get(route.handler);
    if (found === undefined) return [{ what, location: route.location, difference: null }];
    const blueprint = toBlueprint(text, outline, route, found);
    const write = (layout: Layout): string => handlerBlueprint(blueprint, importedTypes(outline), layout);
    const difference = findDifference(file, text, found, style, write);
    return difference === undefined ? [] : [{ what, location: route.location, difference }];
  });
  if (edited.length > 0) return { text, edited };
  const left = routes.reduce((rest, route) => withdrawHandler(rest, route, fallback), text);
  return { text: left, edited };
}

function withdrawHandler(text: string, route: Route, fallback: Style): string {
  const outline = outlineOf(text);
  const found = outline.functions.get(route.handler);
  if (found === undefined) return text;
  const left = applyEdits(text, [removeBlock(text, found)]);
  const unused = unusedTypes(left, outline, toBlueprint(text, outline, route, found));
  return unused.size === 0 ? left : withoutTypes(left, outlineOf(left), unused, detectStyle(text, fallback));
}

/** The file's names for the types of the handler's signature that nothing uses any more. */
function unusedTypes(left: string, outline: Outline, blueprint: HandlerBlueprint): ReadonlySet<string> {
  const uses = readUses(left);
  const names = importedTypes(outline);
  const locals = typesOf([blueprint]).flatMap((type) => names.get(type) ?? []);
  return new Set(locals.filter((local) => !uses.has(local)));
}

/** Of a text from which only whole functions were removed, so it can still be parsed. */
function outlineOf(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`What was taken out left a syntax error: ${outline.reason}`);
  return outline;
}

/** The blueprint that would write such a function. */
function toBlueprint(
  text: string,
  outline: Outline,
  { method, handler, pattern }: Route,
  { start, parameters }: FunctionOutline,
): HandlerBlueprint {
  const types = new Map([...importedTypes(outline)].map(([type, local]) => [local, type]));
  return {
    method,
    name: handler,
    comment: text.startsWith("/", start) ? `${method} ${pattern}` : null,
    parameters: parameters.flatMap((one) => (one === undefined ? [] : toParameter(one, types))),
  };
}

/** A type that no generator writes counts as `string`, which then shows as a difference. */
function toParameter(
  { name, type }: { readonly name: string; readonly type: string },
  types: ReadonlyMap<string, FrameworkType>,
): HandlerParameter {
  const known = types.get(type);
  if (known === "Request") return "request";
  return { name, type: known ?? (type === "number" ? type : "string") };
}
