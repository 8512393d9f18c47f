/** The input for a body: JSON as text, or the fields of a form. */

import { type Api, type Body, resolve, type Schema } from "./document.ts";
import { fill, freshId, make, makeLabelled } from "./element.ts";
import { makeChoice, makeField } from "./field.ts";
import type { GivenBody } from "./request.ts";
import { sampleOf } from "./sample.ts";

export interface BodyField {
  readonly element: HTMLElement;
  /** Undefined where nothing is filled in. */
  body(): GivenBody | undefined;
}

export function makeBodyField({ content }: Body, api: Api): BodyField {
  const { select, element: chooser } = makeChoice("Content type", Object.keys(content));
  const makeOne = (media: string): BodyField =>
    (/json/.test(media) ? makeJson : makeForm)(media, content[media]?.schema, api);
  const inside = make("div");
  let current = makeOne(select.value);
  fill(inside, current.element);
  // Before the form hears of it, which shows what would be sent.
  select.addEventListener("input", () => {
    current = makeOne(select.value);
    fill(inside, current.element);
  });
  return { element: make("div", chooser, inside), body: () => current.body() };
}

function makeJson(media: string, schema: Schema | undefined, api: Api): BodyField {
  const text = JSON.stringify(sampleOf(schema, api), null, 2);
  const rows = String(Math.min(Math.max(text.split("\n").length, 3), 16));
  const error = make("p.quiet", { id: freshId(), role: "status" });
  const area = make("textarea", { rows, spellcheck: "false", "aria-describedby": error.id });
  area.value = text;
  area.addEventListener("change", () => {
    error.textContent = area.value.trim() === "" ? "" : whyNotJson(area.value);
  });
  return {
    element: makeLabelled(["Body ", make("span.note", "JSON")], area, error),
    body: () => (area.value.trim() === "" ? undefined : { media, text: area.value }),
  };
}

/** It can be sent all the same: the answer to it may be what somebody wants to see. */
function whyNotJson(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : error}`;
  }
}

function makeForm(media: string, given: Schema | undefined, api: Api): BodyField {
  const { properties = {}, required = [] } = resolve(given, api);
  const fields = Object.entries(properties).map(([name, inner]) => {
    const note = required.includes(name) ? "form, required" : "form";
    const schema = resolve(inner, api);
    return { name, schema, field: makeField({ name, schema, note }, api) };
  });
  const element = make(
    "div",
    fields.map(({ field }) => field.element),
  );
  const read = (): GivenBody => ({
    media,
    fields: fields.flatMap(({ name, schema, field }) =>
      [...field.texts(), ...field.files()].map((value) => ({ name, value, schema })),
    ),
  });
  return { element, body: read };
}
