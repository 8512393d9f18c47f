/** The input for a body: JSON as text, or the fields of a form. */

import { type Api, type Body, type Content, resolve, type Schema } from "./document.ts";
import { fill, freshId, make } from "./element.ts";
import { type Field, makeChoice, makeField } from "./field.ts";
import type { FormField, GivenBody } from "./request.ts";
import { sampleOf } from "./sample.ts";

export interface BodyField {
  readonly element: HTMLElement;
  /** Undefined where nothing is filled in. */
  body(): GivenBody | undefined;
}

export function makeBodyField({ content }: Body, api: Api): BodyField {
  const medias = Object.keys(content);
  const { select, element: chooser } = makeChoice("Content type", medias);
  const inside = make("div");
  let current = makeOne(select.value, content, api);
  const change = (): void => {
    current = makeOne(select.value, content, api);
    fill(inside, [current.element]);
  };
  // Before the form hears of it, which shows what would be sent.
  select.addEventListener("input", change);
  change();
  return {
    element: make("div", {}, chooser, inside),
    body: () => current.body(),
  };
}

function makeOne(media: string, content: Content, api: Api): BodyField {
  const schema = content[media]?.schema;
  return /json/.test(media) ? makeJson(media, schema, api) : makeForm(media, schema, api);
}

function makeJson(media: string, schema: Schema | undefined, api: Api): BodyField {
  const [id, errorId] = [freshId(), freshId()];
  const text = JSON.stringify(sampleOf(schema, api), null, 2);
  const rows = String(Math.min(Math.max(text.split("\n").length, 3), 16));
  const area = make("textarea", {
    id,
    rows,
    spellcheck: "false",
    "aria-describedby": errorId,
  });
  const error = make("p", { id: errorId, class: "quiet", role: "status" });
  area.value = text;
  area.addEventListener("change", () => {
    error.textContent = area.value.trim() === "" ? "" : whyNotJson(area.value);
  });
  const label = make("label", { for: id }, "Body ", make("span", { class: "note" }, "JSON"));
  return {
    element: make("div", { class: "field" }, label, area, error),
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
  const fields = Object.entries(properties).map(([name, schema]): readonly [string, Field] => {
    const note = required.includes(name) ? "form, required" : "form";
    return [name, makeField({ name, schema, note }, api)];
  });
  const read = (): FormField[] =>
    fields.flatMap(([name, field]) => {
      const schema = resolve(properties[name], api);
      return [...field.texts(), ...field.files()].map((value) => ({ name, value, schema }));
    });
  return {
    element: make(
      "div",
      {},
      fields.map(([, { element }]) => element),
    ),
    body: () => ({ media, fields: read() }),
  };
}
