/** TypeScript's own types: the ones that make a type of others, and the ones that no request can carry. */

import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { isAssignable } from "./assignable.ts";
import { missingKey, propertiesOf, readKeys } from "./keys.ts";
import {
  createPart,
  type Field,
  membersOfPart,
  type Outline,
  objectOf,
  type Part,
  type Refused,
  refused,
  type TypePlace,
  toPart,
  withoutSent,
} from "./outline.ts";
import { applyLater } from "./sent.ts";
import { isNullish, singles, unite, withoutUndefined } from "./unions.ts";

interface Builtin {
  readonly parameters: readonly string[];
  readonly example: string;
  readonly read: (place: TypePlace, first: Part, second: Part) => Outline;
}

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["Date", { parameters: [], example: "Date", read: () => ({ kind: "date" }) }],
  ["File", { parameters: [], example: "File", read: () => ({ kind: "file" }) }],
  ["Partial", { parameters: ["T"], example: "Partial<Product>", read: (_, type) => partial(type) }],
  ["Required", { parameters: ["T"], example: "Required<Product>", read: (_, type) => required(type) }],
  ["Readonly", { parameters: ["T"], example: "Readonly<Product>", read: (_, type) => type.outline() }],
  ["NonNullable", { parameters: ["T"], example: "NonNullable<Name>", read: (_, type) => nonNullable(type) }],
  ["Record", { parameters: ["K", "T"], example: "Record<string, number>", read: record }],
  ["Pick", { parameters: ["T", "K"], example: 'Pick<Product, "name">', read: pick }],
  ["Omit", { parameters: ["T", "K"], example: 'Omit<Product, "id">', read: omit }],
  ["Exclude", { parameters: ["T", "U"], example: 'Exclude<Role, "guest">', read: exclude }],
  ["Extract", { parameters: ["T", "U"], example: 'Extract<Role, "guest">', read: extract }],
]);

/** What no request can carry, with what to write in its place. */
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

/** Types that TypeScript computes. */
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

/** @returns undefined where TypeScript has no type of this name. */
export function readBuiltin(name: string, given: readonly Part[], place: TypePlace): Outline | undefined {
  const builtin = BUILTINS.get(name);
  if (builtin) return apply(name, builtin, given, place);
  const { text, location } = place;
  const instead = OTHERS.get(name);
  if (instead !== undefined)
    return refused(diagnose("FW323", { what: withArticle(name), instead }, location));
  if (!COMPUTED.has(name)) return undefined;
  return refused(diagnose("FW324", { what: `\`${text}\``, instead: "out the type that it gives" }, location));
}

function withArticle(name: string): string {
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

function apply(
  name: string,
  { parameters, example, read }: Builtin,
  given: readonly Part[],
  place: TypePlace,
): Outline {
  const parameter = parameters[given.length];
  if (parameter !== undefined)
    return refused(
      diagnose(
        "FW340",
        { name, wanted: `a type for \`${parameter}\``, found: "none", example },
        place.location,
      ),
    );
  const bad = given.map((part) => part.outline()).find((outline) => outline.kind === "refused");
  const [first = UNUSED, second = UNUSED] = given;
  if (bad === undefined) return read(place, first, second);
  const label = (): string => `${name}<${given.map((part) => part.label()).join(", ")}>`;
  return applyLater(bad, { place, label, of: given }, ([one = UNUSED, other = UNUSED]) =>
    read(place, one, other),
  );
}

const UNUSED: Part = toPart({ text: "never", location: { file: "", line: 1, column: 1 } }, "never", {
  kind: "never",
});

/** As TypeScript does, for each member of a union alone. */
function eachMember(part: Part, operator: string, map: (outline: Outline) => Outline): Outline {
  const members = membersOfPart(part);
  if (members.length === 1 && members[0] === part) return map(part.outline());
  const mapMember = (outline: Outline): Outline =>
    outline.kind === "refused" ? withoutSent(outline) : map(outline);
  return unite(
    members.map((member) => toPart(member, `${operator}<${member.label()}>`, mapMember(member.outline()))),
  );
}

function partial(part: Part): Outline {
  return eachMember(part, "Partial", (outline) => {
    if (outline.kind === "tuple")
      return { ...outline, items: outline.items.map((item) => ({ ...item, optional: true })) };
    if (outline.kind !== "object") return outline;
    return { ...outline, fields: mapFields(outline.fields, (field) => ({ ...field, optional: true })) };
  });
}

function required(part: Part): Outline {
  return eachMember(part, "Required", (outline) => {
    if (outline.kind === "tuple") return { ...outline, items: outline.items.map(requireField) };
    if (outline.kind !== "object") return outline;
    return { ...outline, fields: mapFields(outline.fields, requireField) };
  });
}

function requireField({ part, optional }: Field): Field {
  if (!optional) return { part, optional };
  const place = part;
  const label = (): string => `NonNullable<${part.label()}>`;
  const isNamed = part.role === "named";
  const strict = createPart(place, label, () => withoutUndefined(part).outline());
  return { part: isNamed && !mayBeUndefined(part) ? part : strict, optional: false };
}

function mayBeUndefined(part: Part): boolean {
  return membersOfPart(part).some((member) => member.outline().kind === "undefined");
}

function mapFields(
  fields: ReadonlyMap<string, Field>,
  map: (field: Field) => Field,
): ReadonlyMap<string, Field> {
  return new Map([...fields].map(([name, field]) => [name, map(field)]));
}

function nonNullable(part: Part): Outline {
  return unite(membersOfPart(part).filter((member) => !isNullish(member)));
}

function record(_: TypePlace, keys: Part, type: Part): Outline {
  const found = readKeys(keys.outline());
  if (found === undefined || (!("kind" in found) && found.numbers && !found.any)) return refuseKey(keys);
  if ("kind" in found) return found;
  const fields = new Map(found.names.map((name) => [name, { part: type, optional: false }]));
  return objectOf(found.any ? new Map() : fields, found.any ? type : undefined);
}

export function refuseKey({ text, location }: TypePlace): Refused {
  const instead = "`string`, or the keys as literals";
  return refused(diagnose("FW324", { what: `\`${text}\` as the name of a property`, instead }, location));
}

function pick(_: TypePlace, type: Part, keys: Part): Outline {
  const properties = propertiesOf(type);
  const found = readKeys(keys.outline());
  if (properties.kind === "refused") return properties;
  if (found === undefined) return refuseKey(keys);
  if ("kind" in found) return found;
  const { fields, others } = properties;
  const known = found.names.filter((name) => fields.has(name) || others !== undefined);
  const lost = found.names.find((name) => !known.includes(name));
  if (lost !== undefined) return missingKey(type, lost, closest(lost, fields.keys()), keys);
  const picked = known.flatMap((name) => {
    const field = fields.get(name) ?? (others && { part: others, optional: false });
    return field ? [[name, field] as const] : [];
  });
  return objectOf(new Map(picked), found.any ? others : undefined);
}

/** Of a type with an index signature only that is left, as in TypeScript, where `string` includes all other keys. */
function omit(_: TypePlace, type: Part, keys: Part): Outline {
  const properties = propertiesOf(type);
  const found = readKeys(keys.outline());
  if (properties.kind === "refused") return properties;
  if (found === undefined) return refuseKey(keys);
  if ("kind" in found) return found;
  const { fields, others, odd } = properties;
  if (found.any) return objectOf(new Map());
  if (others) return objectOf(new Map(), others);
  const left = new Map([...fields].filter(([name]) => !found.names.includes(name)));
  return { ...objectOf(left), odd };
}

function exclude(_: TypePlace, type: Part, out: Part): Outline {
  return unite(singles(type).filter((member) => !isAssignable(member, out)));
}

function extract(_: TypePlace, type: Part, wanted: Part): Outline {
  return unite(singles(type).filter((member) => isAssignable(member, wanted)));
}
