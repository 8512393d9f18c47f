/** What a value should be, in words that finish the sentence "name: …". */

import type { Format, Shape } from "./shape.ts";

/** A longer list helps nobody. */
const MAX_LISTED = 20;

export const DATE_TIME_WORDS = "a date-time such as 2026-11-22T10:30:00Z";

const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  date: "a date such as 2026-11-22",
  "date-time": DATE_TIME_WORDS,
  duration: "a duration such as P3DT12H",
  email: "an email address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  time: "a time such as 10:30:00Z",
  uri: "a URI such as https://example.com/",
  uuid: "a UUID",
};

export function describeFormat(format: Format): string {
  return FORMAT_WORDS[format];
}

/** @example count(3, "item") // "3 items" */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** @example listWords(["admin", "guest"]) // "one of admin, guest" */
export function listWords(words: readonly string[]): string {
  if (words.length === 1) return `exactly ${words[0]}`;
  const more = words.length > MAX_LISTED ? ", …" : "";
  return `one of ${words.slice(0, MAX_LISTED).join(", ")}${more}`;
}

/**
 * @param members of a union; none of them is a union or a reference.
 * @param demands what a member asks for, where its description would not say why the value is refused.
 * @example describeChoices([int, all]) // "a whole number, or all"
 */
export function describeChoices(members: readonly Shape[], demands?: ReadonlyMap<Shape, string>): string {
  const literals = members.flatMap((member): readonly unknown[] => {
    if (member.kind === "null") return [null];
    return member.kind === "literal" ? member.values : [];
  });
  const listed = listWords(literals.map(String));
  const words = members.flatMap((member) => {
    if (member.kind === "never") return [];
    if (member.kind === "literal" || member.kind === "null") return [listed];
    return [demands?.get(member) ?? describe(member)];
  });
  const [first = "nothing", ...more] = new Set(words);
  if (more.length === 0) return first;
  const choices = [first, ...more].map((choice) =>
    choice === listed ? choice.replace(/^exactly /, "") : choice,
  );
  return `${choices.slice(0, -1).join(", ")}, or ${choices.at(-1)}`;
}

/** @returns what fits one member of a union, or a shape that is not a union. */
export function describe(shape: Shape): string {
  switch (shape.kind) {
    case "string":
      return "a string";
    case "number":
      return shape.integer ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "literal":
      return listWords(shape.values.map(String));
    case "date":
      return DATE_TIME_WORDS;
    case "array":
    case "tuple":
      return "an array";
    case "file":
      return "a file";
    default:
      return "an object";
  }
}
