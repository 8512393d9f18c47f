/** Reads the marks for credentials, such as `ApiKey<"x-api-key">`: which credential a request needs, and in which place. */

import type { KeyPlace } from "#runtime/wire/credentials";
import type { DeclaredInput, Place } from "#runtime/wire/inputs";
import type { Shape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TypeExpression } from "../source/module.ts";
import { exampleOf, type TakeMark } from "./marks.ts";
import { placed } from "./places.ts";
import type { ScopedType } from "./scope.ts";
import type { ShapeReader } from "./shapes.ts";

type Credential = Pick<DeclaredInput, "key" | "from" | "shape">;

/** RFC 9110 section 5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const KEY_PLACES: Readonly<Record<KeyPlace, string>> = {
  header: "header",
  cookie: "cookie",
  query: "query parameter",
};

export function readCredential(
  shapes: ShapeReader,
  { name: mark, place, of: [named, placedIn], alias }: TakeMark,
  location: TypeExpression["location"],
): Credential | Diagnostic {
  // The contract reads the comment at this location.
  const shape = alias ? placed(shapeOf(place), alias.location) : shapeOf(place);
  if (place === "bearer" || place === "basic") return { shape };
  const name = readText(shapes, named) ?? "";
  if (place === "credential") {
    const own = OWN_MARKS.get(name.toLowerCase());
    if (own) return refuse("a scheme without a mark of its own", named, own);
    return TOKEN.test(name) ? { key: name, shape } : refuse("the name of a scheme as a literal", named);
  }
  const from = placedIn ? readText(shapes, placedIn) : "header";
  if (!isKeyPlace(from)) return refuse(OTHER_PLACES, placedIn, 'ApiKey<"session", "cookie">');
  if (!TOKEN.test(name)) return refuse(`the name of a ${KEY_PLACES[from]} as a literal`, named);
  return from === "header" ? { key: name.toLowerCase(), shape } : { key: name, from, shape };

  function refuse(wanted: string, found: ScopedType | undefined, example = exampleOf(mark)): Diagnostic {
    const details = { name: mark, wanted, found: `\`${found?.type.text}\``, example };
    return diagnose("FW340", details, location);
  }
}

const OTHER_PLACES = '"header", "cookie" or "query" as its second type';

const OWN_MARKS: ReadonlyMap<string, string> = new Map([
  ["bearer", "Bearer"],
  ["basic", "Basic"],
]);

function isKeyPlace(text: string | undefined): text is KeyPlace {
  return Object.hasOwn(KEY_PLACES, text ?? "");
}

/** @returns undefined for a type that is not a single string literal. */
function readText(shapes: ShapeReader, argument: ScopedType | undefined): string | undefined {
  const shape = argument && shapes.read(argument).shape;
  const [text, second] = shape?.kind === "literal" ? shape.values : [];
  return typeof text === "string" && second === undefined ? text : undefined;
}

/** Returns a new object for each take, because `places.ts` records locations by object. */
function shapeOf(place: Place): Shape {
  if (place !== "basic") return { kind: "string" };
  const properties = ["username", "password"].map(
    (name) => ({ name, shape: { kind: "string" }, optional: false }) as const,
  );
  return { kind: "object", properties };
}
