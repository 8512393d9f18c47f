/** Inputs for values on the wire, made from their schemas. */

import { type Api, resolve, type Schema } from "./document.ts";
import { type Child, freshId, make, makeLabelled } from "./element.ts";
import { typeOf } from "./type-text.ts";

export interface Field {
  readonly element: HTMLElement;
  /** What was filled in: nothing is not sent, and a list has several. */
  texts(): readonly string[];
  files(): readonly File[];
  /** True for an object, whose texts are pairs. */
  readonly isObject: boolean;
}

export interface FieldOptions {
  readonly name: string;
  readonly schema: Schema | boolean | undefined;
  /** What is said beside the name. */
  readonly note: string;
  /** Without it, nothing can be sent. */
  readonly isNeeded?: boolean;
  readonly hint?: string;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** An input has one line, and its placeholder no more. */
const LONGEST_PLACEHOLDER = 40;

export function makeField({ name, schema: given, note, isNeeded, hint }: FieldOptions, api: Api): Field {
  const schema = resolve(given, api);
  const types = typesOf(schema, api);
  const [isObject, isList] = [types.includes("object"), types.includes("array")];
  const value = "default" in schema ? JSON.stringify(schema.default) : formatType(schema);
  const isLong = value.length > LONGEST_PLACEHOLDER && schema.enum === undefined;
  const lines = isObject ? "One key=value a line" : isList ? "One value a line" : undefined;
  const hints = [lines, isLong ? value : undefined, hint].filter((one) => one !== undefined);
  const id = freshId();
  const described = { "aria-describedby": hints.length > 0 && id, placeholder: isLong ? undefined : value };
  const items = isList ? resolve(schema.items, api) : schema;
  const control = makeControl(schema, items, isObject || isList, {
    ...described,
    required: isNeeded,
    multiple: isList,
  });
  const label = [make("code", name), " ", make("span.note", note)];
  const read = (): readonly string[] => {
    if (control.type === "file") return [];
    const values = isObject || isList ? control.value.split("\n") : [control.value];
    return values.filter((one) => one !== "");
  };
  return {
    element: makeLabelled(label, control, hints.length > 0 && make("p.quiet", { id }, hints.join(". "))),
    texts: read,
    files: () => (control instanceof HTMLInputElement ? [...(control.files ?? [])] : []),
    isObject,
  };
}

/** The types that a value may have, those of several schemas too. */
function typesOf(schema: Schema, api: Api): readonly string[] {
  const { type = [], anyOf = [], oneOf = [] } = schema;
  const cases = [...anyOf, ...oneOf].map((one) => resolve(one, api).type ?? []);
  return [type, cases].flat(3) as readonly string[];
}

function formatType(schema: Schema): string {
  return typeOf(schema)
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");
}

function makeControl(
  schema: Schema,
  items: Schema,
  hasLines: boolean,
  { multiple, placeholder, ...shared }: Readonly<Record<string, string | boolean | undefined>>,
): Control {
  if (items.contentMediaType) return make("input", { ...shared, type: "file", multiple });
  if (hasLines) return make("textarea", { ...shared, rows: "2", placeholder, spellcheck: "false" });
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);
  if (choices) return make("select", shared, makeOptions(["", ...choices.map(String)]));
  const isNumber = schema.type === "integer" || schema.type === "number";
  const inputmode = isNumber ? "decimal" : undefined;
  return make("input", { ...shared, inputmode, placeholder, autocomplete: "off", spellcheck: "false" });
}

/** A list to choose from, which shows only where there is a choice. */
export function makeChoice(
  label: string,
  values: readonly string[],
): { readonly select: HTMLSelectElement; readonly element: Child } {
  const select = make("select", makeOptions(values));
  const element = makeLabelled(label, select);
  return { select, element: values.length > 1 && element };
}

function makeOptions(values: readonly string[]): Child {
  return values.map((value) => make("option", { value }, value || "–"));
}
