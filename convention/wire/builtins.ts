/** Evaluates TypeScript's utility types, such as `Pick` and `Record`, and refuses built-in types that no request can carry. */

import { closest } from "../diagnostics/closest.ts";
import { findField, type Keys, missingKey, propertiesOf, readKeys, refuseKey } from "./keys.ts";
import {
  type ArrayType,
  type Field,
  isNullish,
  type Kind,
  labelOf,
  lazily,
  look,
  membersOf,
  type ObjectType,
  objectOf,
  type Refused,
  refuse,
  refusedAmong,
  singles,
  type TupleEntry,
  type TupleType,
  type Type,
  type TypePlace,
} from "./type.ts";
import { unite, withoutUndefined } from "./unions.ts";

interface Builtin {
  readonly parameters: readonly string[];
  readonly example: string;
  readonly read: (first: Type, second: Type) => Kind;
}

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["Date", { parameters: [], example: "Date", read: () => ({ kind: "date" }) }],
  ["File", { parameters: [], example: "File", read: () => ({ kind: "file" }) }],
  ["Partial", { parameters: ["T"], example: "Partial<Product>", read: partial }],
  ["Required", { parameters: ["T"], example: "Required<Product>", read: required }],
  ["Readonly", { parameters: ["T"], example: "Readonly<Product>", read: look }],
  ["NonNullable", { parameters: ["T"], example: "NonNullable<Name>", read: nonNullable }],
  ["Record", { parameters: ["K", "T"], example: "Record<string, number>", read: record }],
  ["Pick", { parameters: ["T", "K"], example: 'Pick<Product, "name">', read: pick }],
  ["Omit", { parameters: ["T", "K"], example: 'Omit<Product, "id">', read: omit }],
  ["Exclude", { parameters: ["T", "U"], example: 'Exclude<Role, "guest">', read: exclude }],
  ["Extract", { parameters: ["T", "U"], example: 'Extract<Role, "guest">', read: extract }],
]);

/** Types that no request can carry, with suggested replacements. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ["Map", "Record<string, …>"],
  ["ReadonlyMap", "Record<string, …>"],
  ["WeakMap", "Record<string, …>"],
  ["Set", "an array, with `& UniqueItems` if no two items may be equal"],
  ["ReadonlySet", "an array, with `& UniqueItems` if no two items may be equal"],
  ["WeakSet", "an array, with `& UniqueItems` if no two items may be equal"],
  ["Promise", "the type that it resolves to"],
  ["Function", "the type of a value"],
  ["RegExp", "`string`"],
  ["URL", "`string & Uri`"],
  ["Error", "an interface with a message"],
  ["Uint8Array", "`string` in JSON, or `File` in a form"],
  ["ArrayBuffer", "`string` in JSON, or `File` in a form"],
  ["Buffer", "`string` in JSON, or `File` in a form"],
  ["Blob", "`File`"],
  ["String", "`string`"],
  ["Number", "`number`"],
  ["Boolean", "`boolean`"],
  ["BigInt", "`int`, or `string` for more digits"],
  ["Symbol", "`string`"],
  ["Object", "`object`"],
  ["Array", "`string[]`"],
  ["ReadonlyArray", "`string[]`"],
  ["Iterable", "an array"],
]);

/** Utility types that are not evaluated in requests. */
const COMPUTED: ReadonlySet<string> = new Set([
  "Awaited",
  "Capitalize",
  "ConstructorParameters",
  "InstanceType",
  "Lowercase",
  "NoInfer",
  "OmitThisParameter",
  "Parameters",
  "ReturnType",
  "ThisParameterType",
  "ThisType",
  "Uncapitalize",
  "Uppercase",
]);

export const BUILTIN_NAMES: readonly string[] = [...BUILTINS.keys(), ...OTHERS.keys(), ...COMPUTED];

/** @returns undefined for a name that is not in {@link BUILTINS}. */
export function readBuiltin(name: string, types: readonly Type[], place: TypePlace): Kind | undefined {
  const builtin = BUILTINS.get(name);
  if (builtin === undefined) return undefined;
  const parameter = builtin.parameters[types.length];
  if (parameter !== undefined) return refuseMissing(name, parameter, builtin.example, place);
  const never: Type = { kind: "never", at: place };
  const [first = never, second = never] = types;
  return refusedAmong(types) ?? builtin.read(first, second);
}

/** @returns undefined for a name that is not a built-in type. */
export function refuseBuiltin(name: string, place: TypePlace): Refused | undefined {
  const instead = OTHERS.get(name);
  const article = /^[AEIO]/.test(name) ? "an" : "a";
  if (instead !== undefined) return refuse("FW323", { what: `${article} ${name}`, instead }, place);
  if (!COMPUTED.has(name)) return undefined;
  return refuse("FW324", { what: `\`${place.text}\``, instead: "out the type that it gives" }, place);
}

/** The error for a missing type argument. */
export function refuseMissing(name: string, parameter: string, example: string, place: TypePlace): Refused {
  const wanted = `a type for \`${parameter}\``;
  return refuse("FW340", { name, wanted, found: "none", example }, place);
}

/** Maps each member of a union, as TypeScript distributes a mapped type. */
function eachMember(type: Type, operator: string, map: (type: Kind) => Kind): Kind {
  const members = membersOf(type);
  if (members.length === 1) return map(look(type));
  const label = (member: Type): string => `${operator}<${labelOf(member)}>`;
  return unite(
    members.map((member) => ({
      ...map(look(member)),
      at: { text: member.at.text, location: member.at.location, label: () => label(member) },
    })),
  );
}

function partial(type: Type): Kind {
  return mapFields(
    type,
    "Partial",
    (field) => ({ ...field, optional: true }),
    (item) => ({ ...item, optional: true }),
  );
}

function required(type: Type): Kind {
  return mapFields(type, "Required", requireField, (item) =>
    item.optional ? { type: withoutUndefined(item.type), optional: false } : item,
  );
}

function mapFields(
  type: Type,
  operator: string,
  map: (field: Field) => Field,
  mapItem: (item: TupleEntry) => TupleEntry,
): Kind {
  return eachMember(type, operator, (member) => {
    if (member.kind === "tuple") return { ...member, items: member.items.map(mapItem) };
    if (member.kind !== "object") return member;
    return { ...member, fields: new Map([...member.fields].map(([name, field]) => [name, map(field)])) };
  });
}

function requireField(field: Field): Field {
  if (!field.optional) return field;
  const { location } = field;
  const read = lazily({ text: "Required", location }, () => withoutUndefined(field.read()));
  return { ...field, read, optional: false };
}

function nonNullable(type: Type): Kind {
  return unite(membersOf(type).filter((member) => !isNullish(member)));
}

function record(keys: Type, type: Type): Kind {
  const found = readKeys(keys);
  if (found === undefined || (!("kind" in found) && found.numbers && !found.any)) return refuseKey(keys.at);
  if ("kind" in found) return found;
  const { location } = type.at;
  const fields = new Map(found.names.map((name) => [name, { read: () => type, optional: false, location }]));
  return objectOf(found.any ? new Map() : fields, found.any ? type : undefined);
}

/** The operands of `Pick` and `Omit`: the properties of the first type, and the keys in the second. */
function readSelection(
  type: Type,
  keys: Type,
): Refused | { readonly properties: ObjectType; readonly found: Keys } {
  const properties = propertiesOf(type);
  if (properties.kind === "refused") return properties;
  const found = readKeys(keys) ?? refuseKey(keys.at);
  return "kind" in found ? found : { properties, found };
}

function pick(type: Type, keys: Type): Kind {
  const selection = readSelection(type, keys);
  if ("kind" in selection) return selection;
  const { properties, found } = selection;
  const picked = new Map<string, Field>();
  for (const name of found.names) {
    const field = findField(properties, name);
    if (field === undefined)
      return missingKey(type.at, name, closest(name, properties.fields.keys()), keys.at);
    picked.set(name, field);
  }
  return objectOf(picked, found.any ? properties.others : undefined);
}

/** For a type with an index signature only the index signature remains, as in TypeScript, where `string` includes all other keys. */
function omit(type: Type, keys: Type): Kind {
  const selection = readSelection(type, keys);
  if ("kind" in selection) return selection;
  const { properties, found } = selection;
  const { fields, others, memberErrors } = properties;
  if (found.any) return objectOf(new Map());
  if (others) return objectOf(new Map(), others);
  const left = new Map([...fields].filter(([name]) => !found.names.includes(name)));
  return objectOf(left, undefined, memberErrors);
}

function exclude(type: Type, excluded: Type): Kind {
  return unite(singles(type).filter((member) => !isAssignable(member, excluded)));
}

function extract(type: Type, extracted: Type): Kind {
  return unite(singles(type).filter((member) => isAssignable(member, extracted)));
}

/** Recursive types that are equal to this depth count as equal. */
const DEEPEST_COMPARED = 20;

/** Approximates assignability for `Extract` and `Exclude`: true if every value of the first type fits the second. */
function isAssignable(one: Type, other: Type, depth = 0): boolean {
  if (depth > DEEPEST_COMPARED || labelOf(one) === labelOf(other)) return true;
  if (look(other).kind === "unknown") return true;
  return singles(one).every((member) =>
    singles(other).some((target) => fits(look(member), look(target), depth + 1)),
  );
}

function fits(one: Kind, other: Kind, depth: number): boolean {
  if (one.kind === "never" || other.kind === "unknown") return true;
  if (one.kind === "literal")
    return other.kind === "literal"
      ? one.values.every((value) => other.values.includes(value))
      : one.values.every((value) => typeof value === other.kind);
  if (one.kind === "object" && other.kind === "object")
    return [...other.fields].every(([name, target]) => {
      const field = one.fields.get(name);
      if (field === undefined) return target.optional;
      return (target.optional || !field.optional) && isAssignable(field.read(), target.read(), depth);
    });
  if (isList(one) && isList(other)) return fitsList(one, other, depth);
  return one.kind === other.kind;
}

function isList(type: Kind): type is ArrayType | TupleType {
  return type.kind === "array" || type.kind === "tuple";
}

function fitsList(one: ArrayType | TupleType, other: ArrayType | TupleType, depth: number): boolean {
  const inside =
    one.kind === "array"
      ? [one.items]
      : [...one.items.map(({ type }) => type), ...(one.rest ? [one.rest] : [])];
  if (other.kind === "array") return inside.every((item) => isAssignable(item, other.items, depth));
  if (one.kind === "array" || one.items.length !== other.items.length) return false;
  return other.items.every(({ type }, index) => {
    const item = one.items[index];
    return item !== undefined && isAssignable(item.type, type, depth);
  });
}
