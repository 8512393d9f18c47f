/** Inputs for values on the wire, made from their schemas. */

import { type Api, resolve, type Schema } from "./document.ts";
import { type Child, freshId, make } from "./element.ts";
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

export function makeField({ name, schema: given, note, isNeeded, hint }: FieldOptions, api: Api): Field {
  const schema = resolve(given, api);
  const types = typesOf(schema, api);
  const isObject = types.includes("object");
  const isList = types.includes("array");
  const hints = [isObject ? "One key=value a line" : isList ? "One value a line" : "", hint ?? ""];
  const text = hints.filter((one) => one !== "").join(". ");
  const [id, hintId] = [freshId(), freshId()];
  const described = text === "" ? undefined : hintId;
  const shared = { id, required: isNeeded, "aria-describedby": described };
  const control = makeControl(schema, api, { isLong: isObject || isList, isList }, shared);
  const element = make(
    "div",
    { class: "field" },
    make("label", { for: id }, make("code", {}, name), " ", make("span", { class: "note" }, note)),
    control,
    text !== "" && make("p", { id: hintId, class: "quiet" }, text),
  );
  const read = (): readonly string[] => {
    if (control.type === "file") return [];
    const values = isObject || isList ? control.value.split("\n") : [control.value];
    return values.filter((value) => value !== "");
  };
  return { element, texts: read, files: () => filesOf(control), isObject };
}

function filesOf(control: Control): readonly File[] {
  return control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
}

/** The types that a value may have, those of several schemas too. */
function typesOf(schema: Schema, api: Api): readonly string[] {
  const { type = [], anyOf = [], oneOf = [] } = schema;
  const cases = [...anyOf, ...oneOf].map((one) => resolve(one, api).type ?? []);
  return [type, cases].flat(3) as readonly string[];
}

function makeControl(
  schema: Schema,
  api: Api,
  { isLong, isList }: { isLong: boolean; isList: boolean },
  attributes: Readonly<Record<string, string | boolean | undefined>>,
): Control {
  const items = isList ? resolve(schema.items, api) : schema;
  if (items.contentMediaType) return make("input", { ...attributes, type: "file", multiple: isList });
  const placeholder =
    "default" in schema ? JSON.stringify(schema.default) : typeOf(schema).map(nameOnly).join("");
  if (isLong) return make("textarea", { ...attributes, rows: "2", placeholder, spellcheck: "false" });
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);
  if (choices) return make("select", attributes, makeOptions(["", ...choices.map(String)]));
  const isNumber = schema.type === "integer" || schema.type === "number";
  const inputmode = isNumber ? "decimal" : undefined;
  return make("input", { ...attributes, inputmode, placeholder, autocomplete: "off", spellcheck: "false" });
}

function nameOnly(part: string | { readonly name: string }): string {
  return typeof part === "string" ? part : part.name;
}

/** A list to choose from, which shows only where there is a choice. */
export function makeChoice(
  label: string,
  values: readonly string[],
): { readonly select: HTMLSelectElement; readonly element: Child } {
  const id = freshId();
  const select = make("select", { id }, makeOptions(values));
  const element = make("div", { class: "field" }, make("label", { for: id }, label), select);
  return { select, element: values.length > 1 && element };
}

function makeOptions(values: readonly string[]): Child {
  return values.map((value) => make("option", { value }, value || "–"));
}
