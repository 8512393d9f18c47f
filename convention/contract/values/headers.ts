/** The headers that `reply` or an `HttpError` is given, as far as the source says them. */

import { type Closed, knownText } from "../../source/written.ts";

export interface WrittenHeader {
  /** In lower case. */
  readonly name: string;
  readonly value: string | undefined;
}

/** @param headers an object, or pairs. */
export function readHeaders(headers: Closed | undefined): readonly WrittenHeader[] {
  const pairs =
    headers?.kind === "object"
      ? [...headers.fields]
      : headers?.kind === "list"
        ? headers.of.flatMap((item) => (item.kind === "list" ? [toPair(item.of)] : []))
        : [];
  return pairs.flatMap(([name, value]) =>
    name === undefined ? [] : [{ name: name.toLowerCase(), value: value && knownText(value) }],
  );
}

function toPair([name, value]: readonly Closed[]): [string | undefined, Closed | undefined] {
  return [name && knownText(name), value];
}
