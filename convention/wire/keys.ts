/** The keys of types: `keyof T`, `T["k"]`, and the properties that all members of a union have. */

import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import {
  type Field,
  NEVER,
  type ObjectOutline,
  type Outline,
  objectOf,
  type Part,
  type Refused,
  refused,
  type TupleOutline,
  type TypePlace,
  toPart,
  UNKNOWN,
  withoutSent,
} from "./outline.ts";
import { applyLater } from "./sent.ts";
import { literalPart, unionPart, unite } from "./unions.ts";

/** The properties of a type, and of a union those that all its members have. */
export function propertiesOf(part: Part): ObjectOutline | Refused {
  const outline = part.outline();
  if (outline.kind === "refused") return withoutSent(outline);
  if (outline.kind === "object") return outline;
  if (outline.kind !== "union") return refuseKeys(part);
  const objects = outline.of.map(propertiesOf);
  const bad = objects.find(({ kind }) => kind === "refused");
  return (
    bad ??
    commonProperties(
      part,
      objects.filter((one) => one.kind === "object"),
    )
  );
}

function refuseKeys({ text, location }: Part): Refused {
  const what = `the keys of \`${text}\``;
  return refused(diagnose("FW324", { what, instead: 'the keys out, as in "name" | "price"' }, location));
}

function commonProperties(place: TypePlace, objects: readonly ObjectOutline[]): ObjectOutline {
  const [first, ...more] = objects;
  const fields = new Map<string, Field>();
  for (const name of first?.fields.keys() ?? []) {
    const found = objects.flatMap((one) => findField(one, name) ?? []);
    if (found.length < objects.length) continue;
    const part = unionPart(
      place,
      found.map((field) => field.part),
    );
    fields.set(name, { part, optional: found.some(({ optional }) => optional) });
  }
  const others = objects.flatMap((one) => one.others ?? []);
  const isIndexed = first?.others !== undefined && others.length === more.length + 1;
  return objectOf(fields, isIndexed ? unionPart(place, others) : undefined);
}

function findField({ fields, others }: ObjectOutline, name: string): Field | undefined {
  return fields.get(name) ?? (others && { part: others, optional: false });
}

/** In a union of keys. */
export interface Keys {
  readonly names: readonly string[];
  /** `string` is among them. */
  readonly any: boolean;
  /** `number` is among them. */
  readonly numbers: boolean;
}

/** @returns undefined for a type that can't be a key. */
export function readKeys(outline: Outline): Keys | Refused | undefined {
  switch (outline.kind) {
    case "refused":
      return withoutSent(outline);
    case "literal":
      if (outline.values.some((value) => typeof value === "boolean")) return undefined;
      return { names: outline.values.map(String), any: false, numbers: false };
    case "never":
      return { names: [], any: false, numbers: false };
    case "string":
      return Object.keys(outline).length === 1 ? { names: [], any: true, numbers: false } : undefined;
    case "number":
      return { names: [], any: false, numbers: true };
    case "union":
      return joinKeys(outline.of.map((member) => readKeys(member.outline())));
    default:
      return undefined;
  }
}

function joinKeys(all: readonly (Keys | Refused | undefined)[]): Keys | Refused | undefined {
  const bad = all.find((keys) => keys === undefined || "kind" in keys);
  if (bad !== undefined || all.includes(undefined)) return bad;
  const known = all.flatMap((keys) => (keys === undefined || "kind" in keys ? [] : keys));
  return {
    names: known.flatMap(({ names }) => names),
    any: known.some(({ any }) => any),
    numbers: known.some(({ numbers }) => numbers),
  };
}

export function keysOutline(place: TypePlace, part: Part): Outline {
  if (part.outline().kind === "unknown") return NEVER;
  const properties = propertiesOf(part);
  if (properties.kind === "refused") return properties;
  const { fields, others } = properties;
  const names = fields.size > 0 ? [literalPart(place, [...fields.keys()])] : [];
  const any = others
    ? [toPart(place, "string", { kind: "string" }), toPart(place, "number", { kind: "number" })]
    : [];
  return unite([...names, ...any]);
}

/** `T[K]`. @param place of the whole. */
export function indexedOutline(place: TypePlace, object: Part, index: Part): Outline {
  const outline = object.outline();
  switch (outline.kind) {
    case "refused": {
      const label = (): string => `${object.label()}[${index.label()}]`;
      return applyLater(outline, { place, label, of: [object] }, ([of = object]) =>
        indexedOutline(place, of, index),
      );
    }
    case "unknown":
      return UNKNOWN;
    case "union":
      return unite(
        outline.of.map((member) =>
          toPart(member, `${member.label()}[]`, indexedOutline(place, member, index)),
        ),
      );
    default: {
      const keys = readKeys(index.outline());
      if (keys === undefined) return missing(object, index, index.text);
      if ("kind" in keys) return keys;
      return isNumber(keys) ? itemsOutline(object, outline, keys, index) : at(object, outline, keys, index);
    }
  }
}

function at(object: Part, outline: Outline, keys: Keys, index: Part): Outline {
  const parts = partsAt(outline, keys);
  if (parts) return unite(parts);
  const lost = keys.names.find((name) => itemAt(outline, name) === undefined);
  return missing(object, index, lost ?? index.text, outline);
}

/** @returns undefined where one of the keys is not there. */
function partsAt(outline: Outline, keys: Keys): readonly Part[] | undefined {
  const found = keys.names.map((name) => itemAt(outline, name));
  if (keys.any || keys.numbers) found.push(itemsOf(outline, keys));
  const known = found.filter((parts) => parts !== undefined);
  return known.length < found.length ? undefined : known.flat();
}

function isNumber({ names, any, numbers }: Keys): boolean {
  return numbers && !any && names.length === 0;
}

/** The literals of a constant, for which many types ask: `(typeof ROLES)[number]`. */
const literalsIn = new WeakMap<Part["outline"], Outline>();

function itemsOutline(object: Part, outline: Outline, keys: Keys, index: Part): Outline {
  const before = literalsIn.get(object.outline);
  if (before) return before;
  const items = at(object, outline, keys, index);
  if (items.kind === "literal") literalsIn.set(object.outline, items);
  return items;
}

function itemAt(outline: Outline, name: string): readonly Part[] | undefined {
  if (outline.kind === "object") {
    const field = findField(outline, name);
    return field && fieldParts(field);
  }
  if (!/^(?:0|[1-9][0-9]*)$/.test(name)) return undefined;
  if (outline.kind === "array") return [outline.items];
  if (outline.kind !== "tuple") return undefined;
  const item = outline.items[Number(name)];
  return item ? fieldParts(item) : outline.rest && [outline.rest];
}

function itemsOf(outline: Outline, keys: Keys): readonly Part[] | undefined {
  if (outline.kind === "object") return outline.others && [outline.others];
  if (keys.any) return undefined;
  if (outline.kind === "array") return [outline.items];
  return outline.kind === "tuple" ? tupleParts(outline) : undefined;
}

function tupleParts({ items, rest }: TupleOutline): readonly Part[] {
  return [...items.flatMap(fieldParts), ...(rest ? [rest] : [])];
}

function fieldParts({ part, optional }: Field): readonly Part[] {
  const place = { text: "undefined", location: part.location };
  return optional ? [part, toPart(place, "undefined", { kind: "undefined", place })] : [part];
}

function missing(object: Part, index: TypePlace, key: string, outline?: Outline): Refused {
  const names = outline?.kind === "object" ? outline.fields.keys() : [];
  return missingKey(object, key, closest(key, names), index);
}

export function missingKey(
  object: TypePlace,
  key: string,
  nearest: string | undefined,
  place: TypePlace,
): Refused {
  return refused(
    diagnose("FW327", { name: key, why: `\`${object.text}\` has no such property`, nearest }, place.location),
  );
}
