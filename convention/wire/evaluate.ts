/** Evaluates types as they are written: an expression and its scope in, what it is on its outside out. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { KeywordType, Member, TupleItem, TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { refuseKey } from "./builtins.ts";
import { findTwins } from "./erased.ts";
import { intersect } from "./intersections.ts";
import { indexedOutline, keysOutline, readKeys } from "./keys.ts";
import { createNames, type Evaluator, type Names } from "./named.ts";
import {
  createPart,
  type Field,
  NEVER,
  type ObjectOutline,
  type Outline,
  objectOf,
  type Part,
  type Refused,
  refused,
  refusedLater,
  type Sent,
  type TypePlace,
  toPart,
  UNKNOWN,
  withoutSent,
} from "./outline.ts";
import type { TypeScope } from "./scope.ts";
import { settle } from "./sent.ts";
import { templateOutline } from "./templates.ts";
import { unite } from "./unions.ts";

export interface Evaluation extends Evaluator {
  readonly claim: Names["claim"];
}

export function createEvaluation(modules: Modules): Evaluation {
  const evaluator: Evaluator = { part, declared };
  const names = createNames(modules, evaluator);

  function part(type: TypeExpression, scope: TypeScope): Part {
    if (type.kind === "name" || type.kind === "import" || type.kind === "typeof")
      return names.partOf(type, scope);
    if (type.kind === "keyword") return keywordPart(type);
    const isOperator = type.kind === "indexed" || type.kind === "intersection";
    const read = (inner: TypeExpression): Part => part(inner, scope);
    return createPart(
      type,
      () => names.labelOf(type, scope),
      () =>
        type.kind === "intersection"
          ? intersectWritten(modules, type, type.of, scope, type.of.map(read))
          : toOutline(type, read),
      isOperator ? "operator" : undefined,
    );
  }

  function declared({ kind, type, bases }: TypeDeclaration, scope: TypeScope): Outline {
    const read = (inner: TypeExpression): Part => part(inner, scope);
    if (type === null) return NEVER;
    if (kind === "alias" || type.kind !== "object") return read(type).outline();
    const parts = bases.map(read);
    return readInterface(kind === "class" ? parts.map(settle) : parts, readMembers(type.members, read));
  }

  return { ...evaluator, claim: names.claim };
}

type ReadPart = (type: TypeExpression) => Part;

function toOutline(type: TypeExpression, read: ReadPart): Outline {
  switch (type.kind) {
    case "keyword":
      return keywordOutline(type.name, type);
    case "literal":
      return { kind: "literal", values: [type.value === 0 ? 0 : type.value] };
    case "union":
      return uniteLiterals(type.of) ?? unite(type.of.map(read));
    case "array":
      return { kind: "array", items: read(type.items) };
    case "tuple":
      return readTuple(type, type.items, read);
    case "object":
      return readMembers(type.members, read);
    case "indexed":
      return indexedOutline(type, read(type.object), read(type.index));
    case "keyof":
      return keysOutline(type, read(type.of));
    case "template":
      return templateOutline(type, type.texts, type.types.map(read));
    case "function":
      return carriesNo("a function", "the data that it works on", type, {
        kind: "function",
        returns: () => (type.returns ? read(type.returns) : undefined),
      });
    case "other":
      return refuseOther(type.what, type);
    default:
      return read(type).outline();
  }
}

const CONSTRAINED_TWICE: Readonly<Partial<Record<Outline["kind"], string>>> = {
  number: "int & Min<1> & Max<100>",
  array: "string[] & MinItems<1> & MaxItems<9>",
};

/** Of two operands that are one type to TypeScript, a linter deletes the second. A result has both all the same. */
function intersectWritten(
  modules: Modules,
  place: TypePlace,
  types: readonly TypeExpression[],
  scope: TypeScope,
  parts: readonly Part[],
): Outline {
  const [first = -1, second = -1] = findTwins(modules, types, scope) ?? [];
  const [one, other] = [parts[first], parts[second]];
  if (one === undefined || other === undefined) return intersect(place, parts);
  const example = CONSTRAINED_TWICE[one.outline().kind] ?? "string & MinLength<1> & MaxLength<80>";
  const report = (): Diagnostic =>
    diagnose("FW374", { one: one.text, other: other.text, example }, other.location);
  return refusedLater(report, {
    kind: "same",
    as: () => toPart(place, place.text, intersect(place, parts)),
  });
}

/** Most unions are of literals alone, which need no parts. */
function uniteLiterals(types: readonly TypeExpression[]): Outline | undefined {
  const values = new Set<string | number | boolean>();
  for (const type of types) {
    if (type.kind !== "literal") return undefined;
    values.add(type.value);
  }
  return { kind: "literal", values: [...values] };
}

function carriesNo(
  what: string,
  instead: string,
  { location }: Pick<TypePlace, "location">,
  sent?: Sent,
): Refused {
  return refused(diagnose("FW323", { what, instead }, location), sent);
}

/** Most parts are one of these, so each shares what it can. */
const SCALARS: ReadonlyMap<KeywordType, Part["outline"]> = new Map(
  (["string", "number", "null", "never", "unknown"] as const).map((kind) => {
    const outline: Outline = { kind };
    return [kind, () => outline] as const;
  }),
);

function keywordPart(type: Extract<TypeExpression, { readonly kind: "keyword" }>): Part {
  const outline = SCALARS.get(type.name);
  const label = (): string => type.name;
  if (outline === undefined) return createPart(type, label, () => keywordOutline(type.name, type));
  return { text: type.text, location: type.location, label, outline, role: undefined, operands: undefined };
}

function keywordOutline(name: KeywordType, place: TypePlace): Outline {
  switch (name) {
    case "any":
    case "unknown":
      return UNKNOWN;
    case "boolean":
      return { kind: "literal", values: [true, false] };
    case "object":
      return anyObject(place);
    case "bigint":
      return carriesNo("a bigint", "`int`, or `string` for more digits", place);
    case "symbol":
      return carriesNo("a symbol", "`string`", place, {
        kind: "named",
        name: "symbol",
        of: [],
        as: () => undefined,
      });
    case "undefined":
    case "void":
      return { kind: "undefined", place };
    default:
      return { kind: name };
  }
}

/** For TypeScript an array is an object, too. */
function anyObject(place: TypePlace): Outline {
  const unknown = toPart(place, "unknown", UNKNOWN);
  return unite([
    toPart(place, "Record<string, unknown>", objectOf(new Map(), unknown)),
    toPart(place, "unknown[]", { kind: "array", items: unknown }),
  ]);
}

const COMPUTED_TYPES: ReadonlySet<string> = new Set([
  "a conditional type",
  "a mapped type",
  "an inferred type",
  "an indexed type",
  "the type `this`",
]);

function toTruth(place: TypePlace): Sent {
  return { kind: "same", as: () => toPart(place, "boolean", { kind: "literal", values: [true, false] }) };
}

function refuseOther(what: string, place: TypePlace): Refused {
  if (what === "a bigint") return keywordOutline("bigint", place) as Refused;
  if (what === "a unique symbol") return carriesNo(what, "`string`", place);
  if (what === "a constructor type") return carriesNo(what, "the data that it works on", place);
  if (what === "a type predicate") return { ...carriesNo(what, "`boolean`", place), sent: toTruth(place) };
  const instead = COMPUTED_TYPES.has(what) ? "out the type that it gives" : "out the type that it means";
  return refused(diagnose("FW324", { what, instead }, place.location));
}

function readTuple(place: TypePlace, written: readonly TupleItem[], read: ReadPart): Outline {
  const items: Field[] = [];
  let rest: Part | undefined;
  for (const item of written) {
    const part = read(item.type);
    if (rest !== undefined) return itemsAfterRest(place);
    if (!item.rest) {
      items.push({ part, optional: item.optional });
      continue;
    }
    const outline = part.outline();
    if (outline.kind === "refused") return withoutSent(outline);
    if (outline.kind === "tuple") items.push(...outline.items);
    if (outline.kind === "tuple") rest = outline.rest;
    else if (outline.kind === "array") rest = outline.items;
    else return carriesNo(`\`...${part.text}\``, "an array after the dots", part);
  }
  return { kind: "tuple", items, ...(rest && { rest }) };
}

function itemsAfterRest({ location }: TypePlace): Refused {
  const what = "a tuple with items behind its rest";
  return refused(diagnose("FW324", { what, instead: "the rest last, or an array" }, location));
}

function readMembers(members: readonly Member[], read: ReadPart): ObjectOutline {
  const fields = new Map<string, Field>();
  const odd: Diagnostic[] = [];
  let others: Part | undefined;
  let json: Part | undefined;
  for (const member of members) {
    if (member.kind === "property") fields.set(member.name, readProperty(member, read));
    else if (member.kind === "other") {
      const bad = refuseMember(member.what, member);
      odd.push(bad.diagnostic);
      if (member.name === "toJSON") json = member.returns ? read(member.returns) : unknownJson(member, bad);
    } else if (isTextKey(read(member.key))) others = read(member.type);
    else odd.push(refuseKey(member.key).diagnostic);
  }
  return { ...objectOf(fields, others), ...(json && { json }), odd };
}

function readProperty(
  { name, type, optional, location }: Extract<Member, { readonly kind: "property" }>,
  read: ReadPart,
): Field {
  return { part: type ? read(type) : toPart({ text: name, location }, "unknown", UNKNOWN), optional };
}

function unknownJson({ location }: Pick<TypePlace, "location">, bad: Refused): Part {
  return toPart({ text: "toJSON()", location }, "toJSON", bad);
}

function isTextKey(key: Part): boolean {
  const keys = readKeys(key.outline());
  return keys !== undefined && !("kind" in keys) && keys.any;
}

function refuseMember(what: string, { location }: Pick<TypePlace, "location">): Refused {
  if (what !== "a computed name")
    return carriesNo(what, "the data that it works on, and the function elsewhere", { location });
  const instead = "the name itself";
  return refused(diagnose("FW324", { what, instead }, location));
}

/** What an interface declares overrides what it inherits. */
function readInterface(bases: readonly Part[], own: ObjectOutline): Outline {
  const fields = new Map<string, Field>();
  const odd: Diagnostic[] = [];
  let { others, json } = own;
  for (const base of bases) {
    const outline = base.outline();
    if (outline.kind === "refused") return withoutSent(outline);
    if (outline.kind !== "object") return refuseBase(base);
    for (const [name, field] of outline.fields) if (!fields.has(name)) fields.set(name, field);
    odd.push(...outline.odd);
    others ??= outline.others;
    json ??= outline.json;
  }
  for (const [name, field] of own.fields) fields.set(name, field);
  return { ...objectOf(fields, others), ...(json && { json }), odd: [...odd, ...own.odd] };
}

function refuseBase({ text, location }: Part): Refused {
  const what = `an interface that extends \`${text}\``;
  return refused(diagnose("FW324", { what, instead: "an interface or an object type there" }, location));
}
