/** What the operators come to that only results have: `Awaited`, `ReturnType`, the marks, and those that stand for JavaScript. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { indexedOutline, indexedPart } from "./keys.ts";
import {
  createPart,
  type Field,
  type ObjectOutline,
  type Outline,
  objectOf,
  type Part,
  refusedLater,
  type Sent,
  type TypePlace,
  toPart,
  UNKNOWN,
} from "./outline.ts";
import { namedIn, settle, settledMembers } from "./sent.ts";
import { isNullish, literalPart, singles, unionPart } from "./unions.ts";

/** @param of settled. @returns undefined where nothing is known of it. */
type Operator = (of: readonly Part[], place: TypePlace) => Part | undefined;

const first: Operator = ([of]) => of;
const textPart: Operator = (_, place) => scalar(place, "string");

/** What `Provided` of the framework does. */
const provided: Operator = ([of]) => {
  const returns = of && returnPart(of);
  return returns && (generatedBy(returns) ?? awaited(returns));
};

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["Awaited", ([of]) => of && awaited(of)],
  ["ReturnType", ([of]) => of && returnPart(of)],
  ["NoInfer", first],
  ["Uppercase", textPart],
  ["Lowercase", textPart],
  ["Capitalize", textPart],
  ["Uncapitalize", textPart],
  ["framework Body", first],
  ["framework Form", first],
  ["framework Query", first],
  ["framework Header", first],
  ["framework Cookie", first],
  ["framework Bearer", textPart],
  ["framework ApiKey", textPart],
  ["framework From", provided],
  ["$Property", propertyPart],
  ["$At", itemPartAt],
  ["$Pair", pair],
  ["$Called", called],
  ["$Present", ([of], place) => of && present(of, place)],
  ["$Narrowed", narrowed],
  ["$Wide", ([of]) => of && widened(of)],
  ["$Spread", ([one, other], place) => one && spreadPart(one, other, place)],
  ["$Sum", sum],
  ["$Items", ([of], place) => of && itemPartsOf(present(of, place), place)],
]);

export function scalar(place: TypePlace, kind: "string" | "number"): Part {
  return toPart(place, kind, { kind });
}

function truth(place: TypePlace): Part {
  return literalPart(place, [true, false]);
}

const PROMISES: ReadonlySet<string> = new Set(["Promise", "PromiseLike"]);

/** Of a promise what it resolves to, as deep as they are. */
export function awaited(part: Part): Part {
  const members = settledMembers(part);
  if (!members.some(isPromise)) return part;
  return unionPart(
    part,
    members.map((member) => (isPromise(member) ? awaitedOnce(member) : member)),
  );
}

export function isPromise(part: Part): boolean {
  return PROMISES.has(namedIn(part)?.name ?? "");
}

function awaitedOnce(part: Part): Part {
  const [of] = namedIn(part)?.of ?? [];
  return of ? awaited(of) : toPart(part, "unknown", UNKNOWN);
}

export function returnPart(part: Part): Part | undefined {
  const outline = part.outline();
  return outline.kind === "refused" && outline.sent?.kind === "function" ? outline.sent.returns() : undefined;
}

function generatedBy(part: Part): Part | undefined {
  const named = namedIn(part);
  return named && /^(?:Async)?Generator$/.test(named.name) ? named.of[0] : undefined;
}

function present(of: Part, place: TypePlace): Part {
  const members = settledMembers(of);
  const left = members.filter((member) => !isNullish(member));
  return left.length === members.length ? of : unionPart(place, left);
}

/** What `typeof` leaves of a type. */
function narrowed([of, to]: readonly Part[], place: TypePlace): Part | undefined {
  const kind = to?.outline().kind;
  if (of === undefined || to === undefined) return undefined;
  const members = settledMembers(of).flatMap(singles);
  if (members.some(isUnknown)) return to;
  const left = members.filter((member) => {
    const outline = member.outline();
    if (outline.kind !== "literal") return outline.kind === kind;
    const [value] = outline.values;
    return kind === "literal" ? typeof value === "boolean" : typeof value === kind;
  });
  return unionPart(place, left);
}

function isUnknown(part: Part): boolean {
  const { kind } = part.outline();
  return kind === "unknown" || kind === "refused";
}

function widened(of: Part): Part {
  const outline = of.outline();
  if (outline.kind !== "literal") return of;
  const kinds = new Set(outline.values.map((value) => typeof value));
  return unionPart(
    of,
    [...kinds].map((kind) => (kind === "string" || kind === "number" ? scalar(of, kind) : truth(of))),
  );
}

function sum([one, other]: readonly Part[], place: TypePlace): Part | undefined {
  const kinds = [one, other].map((part) => part && typeWordOf(part));
  if (kinds.includes("string")) return scalar(place, "string");
  return kinds.every((kind) => kind === "number") ? scalar(place, "number") : undefined;
}

/** `{ ...one, ...other }` */
function spreadPart(one: Part, other: Part | undefined, place: TypePlace): Part {
  const [under, over] = [one, ...(other ? [other] : [])].map((part) => spreadable(part, place));
  const label = other ? `{ ...${one.label()}; ...${other.label()} }` : `{ ...${one.label()} }`;
  return toPart(place, label, over && under ? overlay(under, over, place) : (under ?? UNKNOWN));
}

/** The own properties of a value; what is not known may have any. */
function spreadable(part: Part, place: TypePlace): ObjectOutline {
  const members = settledMembers(part);
  const objects = members.flatMap((member) => {
    const outline = member.outline();
    return outline.kind === "object" ? [outline] : isUnknown(member) ? [anything(place)] : [];
  });
  const [first = objectOf(new Map()), ...more] = objects;
  const joined = more.reduce((before, object) => eitherPart(before, object, place), first);
  return objects.length === members.length ? joined : eitherPart(joined, objectOf(new Map()), place);
}

function anything(place: TypePlace): ObjectOutline {
  return objectOf(new Map(), toPart(place, "unknown", UNKNOWN));
}

function eitherPart(one: ObjectOutline, other: ObjectOutline, place: TypePlace): ObjectOutline {
  const fields = new Map<string, Field>();
  for (const name of new Set([...one.fields.keys(), ...other.fields.keys()])) {
    const found = [one, other].flatMap((object) => object.fields.get(name) ?? []);
    const optional = found.length < 2 || found.some((field) => field.optional);
    fields.set(name, {
      part: unionPart(
        place,
        found.map(({ part }) => part),
      ),
      optional,
    });
  }
  return objectOf(fields, one.others ?? other.others);
}

function overlay(under: ObjectOutline, over: ObjectOutline, place: TypePlace): ObjectOutline {
  // What has keys of any name may have those of the other.
  if (over.others) return over;
  const fields = new Map(under.fields);
  for (const [name, { part, optional }] of over.fields) {
    const before = fields.get(name);
    if (!optional || before === undefined) fields.set(name, { part, optional });
    else fields.set(name, { part: unionPart(place, [before.part, part]), optional: before.optional });
  }
  return objectOf(fields, under.others);
}

/** What JavaScript's own values have under a name. @property called what the method of that name gives. */
interface Known {
  readonly property?: (object: Part, place: TypePlace) => Part | undefined;
  readonly called?: (object: Part, place: TypePlace, given: Part | undefined) => Part | undefined;
}

/** Of nothing nothing is read: that throws. */
function propertyPart([whole, key]: readonly Part[], place: TypePlace): Part | undefined {
  if (whole === undefined || key === undefined) return undefined;
  const object = present(whole, place);
  return find(object, key)?.property?.(object, place) ?? indexed(object, key, place);
}

function called([whole, key, given]: readonly Part[], place: TypePlace): Part | undefined {
  if (whole === undefined || key === undefined) return undefined;
  const object = present(whole, place);
  const known = find(object, key)?.called?.(object, place, given);
  return known ?? returnPart(settle(indexed(object, key, place)));
}

function indexed(object: Part, key: Part, place: TypePlace): Part {
  const part = indexedPart(place, object, key);
  const label = (): string => `${object.label()}[${key.label()}]`;
  return part ?? createPart(place, label, () => indexedOutline(place, object, key), "operator");
}

/** At an index that is checked no further, there may be nothing. */
function itemPartAt([object, key]: readonly Part[], place: TypePlace): Part | undefined {
  const found = propertyPart(
    [object, key].flatMap((part) => part ?? []),
    place,
  );
  const outline = object?.outline();
  const isOpen = outline?.kind === "array" || (outline?.kind === "object" && outline.fields.size === 0);
  return found && isOpen ? orUndefined(found, place) : found;
}

/** `[user, 201]`: an object and its status, or an array of both. */
function pair([first, second, array]: readonly Part[], place: TypePlace): Part | undefined {
  if (first === undefined || second === undefined) return undefined;
  const isStatus = isUnknown(second) || typeWordOf(second) === "number";
  const isArray = !isStatus || settledMembers(first).every((member) => SIMPLE.has(typeWordOf(member)));
  if (isArray) return array;
  const items = [first, second].map((part) => ({ part, optional: false }));
  return toPart(place, `[${first.label()}, ${second.label()}]`, { kind: "tuple", items });
}

const SIMPLE: ReadonlySet<string> = new Set(["string", "number", "boolean", "array", "null", "undefined"]);

function find(object: Part, key: Part): Known | undefined {
  const outline = key.outline();
  const [name] = outline.kind === "literal" ? outline.values : [];
  return typeof name === "string" ? METHODS_OF.get(typeWordOf(object))?.get(name) : undefined;
}

function typeWordOf(object: Part): string {
  const outline: Outline = object.outline();
  if (outline.kind === "tuple") return "array";
  if (outline.kind !== "literal") return namedIn(object)?.name ?? outline.kind;
  const kinds = new Set(outline.values.map((value) => typeof value));
  return kinds.size === 1 ? String([...kinds][0]) : "";
}

const ITERABLES =
  /^(?:Async)?(?:Generator|Iterable|IterableIterator|IterableObject)$|^ReadableStream$|^(?:Readonly)?Set$/;

/** The items of an array, and of what else can be iterated. */
function itemPartsOf(object: Part, place: TypePlace): Part {
  const outline = object.outline();
  if (outline.kind === "array") return outline.items;
  const named = namedIn(object);
  const [items] = named && ITERABLES.test(named.name) ? named.of : [];
  if (items) return items;
  return indexed(object, scalar(place, "number"), place);
}

function arrayOf(items: Part, place: TypePlace): Part {
  return toPart(place, `(${items.label()})[]`, { kind: "array", items });
}

function orUndefined(part: Part, place: TypePlace): Part {
  return unionPart(place, [part, toPart(place, "undefined", { kind: "undefined", place })]);
}

const TEXT: Known = { called: (_, place) => scalar(place, "string") };
const NUMBER: Known = { called: (_, place) => scalar(place, "number") };
const TRUTH: Known = { called: (_, place) => truth(place) };
const COUNT: Known = { property: (_, place) => scalar(place, "number") };
const SAME_ITEMS: Known = { called: (object, place) => arrayOf(itemPartsOf(object, place), place) };
const ONE_ITEM: Known = { called: (object, place) => orUndefined(itemPartsOf(object, place), place) };
const MAPPED: Known = { called: (_, place, given) => given && arrayOf(given, place) };

function knownPart(names: string, one: Known): [string, Known][] {
  return names.split(" ").map((name) => [name, one]);
}

/** Those that handlers use. */
const METHODS_OF: ReadonlyMap<string, ReadonlyMap<string, Known>> = new Map([
  [
    "array",
    new Map([
      ...knownPart("length", COUNT),
      ...knownPart("filter slice toSorted toReversed sort reverse", SAME_ITEMS),
      ...knownPart("find findLast at pop shift", ONE_ITEM),
      ...knownPart("map", MAPPED),
      ...knownPart("includes some every", TRUTH),
      ...knownPart("indexOf lastIndexOf findIndex push unshift", NUMBER),
      ...knownPart("join", TEXT),
    ]),
  ],
  [
    "string",
    new Map([
      ...knownPart("length", COUNT),
      ...knownPart(
        "trim trimStart trimEnd toUpperCase toLowerCase toString slice substring padStart padEnd repeat replace replaceAll normalize charAt",
        TEXT,
      ),
      ...knownPart("includes startsWith endsWith", TRUTH),
      ...knownPart("indexOf lastIndexOf charCodeAt", NUMBER),
      ["split", { called: (_, place) => arrayOf(scalar(place, "string"), place) }],
    ]),
  ],
  ["number", new Map(knownPart("toString toFixed toPrecision", TEXT))],
  [
    "date",
    new Map([
      ...knownPart("toISOString toString toUTCString toDateString", TEXT),
      ...knownPart("getTime valueOf", NUMBER),
    ]),
  ],
  [
    "Map",
    new Map([
      ...knownPart("size", COUNT),
      ...knownPart("has delete", TRUTH),
      ["values", { called: (object, place) => iteratorOf(object, 1, place) }],
      ["keys", { called: (object, place) => iteratorOf(object, 0, place) }],
      ["get", { called: (map, place) => valueOfMap(map, place) }],
    ]),
  ],
  ["Set", new Map([...knownPart("size", COUNT), ...knownPart("has delete", TRUTH)])],
]);

/** @param index of the type among those that the map is of. */
function iteratorOf(map: Part, index: number, place: TypePlace): Part | undefined {
  const items = namedIn(map)?.of[index];
  if (items === undefined) return undefined;
  const sent: Sent = { kind: "named", name: "IterableIterator", of: [items], as: () => undefined };
  const bad = (): Diagnostic =>
    diagnose("FW323", { what: "an iterator", instead: "an array" }, place.location);
  return toPart(place, `IterableIterator<${items.label()}>`, refusedLater(bad, sent));
}

function valueOfMap(map: Part, place: TypePlace): Part | undefined {
  const of = namedIn(map)?.of[1];
  return of && orUndefined(of, place);
}
