/** Labels: a type as text in which no name is left open, so that two types of one label are the same type. */

import type { Member, TypeExpression } from "../source/module.ts";
import type { TypeScope } from "./scope.ts";

/** @returns the label of what a name or `typeof` means. */
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

/** What has no meaning for us is the same at the same place only. */
export function labelPlace({ text, location }: Pick<TypeExpression, "text" | "location">): string {
  return `${text} at ${location.file}:${location.line}:${location.column}`;
}

/** Gives each thing a name that nothing else has. */
export interface NameGiver {
  /** @param key of the thing. @param wanted its name, with a number behind it where another thing has it. */
  claim(key: string, wanted: string): string;
}

/** A type or a constant, by its name in its file. */
export interface Declared {
  readonly file: string;
  readonly name: string;
}

/** Where the names of definitions come from. They are unique, but which of two `User` is `User2` depends on which is read first. */
export interface Naming extends NameGiver {
  /** What the words of labels were declared as. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** The labels of the definitions that are not called by theirs. */
  readonly labels: ReadonlyMap<string, string>;
  /** @returns the word for it in labels. */
  claimDeclared(declared: Declared): string;
  /** @returns the name of a definition. @param key, wanted where its own label is not to be its name. */
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
  const given = new Map<string, string>();
  const taken = new Set<string>();
  /** The last number behind each name that was wanted: every app may have an `Item`. */
  const numbers = new Map<string, number>();
  return {
    claim(key, wanted) {
      const before = given.get(key);
      if (before !== undefined) return before;
      let number = numbers.get(wanted) ?? 1;
      let name = number === 1 ? wanted : `${wanted}${number}`;
      while (taken.has(name)) name = `${wanted}${++number}`;
      numbers.set(wanted, number);
      taken.add(name);
      given.set(key, name);
      return name;
    },
  };
}
