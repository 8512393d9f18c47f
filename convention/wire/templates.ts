/** Converts template literal types such as `${number}px` to regular expressions that match the same strings as in TypeScript. */

import type { Pattern, StringShape } from "#runtime/wire/shape";

import {
  isPlain,
  type Kind,
  literalType,
  look,
  type Refused,
  refuse,
  singles,
  type Type,
  type TypePlace,
  typeAt,
} from "./type.ts";
import { unite } from "./unions.ts";

type Gap = "string" | "number" | "int";

/** A template without unions: the texts around its gaps, so one more text than gaps. */
interface Template {
  readonly texts: readonly string[];
  readonly gaps: readonly Gap[];
}

/** The limit of templates, beyond any real type. A union in a template multiplies them by its members. */
const MOST_TEMPLATES = 1000;

export function readTemplate(place: TypePlace, texts: readonly string[], types: readonly Type[]): Kind {
  let templates: readonly Template[] = [{ texts: [texts[0] ?? ""], gaps: [] }];
  for (const [index, type] of types.entries()) {
    const choices = singles(type).map(toChoice);
    const refusedChoice = choices.find((choice) => "kind" in choice);
    if (refusedChoice) return refusedChoice;
    const known = choices.filter((choice) => "texts" in choice);
    const behind: Template = { texts: [texts[index + 1] ?? ""], gaps: [] };
    templates = templates.flatMap((before) => known.map((choice) => concat(concat(before, choice), behind)));
    if (templates.length > MOST_TEMPLATES) return tooManyTemplates(place);
  }
  return unite(templates.map((template) => toType(place, template)));
}

function tooManyTemplates(place: TypePlace): Refused {
  const why = `it means more than ${MOST_TEMPLATES} texts`;
  return refuse("FW328", { type: place.text, why, instead: "Write string & Pattern<…> in its place" }, place);
}

function concat(one: Template, other: Template): Template {
  const [head = "", ...rest] = other.texts;
  const last = one.texts.at(-1) ?? "";
  return { texts: [...one.texts.slice(0, -1), last + head, ...rest], gaps: [...one.gaps, ...other.gaps] };
}

/** Converts the type in one `${…}` to a template of its own: a text or a gap. */
function toChoice(written: Type): Template | Refused {
  const type = look(written);
  switch (type.kind) {
    case "refused":
      return type;
    case "literal":
      return { texts: [String(type.values[0])], gaps: [] };
    case "null":
    case "undefined":
      return { texts: [type.kind], gaps: [] };
    case "unknown":
      return { texts: ["", ""], gaps: ["string"] };
    case "number":
      if (type.integer && Object.keys(type).length === 3) return { texts: ["", ""], gaps: ["int"] };
      return isPlain(type) ? { texts: ["", ""], gaps: ["number"] } : refuseInTemplate(written);
    case "string": {
      const [pattern] = type.patterns ?? [];
      const inner = pattern && isTemplate(type) ? TEMPLATES.get(pattern) : undefined;
      return inner ?? (isPlain(type) ? { texts: ["", ""], gaps: ["string"] } : refuseInTemplate(written));
    }
    default:
      return refuseInTemplate(written);
  }
}

function refuseInTemplate({ at }: Type): Refused {
  const instead = "string & Pattern<…> in place of the template";
  return refuse("FW324", { what: `\`${at.text}\` in a template`, instead }, at);
}

/** The templates of patterns, so that a template can contain another one. */
const TEMPLATES = new WeakMap<Pattern, Template>();

function toType(place: TypePlace, template: Template): Type {
  const { texts, gaps } = template;
  const [only = ""] = texts;
  if (gaps.length === 0) return literalType([only], place);
  if (texts.join("") === "" && gaps.join() === "string") return typeAt(place, { kind: "string" });
  const text = formatTemplate(template);
  const pattern: Pattern = { source: `^${toSource(template)}$`, template: text };
  TEMPLATES.set(pattern, template);
  return typeAt({ ...place, text: `\`${text}\`` }, { kind: "string", patterns: [pattern] });
}

function formatTemplate({ texts, gaps }: Template): string {
  return texts.map((text, index) => text + (index < gaps.length ? `\${${gaps[index]}}` : "")).join("");
}

/**
 * TypeScript matches without backtracking: a gap ends at the first occurrence of the text after it, and is one character long before
 * another gap. The expression does the same, so no input can make it slow.
 */
function toSource({ texts, gaps }: Template): string {
  const sources = gaps.map((gap, index) => {
    const next = texts[index + 1] ?? "";
    const isLast = index === gaps.length - 1;
    const source = isLast ? GAPS[gap]("") : next === "" ? ONE[gap] : GAPS[gap](`(?!${escapeSource(next)})`);
    return source + escapeSource(next);
  });
  return escapeSource(texts[0] ?? "") + sources.join("");
}

/** @param guard a lookahead that must hold before each character. */
const GAPS: Readonly<Record<Gap, (guard: string) => string>> = {
  string: (guard) => guarded(guard, "[^]", "*"),
  int: (guard) => guarded(guard, "-", "?") + guarded(guard, "[0-9]", "+"),
  number: numberSource,
};

const ONE: Readonly<Record<Gap, string>> = { string: "[^]", int: "[0-9]", number: "[\\s0-9]" };

function guarded(guard: string, character: string, times = ""): string {
  return guard === "" || times === "" ? guard + character + times : `(?:${guard}${character})${times}`;
}

/**
 * The strings that `Number` parses: with white space around, or only white space; a sign, a fraction, an exponent; hexadecimal, octal,
 * binary. TypeScript refuses infinite values: any exponent above 308, except with a mantissa that nobody writes.
 */
function numberSource(guard: string): string {
  const one = (character: string, times?: string): string => guarded(guard, character, times);
  const [sign, digits, dot] = [one("[+\\-]", "?"), one("[0-9]", "+"), one("\\.")];
  const powers = [["3", "0", "[0-8]"], ["[12]", "[0-9]", "[0-9]"], ["[0-9]", "[0-9]"], ["[0-9]"]];
  const power = powers.map((characters) => characters.map((character) => one(character)).join(""));
  const above = `${one("\\+", "?")}${one("0", "*")}(?:${power.join("|")})`;
  const exponent = `(?:${one("[eE]")}(?:${above}|${one("-")}${digits}))?`;
  const decimal = `${sign}(?:${digits}(?:${dot}${one("[0-9]", "*")})?|${dot}${digits})${exponent}`;
  const base = (letter: string, set: string): string => one("0") + one(letter) + one(set, "+");
  const bases = [base("[xX]", "[0-9a-fA-F]"), base("[oO]", "[0-7]"), base("[bB]", "[01]")];
  const blanks = one("\\s", "*");
  return `(?:${blanks}(?:${[decimal, ...bases].join("|")})${blanks}|${one("\\s", "+")})`;
}

function escapeSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Joins `"auto" | \`${number}px\`` to one regular expression, because a union can't have two string members. */
export function joinTemplates(literals: readonly string[], shapes: readonly StringShape[]): StringShape {
  const patterns = shapes.flatMap((shape) => shape.patterns ?? []);
  const sources = [...literals.map(escapeSource), ...patterns.map(({ source }) => source.slice(1, -1))];
  const texts = [
    ...literals.map((text) => JSON.stringify(text)),
    ...patterns.map(({ template }) => template),
  ];
  return {
    kind: "string",
    patterns: [{ source: `^(?:${sources.join("|")})$`, template: texts.join(" | ") }],
  };
}

/** True for a string whose only constraint is a template literal type. */
export function isTemplate(type: Type): type is Type & StringShape {
  if (type.kind !== "string" || Object.keys(type).length !== 3) return false;
  return type.patterns?.length === 1 && type.patterns[0]?.template !== undefined;
}
