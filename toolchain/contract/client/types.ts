/** Shapes as TypeScript types: of what a caller sends, and of what comes back. */

import type { Contract } from "#convention/contract/contract";
import { compareText } from "#convention/diagnostics/order";
import { innerShapesOf, reachable } from "#convention/wire/inner-shapes";
import { findDefinition } from "#convention/wire/json-schema";
import { formatJson } from "#runtime/escape";
import type { Definitions, ObjectShape, Shape, StringShape, TupleShape } from "#runtime/wire/shape";
import {
  describeNotes,
  formatBraces,
  formatComment,
  formatKey,
  formatMembers,
  formatUnion,
  type Member,
} from "./layout.ts";
import { nameTypes } from "./type-names.ts";

/** A caller may send a `Date`, and gets its text. */
export type Way = "sent" | "got";

/** The definitions of the contract. It writes types, and collects the named ones that they refer to. */
export interface Types {
  readonly definitions: Definitions;
  write(shape: Shape, way: Way): string;
  /** Those that were referred to, by name, an empty line before each. */
  declarations(): string;
}

export function createTypes({ definitions, notes }: Pick<Contract, "definitions" | "notes">): Types {
  const dated = findDated(definitions);
  const names = nameTypes(definitions, dated);
  /** By the names of their declarations. */
  const reached = new Map<string, { readonly name: string; readonly way: Way }>();
  const write = (shape: Shape, way: Way): string =>
    writeType(
      shape,
      (name) => {
        const declared = names(name, way === "sent" && dated.has(name));
        reached.set(declared, { name, way });
        return declared;
      },
      way,
    );
  return {
    definitions,
    write,
    declarations() {
      const texts = new Map<string, string>();
      // The map grows while it is walked.
      for (const [declared, { name, way }] of reached) {
        const shape = findDefinition(name, definitions);
        const comment = formatComment(describeNotes(notes[name]));
        texts.set(declared, `\n${comment}export ${declare(declared, shape, (inner) => write(inner, way))}\n`);
      }
      return [...texts]
        .sort(([one], [other]) => compareText(one, other))
        .map(([, text]) => text)
        .join("");
    },
  };
}

/** @returns the definitions with a date in them, which are another type for who sends them. */
function findDated(definitions: Definitions): ReadonlySet<string> {
  const isDated = (name: string): boolean => hasDate(findDefinition(name, definitions));
  const dated = Object.entries(definitions).filter(
    ([name, shape]) => isDated(name) || [...reachable([shape], definitions)].some(isDated),
  );
  return new Set(dated.map(([name]) => name));
}

/** Itself, not by a name in it. */
function hasDate(shape: Shape): boolean {
  return shape.kind === "date" || innerShapesOf(shape).some(hasDate);
}

function declare(name: string, shape: Shape, write: (shape: Shape) => string): string {
  const members = shape.kind === "object" ? toMembers(shape, write) : [];
  if (members.length > 0) return `interface ${name} {\n${formatMembers(members)}}`;
  return `type ${name} = ${write(shape)};`;
}

function writeType(shape: Shape, refer: (name: string) => string, way: Way): string {
  const inner = (one: Shape): string => writeType(one, refer, way);
  switch (shape.kind) {
    case "schema":
      return "unknown";
    case "file":
      return "Blob";
    case "date":
      return way === "sent" ? "string | Date" : "string";
    case "string":
      return writeString(shape);
    case "literal":
      return formatUnion(shape.values.map((value) => formatJson(value)));
    case "array":
      return `${group(shape.items, inner)}[]`;
    case "tuple":
      return writeTuple(shape, inner);
    case "object":
      return writeObject(shape, inner);
    case "union":
      return formatUnion([...new Set(shape.of.map(inner))]);
    case "reference":
      return refer(shape.name);
    default:
      return shape.kind;
  }
}

type Write = (shape: Shape) => string;

/** A template literal type, where its own text says all of it. */
function writeString({ patterns = [] }: StringShape): string {
  const [template, other] = patterns.map((pattern) => pattern.template);
  const isPlain = /^(?:[\w /:.#@%+*,;=!?()[\]<>~^&-]|\$\{(?:string|number|int)\})+$/.test(template ?? "");
  if (template === undefined || other !== undefined || !isPlain) return "string";
  return `\`${template.replaceAll("{int}", "{number}")}\``;
}

function writeTuple({ items, required, rest }: TupleShape, write: Write): string {
  const parts = items.map((item, at) => (at < required ? write(item) : `${group(item, write)}?`));
  return `[${[...parts, ...(rest ? [`...${group(rest, write)}[]`] : [])].join(", ")}]`;
}

function group(shape: Shape, write: Write): string {
  const text = write(shape);
  const isUnion = ["union", "literal", "date"].includes(shape.kind) && text.includes("| ");
  return isUnion ? `(${text})` : text;
}

function writeObject(shape: ObjectShape, write: Write): string {
  const members = toMembers(shape, write);
  return members.length === 0 ? "Record<string, unknown>" : formatBraces(members);
}

function toMembers({ properties, others }: ObjectShape, write: Write): readonly Member[] {
  const members = properties.map(({ name, shape, optional, notes }) => ({
    key: `${formatKey(name)}${optional ? "?" : ""}`,
    text: write(shape),
    ...(notes && { comment: describeNotes(notes) }),
  }));
  return others === undefined ? members : [...members, toIndex(members, write(others))];
}

/** To TypeScript, an index signature is true of all properties, not only of the others. */
export function toIndex(members: readonly Member[], others: string): Member {
  const isOptional = members.some(({ key }) => key.endsWith("?"));
  const all = new Set([others, ...members.map(({ text }) => text), ...(isOptional ? ["undefined"] : [])]);
  return { key: "[key: string]", text: all.has("unknown") ? "unknown" : formatUnion([...all]) };
}
