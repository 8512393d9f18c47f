/** A value that a schema takes, to begin with. It holds no invented secret. */

import { type Api, casesOf, resolve, type Schema } from "./document.ts";

/** Types may hold themselves. */
const DEEPEST = 5;
const SECRET = /pass(word|phrase)?|secret|token|credential|api_?key/i;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "ada@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  url: "https://example.org/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** @param name of the property that has the value. */
export function sampleOf(given: Schema | boolean | undefined, api: Api, name = "", depth = 0): unknown {
  const schema = resolve(given, api);
  const { allOf, items, prefixItems, type } = schema;
  if (schema.examples?.length) return schema.examples[0];
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = casesOf(schema);
  if (first !== undefined) return depth > DEEPEST ? null : sampleOf(first, api, name, depth + 1);
  switch (typeof type === "object" ? type[0] : type) {
    case "string":
      return sampleText(schema, name);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return false;
    case "array":
      if (prefixItems) return prefixItems.map((one) => sampleOf(one, api, "", depth + 1));
      return (schema.minItems ?? 0) > 0 && depth < DEEPEST ? [sampleOf(items, api, "", depth + 1)] : [];
    case "null":
      return null;
    default:
      return schema.properties || allOf ? sampleObject(schema, api, depth) : {};
  }
}

/** What must be there; all of it, if nothing must. */
function sampleObject(schema: Schema, api: Api, depth: number): object {
  const { allOf = [], properties = {}, required = Object.keys(properties) } = schema;
  const wanted = Object.entries(properties).filter(([name]) => depth < DEEPEST && required.includes(name));
  const own = wanted.map(([name, inner]) => [name, sampleOf(inner, api, name, depth + 1)] as const);
  const parts = depth < DEEPEST ? allOf.map((part) => sampleOf(part, api, "", depth + 1)) : [];
  return Object.assign({}, ...parts, Object.fromEntries(own));
}

function sampleText({ format = "", pattern, minLength = 0, maxLength }: Schema, name: string): string {
  const known = FORMATS[format];
  if (known !== undefined) return known;
  if (pattern !== undefined || SECRET.test(name)) return "";
  return "text".padEnd(minLength, "t").slice(0, maxLength);
}

function sampleNumber(schema: Schema): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + multipleOf);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - multipleOf);
  if (least !== undefined) return Math.ceil(least / multipleOf) * multipleOf;
  return most !== undefined && most < 1 ? Math.floor(most / multipleOf) * multipleOf : multipleOf;
}
