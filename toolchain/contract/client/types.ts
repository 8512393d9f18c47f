/** Shapes as TypeScript types: of what a caller sends, and of what comes back. */

import type { Contract } from "#convention/contract/contract";
import { compareText } from "#convention/diagnostics/order";
import { innerShapesOf, reachable } from "#convention/wire/inner-shapes";
import { findDefinition } from "#convention/wire/json-schema";
import { createNameGiver } from "#convention/wire/labels";
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
import { wordsOfTransport } from "./transport.ts";

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

/** What the file calls its own, besides what is in its transport; and `Error`, which a caller who imports it would lose. */
const OWN = ["AnswerOf", "Client", "ClientOptions", "Error", "InputOf", "NoInput", "ROUTES", "createClient"];

/** The types of the platform that the file uses, besides those in its transport. */
const PLATFORM = "AsyncIterable Awaited NonNullable Parameters ReadableStream ReturnType Uint8Array";

/** No type can be called so. */
const KEYWORDS =
  "any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for function globalThis if implements import in infer instanceof interface intrinsic is keyof let never new null number object package private protected public readonly return static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield";

/** @returns gives a definition its name; another where it is another type for who sends it. */
function nameTypes(
  definitions: Definitions,
  dated: ReadonlySet<string>,
): (definition: string, isSent: boolean) => string {
  const taken = new Set([...OWN, ...PLATFORM.split(" "), ...KEYWORDS.split(" "), ...wordsOfTransport()]);
  const names = createNameGiver();
  const claim = (definition: string, isSent: boolean): string => {
    const wanted = toIdentifier(definition) + (isSent ? "Input" : "");
    return names.claim(`${isSent} ${definition}`, taken.has(wanted) ? `Api${capitalize(wanted)}` : wanted);
  };
  // No name depends on which routes there are.
  for (const definition of Object.keys(definitions).sort()) claim(definition, false);
  for (const definition of [...dated].sort()) claim(definition, true);
  return claim;
}

/** @example toIdentifier("Page<Product>") // "PageProduct" */
function toIdentifier(definition: string): string {
  const [first = "", ...others] = definition.match(/[\p{ID_Continue}$]+/gu) ?? [];
  const name = first + others.map(capitalize).join("");
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `Type${name}`;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
