/** What the callers of a route send: the params of its path, and what its functions take off the wire. */

import type { Location, ParamType } from "#runtime/routing/route";
import { isCredential, type SecurityScheme, toKind } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions, Notes, NumberShape, ObjectShape, Property, Shape } from "#runtime/wire/shape";
import { toHeaderName } from "#runtime/wire/texts";
import type { Literal } from "../source/module.ts";
import { placedAs } from "../wire/places.ts";
import { objectsOf } from "../wire/texts.ts";
import { type Inputs, paramsOf, type TypedParam, type TypedRoute } from "../wire/typed-route.ts";
import { uniteShapes } from "../wire/unite-shapes.ts";
import type { Credential, Input } from "./contract.ts";

/** What is said of the parameters of a function, by their names. */
type Descriptions = ReadonlyMap<string, string>;

/** A take, and the function that has it. */
interface Placed extends FunctionNotes {
  readonly take: DeclaredInput;
  readonly location: Location;
}

/** What the source says of the parameters of a function. */
interface FunctionNotes {
  readonly descriptions: Descriptions;
  /** Of the parameters that are destructured, by the keys. */
  readonly defaults: ReadonlyMap<string, Literal>;
}

/** What the source says besides the types. */
export interface InputNotes {
  readonly ofFunction: (location: Location) => FunctionNotes;
  readonly ofProperty: (property: Property) => Notes | undefined;
}

export function readInputs(
  route: TypedRoute,
  definitions: Definitions,
  { ofFunction, ofProperty }: InputNotes,
): readonly Input[] {
  const functions = functionsOf(route).map((one) => ({ ...one, ...ofFunction(one.location) }));
  const said = [...functions].reverse().map(({ descriptions }) => descriptions);
  const inputs = [
    ...paramsOf(route.segments).map((param) => toParamInput(param, route.location, said)),
    ...functions.flatMap(({ takes, ...one }) =>
      takes.flatMap((take) => toInputs({ take, ...one }, definitions, ofProperty)),
    ),
  ];
  return joinForms(withoutRepeats(inputs), definitions);
}

/** @param describe gives what a comment says of a credential with a type of its own. */
export function readCredentials(
  route: TypedRoute,
  describe: (take: DeclaredInput) => string | undefined,
): readonly Credential[] {
  const known = new Map<string, Credential>();
  for (const { takes, location } of functionsOf(route))
    for (const take of takes) {
      const { scheme } = toKind(take) ?? {};
      if (scheme === undefined) continue;
      const name = nameScheme(scheme);
      const before = known.get(name);
      const description = before?.description ?? describe(take);
      known.set(name, {
        scheme,
        ...describeAs(description),
        required: !take.optional || before?.required === true,
        location: before?.location ?? location,
      });
    }
  return [...known.values()];
}

/** The same for one that differs only by case. @example nameScheme({ type: "http", scheme: "Token" }) // "token" */
export function nameScheme(scheme: SecurityScheme): string {
  return scheme.type === "http" ? scheme.scheme.toLowerCase() : `${scheme.in} ${scheme.name}`;
}

/** In the order in which they run. */
export function functionsOf(route: TypedRoute): readonly Pick<TypedRoute, "location" | keyof Inputs>[] {
  return [...route.calls, route];
}

/** Digits only, and a number that is exact. */
const ID = { kind: "number", integer: true, min: 0, max: Number.MAX_SAFE_INTEGER } as const;

const TEXT: Shape = { kind: "string", minLength: 1 };
const SHAPES: Readonly<Record<ParamType, Shape>> = {
  int: ID,
  str: TEXT,
  "str[]": { kind: "array", items: TEXT, minItems: 1 },
};

function toParamInput(param: TypedParam, location: Location, said: readonly Descriptions[]): Input {
  const { name } = param;
  const shape = param.shape ? withinPath(param.shape) : SHAPES[param.type];
  const described = said.find((descriptions) => descriptions.has(name));
  return { in: "path", name, required: true, shape, ...describeAs(described?.get(name)), location };
}

/** With what holds for every segment: it is not empty, and digits have no sign. */
function withinPath(shape: Shape): Shape {
  switch (shape.kind) {
    case "number":
      return withinDigits(shape);
    case "string":
      return { ...shape, minLength: Math.max(1, shape.minLength ?? 1) };
    case "array":
      return { minItems: 1, ...shape, items: withinPath(shape.items) };
    default:
      return shape;
  }
}

/** A limit that does not count itself is the next whole number, so that each side has one. */
function withinDigits({ min = 0, max = Infinity, exclusiveMin, exclusiveMax, ...shape }: NumberShape): Shape {
  const least = exclusiveMin === undefined ? 0 : Math.floor(exclusiveMin) + 1;
  const most = exclusiveMax === undefined ? ID.max : Math.ceil(exclusiveMax) - 1;
  return { ...shape, integer: true, min: Math.max(0, min, least), max: Math.min(ID.max, max, most) };
}

function describeAs(description: string | undefined): Pick<Input, "description"> {
  return description === undefined ? {} : { description };
}

function toInputs(
  { take, location, descriptions, defaults }: Placed,
  definitions: Definitions,
  ofProperty: InputNotes["ofProperty"],
): Input[] {
  const { in: place, key, shape, optional, default: value } = take;
  if (isCredential(place)) return [];
  const given = value === undefined ? {} : { default: value };
  const said = describeAs(descriptions.get(take.name));
  const rest = { required: !optional, ...given, location };
  const whole = take.name === "" ? withDefaults(shape, defaults) : shape;
  if (place === "form")
    return [{ in: place, name: "", ...rest, shape: toFormShape({ ...take, shape: whole }) }];
  if (key !== undefined || place === "body")
    return [{ in: place, name: key ?? "", ...rest, ...said, shape: whole }];
  const objects = objectsOf(shape, definitions);
  // Several objects together are exact, but only a query can be described as a whole.
  if (objects.length === 0 || (objects.length > 1 && place === "query"))
    return [{ in: place, name: "", ...rest, ...said, shape, isRest: true }];
  return toKeys(place, objects, take, location).map(({ property, ...input }) => {
    const { name } = input;
    const own = descriptions.get(`${take.name}.${name}`) ?? descriptions.get(name);
    const instead = take.name === "" && !input.required ? defaults.get(property?.name ?? "") : undefined;
    return {
      ...input,
      ...(property && ofProperty(property)),
      ...(instead !== undefined && { default: instead }),
      ...describeAs(own),
    };
  });
}

/** Of an object type that is written at the parameter: one with a name has other uses. */
function withDefaults(shape: Shape, defaults: ReadonlyMap<string, Literal>): Shape {
  if (shape.kind !== "object" || defaults.size === 0) return shape;
  const properties = shape.properties.map((property) => {
    const instead = property.optional ? defaults.get(property.name) : undefined;
    return instead === undefined
      ? property
      : placedAs(property, { ...property, notes: { default: instead } });
  });
  return { ...shape, properties };
}

/** A form's own keys are the properties of one object. */
function toFormShape({ key, shape, optional }: DeclaredInput): Shape {
  return key === undefined ? shape : { kind: "object", properties: [{ name: key, shape, optional }] };
}

/** The names of one object, or those that one of several has. */
function toKeys(
  place: "query" | "header" | "cookie",
  objects: readonly ObjectShape[],
  { optional: isOptional }: DeclaredInput,
  location: Location,
): (Input & { readonly property?: Property })[] {
  const names = new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)));
  const named = [...names].map((key) => {
    const found = objects.map(({ properties }) => properties.find((property) => property.name === key));
    const property = found.find((one) => one !== undefined);
    const shape = uniteShapes(found.flatMap((one) => one?.shape ?? []));
    const required = !isOptional && found.every((one) => one?.optional === false);
    const name = place === "header" ? toHeaderName(key) : key;
    return { in: place, name, required, shape, location, ...(property && { property }) };
  });
  const others = objects.flatMap((object) => object.others ?? []);
  if (others.length === 0) return named;
  const shape = uniteShapes(others);
  return [...named, { in: place, name: "", required: false, shape, isRest: true, location }];
}

/** What several functions take is there once, and required if one requires it. */
function withoutRepeats(inputs: readonly Input[]): readonly Input[] {
  const known = new Map<string, Input>();
  for (const input of inputs) {
    const shape = input.in === "form" || input.isRest ? JSON.stringify(input.shape) : "";
    const name = `${input.in} ${input.name} ${shape}`;
    const first = known.get(name);
    const { required, description } = input;
    if (first === undefined) known.set(name, input);
    else
      known.set(name, {
        ...first,
        required: first.required || required,
        ...describeAs(first.description ?? description),
      });
  }
  return [...known.values()];
}

/** All that is taken from the form is one object. */
function joinForms(inputs: readonly Input[], definitions: Definitions): readonly Input[] {
  const forms = inputs.filter((input) => input.in === "form");
  const [first, second] = forms;
  if (first === undefined || second === undefined) return inputs;
  const required = forms.some((form) => form.required);
  const joined: Input = { ...first, required, shape: joinShapes(forms, definitions) };
  return inputs.flatMap((input) => (input.in !== "form" ? [input] : input === first ? [joined] : []));
}

/** Each object of one with each of another. Only what checks by itself can't be joined. */
function joinShapes(forms: readonly Input[], definitions: Definitions): Shape {
  let all: readonly ObjectShape[] = [{ kind: "object", properties: [] }];
  for (const { shape, required } of forms) {
    const objects = objectsOf(shape, definitions);
    if (objects.length === 0) return { kind: "unknown" };
    all = all.flatMap((one) => objects.map((object) => joinObjects(one, object, !required)));
  }
  return uniteShapes(all);
}

function joinObjects(one: ObjectShape, other: ObjectShape, isOptional: boolean): ObjectShape {
  const properties = new Map(one.properties.map((property) => [property.name, property]));
  for (const { name, shape, optional } of other.properties) {
    const before: Property | undefined = properties.get(name);
    properties.set(name, { name, shape, optional: (optional || isOptional) && before?.optional !== false });
  }
  const others = one.others ?? other.others;
  return { kind: "object", properties: [...properties.values()], ...(others && { others }) };
}
