/** The names of the client's types: those of the project, as far as TypeScript and the rest of the file leave them free. */

import { createNameGiver } from "#convention/wire/labels";
import type { Definitions } from "#runtime/wire/shape";
import { wordsOfTransport } from "./transport.ts";

/** What the file calls its own, besides what is in its transport; and `Error`, which a caller who imports it would lose. */
const OWN = ["AnswerOf", "Client", "ClientOptions", "Error", "InputOf", "NoInput", "ROUTES", "createClient"];

/** The types of the platform that the file uses, besides those in its transport. */
const PLATFORM = "AsyncIterable Awaited NonNullable Parameters ReadableStream ReturnType Uint8Array";

/** No type can be called so. */
const KEYWORDS =
  "any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for function globalThis if implements import in infer instanceof interface intrinsic is keyof let never new null number object package private protected public readonly return static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield";

/** @returns gives a definition its name; another where it is another type for who sends it. */
export function nameTypes(
  definitions: Definitions,
  dated: ReadonlySet<string>,
): (definition: string, isSent: boolean) => string {
  const taken = new Set([...OWN, ...PLATFORM.split(" "), ...KEYWORDS.split(" "), ...wordsOfTransport()]);
  const names = createNameGiver();
  const claim = (definition: string, isSent: boolean): string => {
    const wanted = toIdentifier(definition) + (isSent ? "Input" : "");
    return names.claim(`${isSent} ${definition}`, taken.has(wanted) ? `Api${capitalize(wanted)}` : wanted);
  };
  // No name depends on which routes there are.
  for (const definition of Object.keys(definitions).sort()) claim(definition, false);
  for (const definition of [...dated].sort()) claim(definition, true);
  return claim;
}

/** @example toIdentifier("Page<Product>") // "PageProduct" */
function toIdentifier(definition: string): string {
  const [first = "", ...others] = definition.match(/[\p{ID_Continue}$]+/gu) ?? [];
  const name = first + others.map(capitalize).join("");
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `Type${name}`;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
