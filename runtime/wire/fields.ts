/** The fields of a query or a form: names, which may repeat, with values. */

import { withoutPrototype } from "../message/record.ts";
import type { Raw } from "./taker.ts";

/** Both are lists inside. The names in a map could be chosen to collide. */
export type Fields = URLSearchParams | FormData;

export const NO_FIELDS: Fields = new URLSearchParams();

/** @param text as in a body: a question mark at its beginning is a part of the first name, unlike that of a query. */
export function parseFields(text: string): Fields {
  return new URLSearchParams(`?${text}`);
}

/** @returns all values of that name. */
export function pickField(fields: Fields, name: string): Raw {
  const values = fields.getAll(name);
  return values.length < 2 ? values[0] : values;
}

/** @returns all values by name. */
export function groupFields(fields: Fields): Readonly<Record<string, Raw>> {
  const groups = withoutPrototype<(string | File)[]>([]);
  for (const [name, value] of fields) {
    const group = groups[name];
    if (group) group.push(value);
    else groups[name] = [value];
  }
  return withoutPrototype(
    Object.entries(groups).map(([name, values]) => [name, values.length < 2 ? values[0] : values]),
  );
}
