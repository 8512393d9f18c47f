/** Evaluates `keyof T` and `T[K]`. */

import { closest } from "../diagnostics/closest.ts";
import {
  type Field,
  type Kind,
  lazily,
  literalType,
  look,
  membersOf,
  NEVER,
  type ObjectType,
  objectOf,
  type Refused,
  refuse,
  type TupleEntry,
  type Type,
  type TypePlace,
  textType,
  typeAt,
  UNKNOWN,
} from "./type.ts";
import { unite, uniteAt } from "./unions.ts";

/** The properties of an object type; for a union the properties that all members have. */
export function propertiesOf(type: Type): ObjectType | Refused {
  const found = look(type);
  if (found.kind === "refused" || found.kind === "object") return found;
  if (found.kind !== "union") return refuseKeys(type);
  const objects: ObjectType[] = [];
  for (const member of found.of) {
    const properties = propertiesOf(member);
    if (properties.kind === "refused") return properties;
    objects.push(properties);
  }
  return commonProperties(type, objects);
}

function refuseKeys({ at }: Type): Refused {
  const what = `the keys of \`${at.text}\``;
  return refuse("FW324", { what, instead: 'the keys out, as in "name" | "price"' }, at);
}

function commonProperties({ at }: Type, objects: readonly ObjectType[]): ObjectType {
  const [first] = objects;
  const fields = new Map<string, Field>();
  for (const name of first?.fields.keys() ?? []) {
    const found = objects.flatMap((one) => findField(one, name) ?? []);
    if (found.length < objects.length) continue;
    fields.set(name, {
      read: lazily(at, () =>
        uniteAt(
          at,
          found.map((field) => field.read()),
        ),
      ),
      optional: found.some(({ optional }) => optional),
      location: at.location,
    });
  }
  const others = objects.flatMap((one) => one.others ?? []);
  return objectOf(fields, others.length === objects.length ? uniteAt(at, others) : undefined);
}

export function findField({ fields, others }: ObjectType, name: string): Field | undefined {
  return (
    fields.get(name) ?? (others && { read: () => others, optional: false, location: others.at.location })
  );
}

/** The keys in a union such as `"name" | number`. */
export interface Keys {
  /** The literal keys. */
  readonly names: readonly string[];
  /** True if the union has `string`. */
  readonly any: boolean;
  /** True if the union has `number`. */
  readonly numbers: boolean;
}

/** @returns undefined for a type that can't be a property key. */
export function readKeys(type: Type): Keys | Refused | undefined {
  const keys = { names: [] as string[], any: false, numbers: false };
  for (const member of membersOf(type)) {
    if (member.kind === "refused") return member;
    if (member.kind === "number") keys.numbers = true;
    else if (member.kind === "string" && Object.keys(member).length === 2) keys.any = true;
    else if (member.kind === "literal" && member.values.every((value) => typeof value !== "boolean"))
      keys.names.push(...member.values.map(String));
    else if (member.kind !== "never") return undefined;
  }
  return keys;
}

export function keysOf(place: TypePlace, type: Type): Kind {
  if (look(type).kind === "unknown") return NEVER;
  const properties = propertiesOf(type);
  if (properties.kind === "refused") return properties;
  const { fields, others } = properties;
  const names = fields.size > 0 ? [literalType([...fields.keys()], place)] : [];
  const any = others ? [textType(place), typeAt({ ...place, text: "number" }, { kind: "number" })] : [];
  return unite([...names, ...any]);
}

/** Evaluates `T[K]`. @param place the place of the whole expression. */
export function indexed(place: TypePlace, object: Type, index: Type): Kind {
  const found = look(object);
  switch (found.kind) {
    case "refused":
      return found;
    case "unknown":
      return UNKNOWN;
    case "union":
      // The label of the result replaces the member's, because it is another type.
      return unite(found.of.map((member) => ({ at: member.at, ...indexed(place, member, index) })));
    default: {
      const keys = readKeys(index);
      if (keys === undefined) return missingKey(object.at, index.at.text, undefined, index.at);
      return "kind" in keys ? keys : findAt(object, found, keys, index);
    }
  }
}

function findAt(object: Type, found: Kind, keys: Keys, index: Type): Kind {
  const types = keys.names.map((name) => itemAt(found, name));
  if (keys.any || keys.numbers) types.push(itemsOf(found, keys));
  const known = types.filter((one) => one !== undefined);
  if (known.length === types.length) return unite(known.flat());
  const lost = keys.names.find((name) => itemAt(found, name) === undefined) ?? index.at.text;
  const names = found.kind === "object" ? found.fields.keys() : [];
  return missingKey(object.at, lost, closest(lost, names), index.at);
}

function itemAt(type: Kind, name: string): readonly Type[] | undefined {
  if (type.kind === "object") {
    const field = findField(type, name);
    return field && typesOf({ type: field.read(), optional: field.optional });
  }
  if (!/^(?:0|[1-9][0-9]*)$/.test(name)) return undefined;
  if (type.kind === "array") return [type.items];
  if (type.kind !== "tuple") return undefined;
  const item = type.items[Number(name)];
  return item ? typesOf(item) : type.rest && [type.rest];
}

function itemsOf(type: Kind, keys: Keys): readonly Type[] | undefined {
  if (type.kind === "object") return type.others && [type.others];
  if (keys.any) return undefined;
  if (type.kind === "array") return [type.items];
  return type.kind === "tuple"
    ? [...type.items.flatMap(typesOf), ...(type.rest ? [type.rest] : [])]
    : undefined;
}

function typesOf({ type, optional }: TupleEntry): readonly Type[] {
  return optional ? [type, typeAt({ ...type.at, text: "undefined" }, { kind: "undefined" })] : [type];
}

export function missingKey(
  object: TypePlace,
  key: string,
  nearest: string | undefined,
  place: TypePlace,
): Refused {
  const why = `\`${object.text}\` has no such property`;
  return refuse("FW327", { name: key, why, nearest, isProperty: true }, place);
}

export function refuseKey(place: TypePlace): Refused {
  const instead = "`string`, or the keys as literals";
  return refuse("FW324", { what: `\`${place.text}\` as the name of a property`, instead }, place);
}
