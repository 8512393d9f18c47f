/** Takes out of a source file what a generator wrote into it, as long as that is unedited: the inverse of `source.ts`. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Location, Route } from "#runtime/core/routing/route";
import {
  completeParameters,
  type HandlerBlueprint,
  type HandlerParameter,
  handlerBlueprint,
  typesOf,
} from "./source/blueprints.ts";
import { applyEdits, type Edit, insertBlock, type Region, removeBlock } from "./source/edits.ts";
import { type FrameworkType, formerTexts, importedTypes } from "./source/imports.ts";
import { type FunctionOutline, isUnreadable, type Outline, readOutline } from "./source/outline.ts";
import { addHandlers, diagnoseUnreadable } from "./source/source.ts";
import { applyStyle, detectStyle, type Layout, type Style, WIDTHS } from "./source/style.ts";
import { inLineFeeds } from "./source/text.ts";
import { readUses } from "./source/uses.ts";

/** Something that is not as a generator writes it. */
export interface Edited {
  readonly what: string;
  readonly location: Location;
  /** Null where it is nothing that a generator could have written. */
  readonly difference: Difference | null;
}

/** Part of a file that is not as a generator writes it, and the edit that would make it so. */
export interface Difference {
  readonly file: string;
  readonly text: string;
  readonly edit: Edit;
}

/** A file that was read, and what is left of it without what was taken out; all of it, where some of that was edited. */
export interface Withdrawal {
  readonly text: string;
  readonly edited: readonly Edited[];
}

/**
 * Compares lines of a file with what a generator writes, in any of the widths that it may have been told to leave.
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
  const texts = inEachWidth(style).map((layout) =>
    applyStyle(write(layout), style).slice(0, -style.eol.length),
  );
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
  return inLineFeeds(text, (lines, restore) => {
    const withdrawal = withdrawFromLines(file, lines, routes, fallback);
    return "text" in withdrawal ? { ...withdrawal, text: restore(withdrawal.text) } : withdrawal;
  });
}

function withdrawFromLines(
  file: string,
  text: string,
  routes: readonly Route[],
  fallback: Style,
): Withdrawal | Diagnostic {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return diagnoseUnreadable(file, outline);
  const edited = routes.flatMap((route): Edited[] => {
    const { handler, location } = route;
    const found = outline.functions.get(handler);
    const difference =
      found === undefined ? null : findHandlerDifference(file, text, outline, route, found, fallback);
    return difference === undefined ? [] : [{ what: `\`${handler}\``, location, difference }];
  });
  if (edited.length > 0) return { text, edited };
  const left = routes.reduce((rest, route) => withdrawHandler(rest, route, fallback), text);
  return { text: left, edited };
}

function findHandlerDifference(
  file: string,
  text: string,
  outline: Outline,
  route: Route,
  found: FunctionOutline,
  fallback: Style,
): Difference | undefined {
  const blueprint = toBlueprint(text, outline, route, found);
  return findDifference(file, text, found, detectStyle(text, fallback), (layout) =>
    handlerBlueprint(blueprint, importedTypes(outline), layout),
  );
}

function withdrawHandler(text: string, route: Route, fallback: Style): string {
  const outline = outlineOf(text);
  const found = outline.functions.get(route.handler);
  if (found === undefined) return text;
  const blueprint = toBlueprint(text, outline, route, found);
  const left = applyEdits(text, [removeBlock(text, found)]);
  const unused = unusedTypes(left, outline, blueprint);
  if (unused.size === 0) return left;
  const style = detectStyle(text, fallback);
  const block = text.slice(found.start, found.end) + style.eol;
  const moved = applyEdits(left, [insertBlock(left, left.length, block, style)]);
  const former = formerTexts(left, outlineOf(left), unused, style);
  const isFormer = (one: string): boolean =>
    inEachWidth(detectStyle(one, fallback)).some(
      (layout) => addHandlers(one, outlineOf(one), [blueprint], layout) === moved,
    );
  return former.find(isFormer) ?? former.at(-1) ?? left;
}

/** A style with its own width first, then the others that a formatter may have been told to leave. */
function inEachWidth(style: Style): readonly Style[] {
  return [style, ...WIDTHS.map((width) => ({ ...style, width }))];
}

/** What the file calls the types of the handler's signature that nothing in it uses now. */
function unusedTypes(
  left: string,
  outline: Outline,
  { method, parameters }: HandlerBlueprint,
): ReadonlySet<string> {
  const uses = readUses(left);
  const names = importedTypes(outline);
  const locals = typesOf(completeParameters(method, parameters)).flatMap((type) => names.get(type) ?? []);
  return new Set(locals.filter((local) => !uses.has(local)));
}

/** What is left of a text that could be read can be read as well. */
function outlineOf(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`What was taken out left a syntax error: ${outline.reason}`);
  return outline;
}

/** The blueprint that gives such a function, if any does. */
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

/** One of a type that no generator writes is taken for text, which then shows as a difference. */
function toParameter(
  { name, type }: { readonly name: string; readonly type: string },
  types: ReadonlyMap<string, FrameworkType>,
): HandlerParameter {
  const known = types.get(type);
  if (known === "Request") return "request";
  return { name, type: known ?? (type === "number" ? type : "string") };
}
