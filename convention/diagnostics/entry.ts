/** One entry of the catalogue: a kind of diagnostic, and how its texts are filled with details. */

import type { Severity } from "./diagnostic.ts";

export interface Entry {
  /** An error where it is not given. */
  readonly severity?: Severity;
  /** What this kind of diagnostic is called, without details. */
  readonly title: string;
  readonly message: Text;
  readonly hint: Text;
}

/** With a `{name}` for each detail; a function where the words depend on the details. */
type Text = string | ((details: never) => string | null);

/** What a `{name}` may be. Several texts become `a, b and c`. */
type Value = string | number | readonly string[];

/** What an entry's texts need to know. */
export type Details<One extends Entry> = Needs<One["message"]> & Needs<One["hint"]>;

type Needs<Words> = Words extends (details: infer Known) => unknown
  ? Known
  : { readonly [Name in Names<Words>]: Value };

/** The names in braces; braces with a space behind them are part of an example. */
type Names<Words> = Words extends `${string}{${infer Behind}`
  ? Behind extends `${infer Name}}${infer Rest}`
    ? Name extends `${string} ${string}`
      ? Names<Behind>
      : Name | Names<Rest>
    : never
  : never;

/** @example fill("There is no app `{app}`.", { app: "orders" }) // "There is no app `orders`." */
export function fill(text: Text, details: object): string | null {
  if (typeof text === "function") return text(details as never); // its own details, as the signature of diagnose makes sure
  const values = new Map<string, Value>(Object.entries(details));
  return text.replace(/\{(\w+)\}/g, (_, name) => toText(values.get(name) ?? ""));
}

function toText(value: Value): string {
  return typeof value === "object" ? listed(value) : String(value);
}

/** @example listed(["a", "b", "c"]) // "a, b and c" */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
