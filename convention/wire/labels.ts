/**
 * Computes labels and unique names. A label is the text of a type with all names resolved to unique ones, such as `Page<Product>`: equal
 * labels mean the same type. A definition is named after its label.
 */

import type { Member, TypeExpression } from "../source/module.ts";
import type { TypeScope } from "./scope.ts";

/** @returns the label of the type that a name or `typeof` resolves to. */
export type LabelName = (
  type: Extract<TypeExpression, { readonly kind: "name" | "import" | "typeof" }>,
  scope: TypeScope,
) => string;

export function labelType(type: TypeExpression, scope: TypeScope, labelName: LabelName): string {
  const label = (inner: TypeExpression): string => labelType(inner, scope, labelName);
  switch (type.kind) {
    case "keyword":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "name":
    case "import":
    case "typeof":
      return labelName(type, scope);
    case "union":
      return type.of.map(label).join(" | ");
    case "intersection":
      return type.of.map((inner) => group(inner, label(inner))).join(" & ");
    case "array":
      return `${group(type.items, label(type.items))}[]`;
    case "tuple":
      return `[${type.items.map((item) => `${item.rest ? "..." : ""}${group(item.type, label(item.type))}${item.optional ? "?" : ""}`).join(", ")}]`;
    case "object":
      return `{ ${type.members.map((member) => labelMember(member, label)).join("; ")} }`;
    case "indexed":
      return `${group(type.object, label(type.object))}[${label(type.index)}]`;
    case "keyof":
      return `keyof ${group(type.of, label(type.of))}`;
    case "template":
      return `\`${type.texts.map((text, index) => text + labelGap(type.types[index], label)).join("")}\``;
    case "function":
    case "other":
      return labelPlace(type);
  }
}

function group({ kind }: TypeExpression, label: string): string {
  return kind === "union" || kind === "intersection" || kind === "keyof" ? `(${label})` : label;
}

function labelGap(type: TypeExpression | undefined, label: (type: TypeExpression) => string): string {
  return type ? `\${${label(type)}}` : "";
}

function labelMember(member: Member, label: (type: TypeExpression) => string): string {
  if (member.kind === "index") return `[key: ${label(member.key)}]: ${label(member.type)}`;
  if (member.kind === "other") return labelPlace({ text: member.what, location: member.location });
  const name = /^[\w$]+$/.test(member.name) ? member.name : JSON.stringify(member.name);
  return `${name}${member.optional ? "?" : ""}: ${member.type ? label(member.type) : "any"}`;
}

/** The label of an unsupported type: it equals only itself, at the same location. */
export function labelPlace({ text, location }: Pick<TypeExpression, "text" | "location">): string {
  return `${text} at ${location.file}:${location.line}:${location.column}`;
}

/** Assigns unique names. */
export interface NameGiver {
  /** @returns the name for a key: `wanted`, with a number appended if another key has it. The same key always gets the same name. */
  claim(key: string, wanted: string): string;
}

/** A declared type or constant, identified by its file and its name there. */
export interface Declared {
  readonly file: string;
  readonly name: string;
}

/** The unique names of declarations and definitions. Of two types called `User`, the one that is read second is `User2`. */
export interface Naming extends NameGiver {
  /** The declarations by their unique names. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** The labels of definitions whose name differs from their label, by name. */
  readonly labels: ReadonlyMap<string, string>;
  /** @returns the unique name of a declaration, used in labels. */
  claimDeclared(declared: Declared): string;
  /** @returns the name of a definition. @param wanted a name other than the label. @param key its identity for that name. */
  claimLabel(label: string, key?: string, wanted?: string): string;
}

export function createNaming(): Naming {
  const { claim } = createNameGiver();
  const declared = new Map<string, Declared>();
  const labels = new Map<string, string>();
  return {
    claim,
    declared,
    labels,
    claimDeclared(one) {
      const word = claim(`${one.file} ${one.name}`, one.name);
      declared.set(word, one);
      return word;
    },
    claimLabel(label, key = `definition ${label}`, wanted = shortenLabel(label)) {
      if (wanted === label) return label;
      const name = claim(key, wanted);
      labels.set(name, label);
      return name;
    },
  };
}

const LONGEST_NAME = 60;

/** @example shortenLabel("Page<{ … }>") // "Page<…>" */
export function shortenLabel(label: string): string {
  if (label.length <= LONGEST_NAME) return label;
  const start = /^\w+(?=<)/.exec(label)?.[0];
  return start === undefined ? `${label.slice(0, 40)}…` : `${start}<…>`;
}

export function createNameGiver(): NameGiver {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  /** The last number appended to each wanted name, so that a project with many `Item`s takes linear time. */
  const numbers = new Map<string, number>();
  return {
    claim(key, wanted) {
      const before = names.get(key);
      if (before !== undefined) return before;
      let number = numbers.get(wanted) ?? 1;
      let name = number === 1 ? wanted : `${wanted}${number}`;
      while (taken.has(name)) name = `${wanted}${++number}`;
      numbers.set(wanted, number);
      taken.add(name);
      names.set(key, name);
      return name;
    },
  };
}
