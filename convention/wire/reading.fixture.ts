/** Reads the types of an in-memory project to shapes, and formats shapes as types, for tests. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Shape } from "#runtime/wire/shape";
import { createFiles } from "../source/files.ts";
import type { TypeExpression } from "../source/module.ts";
import { createModules } from "../source/modules.ts";
import { createShapeReader, type ShapeReader } from "./shapes.ts";

const TYPES_FILE = "types.ts";

export interface ReadTypes extends Pick<ShapeReader, "definitions"> {
  /** The shapes of the requested types, in order. */
  readonly shapes: readonly (Shape | null)[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param text the text of `types.ts`.
 * @param names the names of its aliases to read.
 * @param others the texts of other files by path.
 */
export function readAliases(
  text: string,
  names: readonly string[],
  others: Readonly<Record<string, string>> = {},
): ReadTypes {
  const modules = createModules(
    createFiles("/nowhere", new Map(Object.entries({ ...others, [TYPES_FILE]: text }))),
  );
  const module = modules.get(TYPES_FILE);
  if (module === undefined) throw new Error(`There is no ${TYPES_FILE}.`);
  const reader = createShapeReader(modules);
  const read = names.map((name) =>
    reader.read({
      type: module.types.get(name)?.type ?? nameOf(name),
      scope: { module, parameters: new Map() },
    }),
  );
  return {
    shapes: read.map(({ shape }) => shape),
    definitions: { ...reader.definitions },
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function nameOf(name: string): TypeExpression {
  const location = { file: TYPES_FILE, line: 1, column: 1 };
  return { kind: "name", path: [name], arguments: [], text: name, location };
}

/** @example `#User | null; User = { name: string{minLength: 1} }; FW323 3:4` */
export function summarizeTypes({ shapes, definitions, diagnostics }: ReadTypes): string {
  const named = Object.entries(definitions).map(([name, shape]) => `${name} = ${formatShape(shape)}`);
  const problems = diagnostics.map(({ code, locations: [place] }) => {
    const file = place?.file === TYPES_FILE ? "" : `${place?.file}:`;
    return `${code} ${file}${place?.line}:${place?.column}`;
  });
  const read = shapes.filter((shape) => shape !== null).map(formatShape);
  return (problems.length > 0 ? [...read, ...problems] : [...read, ...named]).join("; ");
}

/** Limits are in braces after the type, a tag is before the union, and `#` before the name of a definition. */
export function formatShape(shape: Shape): string {
  switch (shape.kind) {
    case "literal":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ");
    case "reference":
      return `#${shape.name}`;
    case "union": {
      const of = shape.of.map(formatShape).join(" | ");
      return shape.tag === undefined ? of : `by ${shape.tag}: ${of}`;
    }
    case "object": {
      const properties = shape.properties.map(
        ({ name, shape: inner, optional }) => `${name}${optional ? "?" : ""}: ${formatShape(inner)}`,
      );
      return `{ ${[...properties, ...(shape.others ? [`...: ${formatShape(shape.others)}`] : [])].join(", ")} }`;
    }
    case "array": {
      const { kind: _, items, ...limits } = shape;
      const inner = formatShape(items);
      return `${/[ |]/.test(inner) ? `(${inner})` : inner}[]${formatLimits(limits)}`;
    }
    case "tuple": {
      const { kind: _, items, required, rest, ...limits } = shape;
      const all = items.map((item, index) => formatShape(item) + (index < required ? "" : "?"));
      return `[${[...all, ...(rest ? [`...${formatShape(rest)}`] : [])].join(", ")}]${formatLimits(limits)}`;
    }
    case "number": {
      const { kind, integer, ...limits } = shape;
      return (integer ? "int" : kind) + formatLimits(limits);
    }
    default: {
      const { kind, ...limits } = shape;
      return kind + formatLimits(limits);
    }
  }
}

function formatLimits(limits: object): string {
  const entries = Object.entries(limits).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return entries.length > 0 ? `{${entries.join(", ")}}` : "";
}
