/** Adds functions that are always written alike to a file, such as hooks and providers, and takes them out while they are unedited. */

import { posix } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { applyEdits } from "#convention/source/edits";
import { diagnoseUsed } from "./importers.ts";
import { type NoPlan, noPlan } from "./plan.ts";
import { insertBlock, removeBlock } from "./source/edits.ts";
import {
  type FrameworkType,
  formatImport,
  importedTypes,
  type ProjectFunction,
  planFunctionImport,
  planImports,
  withoutNames,
} from "./source/imports.ts";
import { isUnreadable, type Outline, readOutline } from "./source/outline.ts";
import { diagnoseTaken, diagnoseUnreadable } from "./source/source.ts";
import { applyStyle, detectStyle, type Layout, type Style } from "./source/style.ts";
import { readUses } from "./source/uses.ts";
import { type Edited, findDifference } from "./withdrawal.ts";

/** An exported function. */
export interface FunctionBlueprint {
  readonly name: string;
  /** What it needs of `framework`. */
  readonly types: readonly FrameworkType[];
  /** The function of the project that its signature names. */
  readonly provider?: ProjectFunction;
  /** @param call gives what the file calls a type of `framework`, or the provider. */
  write(call: (type: FrameworkType | "provider") => string, layout: Layout): string;
}

type Names = ReadonlyMap<FrameworkType | "provider", string>;

/**
 * The text of a file with the functions at its end, and what they need imported.
 *
 * @param text null for a new file.
 * @param kind of function, for messages: "provider".
 * @param fallback decides what the file itself does not show.
 */
export function addFunctions(
  file: string,
  text: string | null,
  blueprints: readonly FunctionBlueprint[],
  kind: string,
  fallback: Style,
): string | Diagnostic {
  const before = text ?? "";
  const outline = readOutline(before);
  if (isUnreadable(outline)) return diagnoseUnreadable(file, outline);
  const taken = diagnoseTaken(file, outline, blueprints, kind);
  if (taken !== undefined) return taken;
  const style = detectStyle(before, fallback);
  const isBare = outline.firstStatement === before.length;
  const { text: head, names } = isBare
    ? importAlone(blueprints)
    : importBeside(before, outline, blueprints, style);
  const blocks = blueprints.map((blueprint) => writeFunction(blueprint, names, style));
  const block = applyStyle((isBare && head !== "" ? [head, ...blocks] : blocks).join("\n"), style);
  const base = isBare ? before : head;
  return applyEdits(base, [insertBlock(base, base.length, block, style)]);
}

function writeFunction({ write }: FunctionBlueprint, names: Names, layout: Layout): string {
  return write((type) => names.get(type) ?? type, layout);
}

interface Imported {
  readonly text: string;
  readonly names: Names;
}

/** The import lines of a file without code. */
function importAlone(blueprints: readonly FunctionBlueprint[]): Imported {
  const types = typesNeeded(blueprints);
  const provider = providerOf(blueprints);
  const lines = [
    ...(types.length === 0 ? [] : [formatImport(types)]),
    ...(provider?.source === undefined ? [] : [formatImport([provider.name], provider.source)]),
  ];
  const text = lines.map((line) => `${line}\n`).join("");
  return { text, names: new Map(provider && [["provider", provider.name]]) };
}

/** The text of a file with the imports in it. */
function importBeside(
  text: string,
  outline: Outline,
  blueprints: readonly FunctionBlueprint[],
  style: Style,
): Imported {
  const types = planImports(text, outline, typesNeeded(blueprints), style);
  const withTypes = applyEdits(text, types.edits);
  const provider = providerOf(blueprints);
  if (provider === undefined) return { text: withTypes, names: types.names };
  const { edits, local } = planFunctionImport(withTypes, toOutline(withTypes), provider, style);
  return { text: applyEdits(withTypes, edits), names: new Map([...types.names, ["provider", local]]) };
}

function typesNeeded(blueprints: readonly FunctionBlueprint[]): readonly FrameworkType[] {
  return [...new Set(blueprints.flatMap(({ types }) => types))];
}

/** Only a guard names one. */
function providerOf(blueprints: readonly FunctionBlueprint[]): ProjectFunction | undefined {
  return blueprints.find(({ provider }) => provider !== undefined)?.provider;
}

/** Of a text to which, or from which, only whole statements were added or removed. */
function toOutline(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`A planned edit left a syntax error: ${outline.reason}`);
  return outline;
}

/** What is left of a file; the whole file, if one of the functions was edited. */
export interface FunctionRemoval {
  readonly text: string;
  /** The functions that were there. */
  readonly found: readonly string[];
  readonly edited: readonly Edited[];
}

/**
 * The inverse of {@link addFunctions}.
 *
 * @param toBlueprints gives what a generator may have written into such a file; undefined for a function that none could have written.
 */
export function removeFunctions(
  file: string,
  text: string,
  names: readonly string[],
  toBlueprint: (name: string, outline: Outline) => FunctionBlueprint | undefined,
  fallback: Style,
): FunctionRemoval | NoPlan {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return noPlan(diagnoseUnreadable(file, outline));
  const found = names.filter((name) => outline.exported.has(name));
  const blueprints = found.map((name) => ({ name, blueprint: toBlueprint(name, outline) }));
  const style = detectStyle(text, fallback);
  const edited = blueprints.flatMap((one) => findEditedFunction(file, text, outline, one, style) ?? []);
  if (edited.length > 0) return { text, found, edited };
  const left = blueprints.reduce((rest, { blueprint }) => withoutFunction(rest, blueprint, style), text);
  const used = diagnoseUsed(file, left, found);
  return used === undefined ? { text: left, found, edited } : noPlan(used);
}

function findEditedFunction(
  file: string,
  text: string,
  outline: Outline,
  { name, blueprint }: { readonly name: string; readonly blueprint: FunctionBlueprint | undefined },
  style: Style,
): Edited | undefined {
  const region = outline.functions.get(name);
  const location = { file, line: outline.bindings.get(name) ?? 1, column: 1 };
  const what = `\`${name}\``;
  if (region === undefined || blueprint === undefined) return { what, location, difference: null };
  const names = namesIn(outline, blueprint);
  const difference = findDifference(file, text, region, style, (layout) =>
    writeFunction(blueprint, names, layout),
  );
  return difference && { what, location, difference };
}

function namesIn(outline: Outline, { provider }: FunctionBlueprint): Names {
  const local = provider && findLocal(outline, provider);
  return new Map([...importedTypes(outline), ...(local === undefined ? [] : [["provider", local] as const])]);
}

function findLocal({ imports }: Outline, { name, source }: ProjectFunction): string {
  const lines = imports.filter((line) => line.source === source);
  return lines.flatMap((line) => line.names).find(({ imported }) => imported === name)?.local ?? name;
}

function withoutFunction(text: string, blueprint: FunctionBlueprint | undefined, style: Style): string {
  const outline = toOutline(text);
  const region = blueprint && outline.functions.get(blueprint.name);
  if (blueprint === undefined || region === undefined) return text;
  const names = namesIn(outline, blueprint);
  const locals = [...blueprint.types, "provider" as const].flatMap((type) => names.get(type) ?? []);
  const left = applyEdits(text, [removeBlock(text, region)]);
  const uses = readUses(left);
  // One after the other, because two lines that both go share a line end.
  return locals
    .filter((local) => !uses.has(local))
    .reduce((rest, local) => withoutNames(rest, toOutline(rest), new Set([local]), style), left);
}

/** How a file names another one of the project in an import. */
export function toSource(from: string, file: string): string {
  const path = posix.relative(posix.dirname(from), file);
  return path.startsWith(".") ? path : `./${path}`;
}
