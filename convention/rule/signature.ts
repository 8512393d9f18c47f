/** A handler's signature, read from its source: which parameter is the request, what type each param has, and what has a mark. */

import { type Diagnostic, isDiagnostic, isError } from "#convention/diagnostics/diagnostic";
import type { Location, ParamType, RouteMethod } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { FunctionValue, Parameter, PlainParameter, TypeExpression } from "../source/module.ts";
import { checkTakes } from "../wire/clashes.ts";
import { endOf, findMark, findNamed, type Mark, type ProviderMark, type TakeMark } from "../wire/marks.ts";
import type { FunctionSource } from "../wire/result-types.ts";
import { type MarkedParameter, readTake, type TypeReader } from "../wire/takes.ts";
import type { Shared, TypedParam } from "../wire/typed-route.ts";
import { suggestType, WITH_BODY } from "./explain-type.ts";
import { type NarrowParam, readNarrowParam } from "./narrow-params.ts";
import {
  findEnd,
  findFunctionType,
  isTexts,
  resolveType,
  type Scope,
  toScoped,
  type UnsupportedType,
} from "./param-types.ts";

/** In declared order: what the handler is called with. */
export type SignatureParameter =
  | { readonly kind: "request"; readonly name: string; readonly location: Location }
  | (TypedParam & { readonly kind: "param"; readonly location: Location })
  | {
      readonly kind: "take";
      readonly name: string;
      readonly take: DeclaredInput;
      readonly location: Location;
    }
  | {
      readonly kind: "provided";
      readonly name: string;
      readonly provider: FoundCall;
      readonly location: Location;
    };

/** A provider or a guard with its signature read: the same object wherever it is named. */
export interface FoundCall extends Shared {
  readonly kind: "provider" | "guard";
  /** In declared order. Those of the providers that it needs are not among them. */
  readonly parameters: readonly SignatureParameter[];
  readonly source: FunctionSource;
}

export interface ReadSignature {
  /** Null where the diagnostics have an error. */
  readonly parameters: readonly SignatureParameter[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A handler by the name that it is served under, or a provider by its own. */
export interface NamedFunction extends FunctionSource {
  readonly handler: string;
  /** Undefined for a provider or a guard, which serves under several. */
  readonly method?: RouteMethod;
  /** The param of the whole path, if its name or its file has one. */
  readonly whole?: string | undefined;
}

/**
 * @param location of the parameter's type.
 * @returns the provider that a mark names, or why there is none. Its own parameters may be read later.
 */
export type FindProvider = (mark: ProviderMark, location: Location) => FoundCall | Diagnostic;

/** Reads the signature alone, and not those of the providers that it names. */
export function readSignature(
  types: TypeReader,
  named: NamedFunction,
  findProvider: FindProvider,
): ReadSignature {
  const { handler, method, module, value } = named;
  if (!value.body)
    return {
      parameters: null,
      diagnostics: [diagnose("FW312", { name: handler, what: "declared without a body" }, value.location)],
    };
  const generics = new Set(value.generics);
  const scope: Scope = { modules: types.modules, module, generics };
  const hidden = findHiddenTypes(scope, value);
  if (hidden) {
    const why = `\`${hidden.text}\` is not a plain function type that names each parameter`;
    return { parameters: null, diagnostics: [diagnose("FW311", { handler, why }, hidden.location)] };
  }
  const typed = applyContextualTypes(scope, value);
  const read = typed.map((parameter) => readParameter(types, parameter, named, findProvider));
  const parameters = read.flatMap(({ parameter }) => (parameter ? [parameter] : []));
  const second = parameters.filter(({ kind }) => kind === "request")[1];
  const takes = parameters.filter((parameter) => parameter.kind === "take");
  const diagnostics = [
    ...read.flatMap((one) => one.diagnostics),
    ...(second ? [diagnose("FW304", { handler, name: second.name }, second.location)] : []),
    ...(takes.length > 0 ? checkTakes(handler, method, takes, types.shapes.definitions) : []),
  ];
  // An error in a type that several handlers take is reported with the first of them alone.
  const failed = parameters.length < read.length || diagnostics.some(isError);
  return { parameters: failed ? null : parameters, diagnostics };
}

/** A parameter, and where the names of its type are looked up: with a contextual type it may be another file. */
interface TypedParameter {
  readonly parameter: Parameter;
  readonly scope: Scope;
}

/** `const get_x: (request: Request, id: int) => object = (request, id) => …`: the variable's type gives the parameters theirs. */
function applyContextualTypes(
  scope: Scope,
  { parameters, contextual }: FunctionValue,
): readonly TypedParameter[] {
  const found = contextual === null ? undefined : findFunctionType(scope, contextual);
  return parameters.map((parameter, position) => {
    const given = found?.parameters[position];
    if (parameter.kind === "rest" || parameter.type !== null || given?.kind !== "plain" || !found) {
      return { parameter, scope };
    }
    return { parameter: { ...parameter, type: given.type }, scope: found.scope };
  });
}

/**
 * The variable's type, if it has a mark or a type for an untyped parameter and is not read: an interface, a generic alias, a type of a
 * package. Such a parameter would silently be a segment. `any` and a type that is not declared say nothing.
 */
function findHiddenTypes(
  scope: Scope,
  { parameters, contextual }: FunctionValue,
): TypeExpression | undefined {
  const isUntyped = (one: Parameter): boolean =>
    one.kind === "plain" ? one.type === null && one.name !== "request" : one.kind !== "rest" && !one.type;
  if (contextual === null || !parameters.some(isUntyped)) return undefined;
  const found = findFunctionType(scope, contextual);
  if (found) return found.parameters.some(({ kind }) => kind === "rest") ? contextual : undefined;
  const end = endOf(scope.modules, toScoped(scope, contextual));
  const named = findNamed(scope.modules, end);
  const saysNothing = named
    ? "kind" in named && (named.kind === "global" || named.kind === "lost")
    : end.type.kind === "keyword";
  return saysNothing ? undefined : contextual;
}

interface ReadParameter {
  readonly parameter: SignatureParameter | null;
  readonly diagnostics: readonly Diagnostic[];
}

function refuse(diagnostic: Diagnostic): ReadParameter {
  return { parameter: null, diagnostics: [diagnostic] };
}

/** Names that the request often has elsewhere; without a type they would silently be a segment. */
const LOOKS_LIKE_REQUEST = new Set(["req", "_req", "_request", "res", "ctx", "context"]);

function readParameter(
  types: TypeReader,
  { parameter, scope }: TypedParameter,
  named: NamedFunction,
  findProvider: FindProvider,
): ReadParameter {
  const { handler } = named;
  const toMarked = (mark: Mark, marked: MarkedParameter): ReadParameter =>
    mark.place === "provider"
      ? toProvided(findProvider, mark, marked, named.value)
      : toTake(types, mark, marked);
  const { location } = parameter;
  if (parameter.kind === "rest") return refuse(diagnose("FW302", { handler }, location));
  const { type } = parameter;
  if (parameter.kind === "destructured") {
    if (type === null)
      return refuse(diagnose("FW303", { why: NO_PARAM, hint: sayWhere(named.method) }, location));
    const mark = findMark(scope.modules, toScoped(scope, type));
    const marked = { ...parameter, type };
    return mark ? toMarked(mark, marked) : refuse(explainType(types, scope, marked, undefined, named.method));
  }
  const { name } = parameter;
  if (name === named.whole) return readWhole(types, scope, parameter);
  if (named.whole?.startsWith(`${name}_`) && type !== null && isTexts(scope, type)) {
    const why = `\`$$${named.whole}\` is all that is left of the path, so nothing can follow \`${name}\``;
    const hint = `End the handler's name with \`$$${name}\`, or call the parameter \`${named.whole}\`.`;
    return refuse(diagnose("FW364", { why, hint }, location));
  }
  if (type === null) {
    if (name === "request") return { parameter: { kind: "request", name, location }, diagnostics: [] };
    const diagnostics = LOOKS_LIKE_REQUEST.has(name) ? [diagnose("FW316", { name }, location)] : [];
    return toParam(parameter, { type: "str" }, diagnostics);
  }
  const read = resolveType(scope, type);
  if (read.kind === "request") return { parameter: { kind: "request", name, location }, diagnostics: [] };
  const mark = read.kind === "unsupported" ? findMark(scope.modules, toScoped(scope, type)) : undefined;
  if (name === "request" && (mark || read.kind === "param" || read.explain === undefined))
    return refuse(diagnose("FW305", { type: type.text }, type.location));
  if (mark) return toMarked(mark, { ...parameter, type });
  if (read.kind === "param") return toParam(parameter, read, []);
  const { narrow, diagnostics } = readNarrowParam(types, findEnd(scope, type));
  if (narrow && narrow.type !== "str[]") return toParam(parameter, narrow, []);
  const found = explainType(types, scope, { ...parameter, type }, read, named.method);
  const [first] = diagnostics;
  return refuse(first && found.code === "FW306" ? at(first, type.location) : found);
}

function readWhole(types: TypeReader, scope: Scope, parameter: PlainParameter): ReadParameter {
  const { name, type, location } = parameter;
  if (type === null) return refuse(diagnoseWhole(name, location));
  if (isTexts(scope, type)) return toParam(parameter, { type: "str[]" }, []);
  const { narrow, diagnostics } = readNarrowParam(types, findEnd(scope, type));
  return narrow?.type === "str[]"
    ? toParam(parameter, narrow, [])
    : refuse(diagnostics[0] ? at(diagnostics[0], type.location) : diagnoseWhole(name, location));
}

/** Also of a provider, whose params count as if the handler had them. */
export function diagnoseWhole(name: string, location: Location): Diagnostic {
  const why = `\`${name}\` is the whole path of the route, which is a list of segments`;
  return diagnose(
    "FW364",
    { why, hint: `Write \`${name}: string[]\` in the handler. A provider can take the \`Request\`.` },
    location,
  );
}

function toTake(types: TypeReader, mark: TakeMark, parameter: MarkedParameter): ReadParameter {
  const { take, diagnostics } = readTake(types, mark, parameter);
  const { location } = parameter;
  return { parameter: take && { kind: "take", name: take.name, take, location }, diagnostics };
}

function toProvided(
  findProvider: FindProvider,
  mark: ProviderMark,
  parameter: MarkedParameter,
  { parameters }: FunctionValue,
): ReadParameter {
  const { type, location } = parameter;
  const hidden = findHidden(type, parameters);
  if (hidden !== undefined) {
    const hint = "It hides the function of that name. Give the parameter another name.";
    return refuse(diagnose("FW352", { why: `\`${hidden}\` is a parameter here`, hint }, type.location));
  }
  const provider = findProvider(mark, type.location);
  if (isDiagnostic(provider)) return refuse(provider);
  const name = parameter.kind === "plain" ? parameter.name : "";
  const isOptional = parameter.optional || mark.optional;
  const shown = name || provider.name;
  const hint = "Remove the `?`, the default or the `undefined`, and let the provider return what you need.";
  const diagnostics = isOptional
    ? [diagnose("FW315", { name: shown, why: "its provider always runs", hint }, location)]
    : [];
  return { parameter: { kind: "provided", name, provider, location }, diagnostics };
}

/** The name after a `typeof` that is a parameter's, which TypeScript finds before a function of that name. */
function findHidden(type: TypeExpression, parameters: readonly Parameter[]): string | undefined {
  const [given] = "arguments" in type ? type.arguments : [];
  if (given?.kind !== "typeof" || given.from !== undefined) return undefined;
  const [name] = given.path;
  return parameters.some((one) => one.kind === "plain" && one.name === name) ? name : undefined;
}

function toParam(
  { name, optional, location }: PlainParameter,
  { type, shape }: { readonly type: ParamType } & Partial<NarrowParam>,
  diagnostics: Diagnostic[],
): ReadParameter {
  const written = type === "int" ? "int" : "string";
  const hint = `Make \`${name}\` required, or take it from the query: \`${name}: Query<${written}>\`.`;
  if (optional)
    diagnostics.push(
      diagnose("FW315", { name, why: "the route only matches a path that has it", hint }, location),
    );
  return { parameter: { kind: "param", name, type, ...(shape && { shape }), location }, diagnostics };
}

function explainType(
  types: TypeReader,
  scope: Scope,
  parameter: MarkedParameter,
  read: UnsupportedType | undefined,
  method: RouteMethod | undefined,
): Diagnostic {
  const { type } = parameter;
  if (read?.explain) return read.explain(type.location);
  const isGeneric = scope.generics.has(type.text);
  const scoped = toScoped(scope, type);
  const found = isGeneric ? undefined : suggestType(types, { parameter, scoped, method });
  if (isDiagnostic(found)) return at(found, type.location);
  if (parameter.kind === "destructured")
    return diagnose("FW303", { why: NO_PARAM, hint: found ?? sayWhere(method) }, parameter.location);
  const shown = read === undefined || read.text === type.text ? type.text : `${type.text} = ${read.text}`;
  return diagnose("FW306", { name: parameter.name, type: shown, suggestion: found }, type.location);
}

const NO_PARAM = "it can't be a param";

function sayWhere(method: RouteMethod | undefined): string {
  const mark = method !== undefined && WITH_BODY.includes(method) ? "Body" : "Query";
  return `Name it, or write where its values come from: { q }: ${mark}<{ q: string }>.`;
}

/** With the place of the parameter, where the diagnostic is about a declaration elsewhere. */
function at(diagnostic: Diagnostic, location: Location): Diagnostic {
  const { locations } = diagnostic;
  const isThere = locations.some(({ file, line }) => file === location.file && line === location.line);
  return isThere ? diagnostic : { ...diagnostic, locations: [location, ...locations] };
}
