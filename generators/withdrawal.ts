/** Takes out of a source file what a generator wrote into it, as long as that is unedited: the inverse of `source.ts`. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { applyEdits, type Edit } from "#convention/source/edits";
import type { Location, Route } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import {
  type BodyBlueprint,
  bodyBlueprint,
  type HandlerBlueprint,
  type HandlerParameter,
  handlerBlueprint,
  typesOf,
} from "./source/blueprints.ts";
import { type Region, removeBlock } from "./source/edits.ts";
import { type Field, readFields, readFieldType } from "./source/fields.ts";
import { type FrameworkType, importedTypes, withoutNames } from "./source/imports.ts";
import { isUnreadable, type Outline, type ParameterOutline, readOutline } from "./source/outline.ts";
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

/** The part of a blueprint that a handler takes off the wire. */
export type Taken = Pick<HandlerBlueprint, "body" | "query">;

/** What is left of a file without the handlers; the whole file, if one of them was edited. */
export interface Withdrawal {
  readonly text: string;
  readonly edited: readonly Edited[];
  /** What each handler takes off the wire, by its name, as its test has to send it. */
  readonly takes: ReadonlyMap<string, Taken | undefined>;
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

/** As {@link findDifference}, of a whole file but for a byte order mark and white space at its end. */
export function findFileDifference(
  file: string,
  text: string,
  style: Style,
  write: (layout: Layout) => string,
): Difference | undefined {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  return findDifference(file, text, { start, end: text.trimEnd().length }, style, write);
}

/**
 * Takes the handlers of routes out of their file, with the interfaces of their bodies and the imports that nothing else uses.
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
  const found = routes.map((route) => ({ route, blueprint: toBlueprint(text, outline, route) }));
  const edited = found.flatMap(({ route, blueprint }) =>
    findEdits(file, text, outline, route, blueprint, style),
  );
  const takes = new Map(found.map(({ route, blueprint }) => [route.handler, blueprint]));
  if (edited.length > 0) return { text, edited, takes };
  const left = routes.reduce((rest, route) => withdrawHandler(rest, route, fallback), text);
  return { text: left, edited, takes };
}

/** What differs of a handler and of its body's interface, if that goes with it. */
function findEdits(
  file: string,
  text: string,
  outline: Outline,
  { handler, location }: Route,
  blueprint: HandlerBlueprint | undefined,
  style: Style,
): readonly Edited[] {
  const found = outline.functions.get(handler);
  const what = `\`${handler}\``;
  if (found === undefined || blueprint === undefined) return [{ what, location, difference: null }];
  const names = importedTypes(outline);
  const write = (layout: Layout): string => handlerBlueprint(blueprint, names, layout);
  const difference = findDifference(file, text, found, style, write);
  const own = difference === undefined ? [] : [{ what, location, difference }];
  const { body } = blueprint;
  const above = body && outline.interfaces.get(body.type);
  const left = applyEdits(text, [removeBlock(text, found)]);
  if (body === undefined || above?.region === undefined || withoutInterface(left, body.type) === left)
    return own;
  const other = findDifference(file, text, above.region, style, (layout) =>
    bodyBlueprint(body, names, layout),
  );
  if (other === undefined) return own;
  const { line, column } = above.declaration.location;
  return [...own, { what: `\`${body.type}\``, location: { file, line, column }, difference: other }];
}

function withdrawHandler(text: string, route: Route, fallback: Style): string {
  const outline = outlineOf(text);
  const found = outline.functions.get(route.handler);
  const blueprint = toBlueprint(text, outline, route);
  if (found === undefined || blueprint === undefined) return text;
  const left = withoutInterface(applyEdits(text, [removeBlock(text, found)]), blueprint.body?.type);
  const unused = unusedTypes(left, outline, blueprint);
  return unused.size === 0 ? left : withoutNames(left, outlineOf(left), unused, detectStyle(text, fallback));
}

/** An interface that something else uses, or may use, stays. */
function withoutInterface(text: string, name: string | undefined): string {
  const region = name === undefined ? undefined : outlineOf(text).interfaces.get(name)?.region;
  if (name === undefined || region === undefined) return text;
  const rest = applyEdits(text, [removeBlock(text, region)]);
  return readUses(rest).has(name) ? text : rest;
}

/** The file's names for the types of the handler's signature that nothing uses any more. */
function unusedTypes(left: string, outline: Outline, blueprint: HandlerBlueprint): ReadonlySet<string> {
  const uses = readUses(left);
  const names = importedTypes(outline);
  const locals = typesOf([blueprint]).flatMap((type) => names.get(type) ?? []);
  return new Set(locals.filter((local) => !uses.has(local)));
}

/** Of a text from which only whole statements were removed, so it can still be parsed. */
function outlineOf(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`What was taken out left a syntax error: ${outline.reason}`);
  return outline;
}

/** The blueprint that would write such a function; undefined where no generator could have written its signature. */
function toBlueprint(
  text: string,
  outline: Outline,
  { method, handler, pattern }: Route,
): HandlerBlueprint | undefined {
  const found = outline.functions.get(handler);
  if (found === undefined) return undefined;
  const types = new Map([...importedTypes(outline)].map(([type, local]) => [local, type]));
  const marked = found.parameters.map((one) => one && toMarked(one, types, outline));
  const parameters = found.parameters.filter(
    (one, index) => one !== undefined && marked[index] === undefined,
  );
  const bodies = marked.flatMap((one) => (one?.mark === "Body" ? [one.body] : []));
  const query = marked.flatMap((one) => (one?.mark === "Query" ? [one.field] : []));
  if ([...bodies, ...query].includes(undefined)) return undefined;
  return {
    method,
    name: handler,
    comment: text.startsWith("/", found.start) ? `${method} ${pattern}` : null,
    parameters: parameters.flatMap((one) => (one === undefined ? [] : toParameter(one, types))),
    body: bodies[0],
    query: query.filter((one) => one !== undefined),
  };
}

type Marked =
  | { readonly mark: "Body"; readonly body: BodyBlueprint | undefined }
  | { readonly mark: "Query"; readonly field: Field | undefined };

/** What a parameter takes off the wire; undefined where it has no mark. */
function toMarked(
  { name, type, optional }: ParameterOutline,
  types: ReadonlyMap<string, FrameworkType>,
  { interfaces }: Outline,
): Marked | undefined {
  if (type.kind !== "name") return undefined;
  const mark = types.get(type.path.join("."));
  const [inner] = type.arguments;
  if (inner === undefined || (mark !== "Body" && mark !== "Query")) return undefined;
  if (mark === "Query") {
    const fieldType = readFieldType(inner, types);
    return { mark, field: fieldType && { name, type: fieldType, optional } };
  }
  const named = inner.kind === "name" ? inner.path.join(".") : "";
  const members = interfaces.get(named)?.declaration.type;
  const fields = members?.kind === "object" ? readFields(members.members, types) : undefined;
  return { mark, body: fields && { type: named, fields } };
}

/** A type that no generator writes counts as `string`, which then shows as a difference. */
export function toParameter(
  { name, type }: ParameterOutline,
  types: ReadonlyMap<string, FrameworkType>,
): HandlerParameter {
  const known = types.get(type.text);
  if (known === "Request") return "request";
  if (known === "int" || known === "str") return { name, type: known };
  return { name, type: type.text === "number" ? "number" : "string" };
}
