/** Adds functions that are always written alike to a file, such as hooks and providers. */

import { posix } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { applyEdits } from "#convention/source/edits";
import { insertBlock } from "./source/edits.ts";
import {
  type FrameworkType,
  formatImport,
  type ProjectFunction,
  planFunctionImport,
  planImports,
} from "./source/imports.ts";
import { isUnreadable, type Outline, readOutline } from "./source/outline.ts";
import { diagnoseTaken, diagnoseUnreadable } from "./source/source.ts";
import { applyStyle, detectStyle, type Style } from "./source/style.ts";

/** An exported function. */
export interface FunctionBlueprint {
  readonly name: string;
  /** What it needs of `framework`. */
  readonly types: readonly FrameworkType[];
  /** The function of the project that its signature names. */
  readonly provider?: ProjectFunction;
  /** @param call gives what the file calls a type of `framework`, or the provider. */
  write(call: (type: FrameworkType | "provider") => string): string;
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
  const blocks = blueprints.map(({ write }) => write((type) => names.get(type) ?? type));
  const block = applyStyle((isBare && head !== "" ? [head, ...blocks] : blocks).join("\n"), style);
  const base = isBare ? before : head;
  return applyEdits(base, [insertBlock(base, base.length, block, style)]);
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

/** Of a text to which only whole statements were added. */
function toOutline(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`A planned edit left a syntax error: ${outline.reason}`);
  return outline;
}

/** How a file names another one of the project in an import. */
export function toSource(from: string, file: string): string {
  const path = posix.relative(posix.dirname(from), file);
  return path.startsWith(".") ? path : `./${path}`;
}
