/** Reads signatures together with those of the providers that they name. A provider is read once, however many functions name it. */

import type { Location, Route, RouteMethod } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Definitions } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import { type Diagnostic, isDiagnostic } from "../diagnostics/diagnostic.ts";
import { checkSharedTakes, isBody } from "../wire/clashes.ts";
import type { TypeReader } from "../wire/takes.ts";
import { findProvider, type ProjectFunction } from "./from.ts";
import { diagnoseInerasable, diagnoseMainImport } from "./loaded-file.ts";
import {
  type FindProvider,
  type FoundCall,
  type NamedFunction,
  type ReadSignature,
  readSignature,
  type SignatureParameter,
} from "./signature.ts";
import {
  type Caller,
  formatChain,
  formatParamType,
  holdsFor,
  nameCaller,
  type Spliced,
  splice,
} from "./splice.ts";

/** A provider of which some mention was found. */
export interface Provider {
  readonly call: FoundCall & { readonly parameters: SignatureParameter[] };
  readonly source: ProjectFunction;
  /** "open": its own providers are being looked at. */
  state: "found" | "open" | "sound" | "broken";
}

/** What reads the signatures of one project. */
export interface CallReader extends TypeReader {
  /** Those that were found so far, by the place of the declaration. */
  readonly providers: Map<Location, Provider>;
}

/** @returns parameters of null where a provider has an error, too; its diagnostics are those of the first function that needs it. */
export function readFunction(types: CallReader, named: NamedFunction): ReadSignature {
  const waiting: Provider[] = [];
  const find = createFind(types, waiting);
  const { parameters, diagnostics } = readSignature(types, named, find);
  const ofProviders = [
    ...readWaiting(types, waiting, find),
    ...waiting.flatMap((provider) => settleProvider(provider, types.providers, types.shapes.definitions)),
  ];
  const provided = parameters?.filter(isProvided) ?? [];
  const areSound = provided.every(
    ({ provider }) => types.providers.get(provider.location)?.state === "sound",
  );
  const clashes =
    parameters && provided.length > 0 && areSound
      ? checkTogether([{ name: named.handler, parameters }], types.shapes.definitions, named.method)
      : [];
  return {
    parameters: areSound && clashes.length === 0 ? parameters : null,
    diagnostics: [...diagnostics, ...ofProviders, ...clashes],
  };
}

type Provided = Extract<SignatureParameter, { readonly kind: "provided" }>;

function isProvided(parameter: SignatureParameter): parameter is Provided {
  return parameter.kind === "provided";
}

/** @param waiting gets each provider that is found for the first time. */
function createFind(types: CallReader, waiting: Provider[]): FindProvider {
  return (mark, location) => {
    const source = findProvider(types.modules, mark, location);
    if (isDiagnostic(source)) return source;
    const { providers } = types;
    const before = providers.get(source.value.location);
    if (before) return before.call;
    const { name, value, exporter } = source;
    const { location: place } = value;
    const provider: Provider = {
      call: {
        kind: "provider",
        name,
        module: exporter.module.file,
        exported: exporter.name,
        location: place,
        parameters: [],
        source: { module: source.module, value },
      },
      source,
      state: "found",
    };
    providers.set(place, provider);
    waiting.push(provider);
    return provider.call;
  };
}

/** Reads the signatures of providers, and of those that they name. */
function readWaiting(types: TypeReader, waiting: Provider[], find: FindProvider): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  // The list grows while it is read.
  for (const provider of waiting) {
    const { name, module, value, exporter } = provider.source;
    const read = readSignature(types, { handler: name, module, value }, find);
    const unloadable = [
      ...[module, exporter.module].flatMap(diagnoseInerasable),
      ...diagnoseMainImport(types.modules, exporter.module),
    ];
    diagnostics.push(...read.diagnostics, ...unloadable);
    if (read.parameters) provider.call.parameters.push(...read.parameters);
    if (read.parameters === null || unloadable.length > 0) provider.state = "broken";
  }
  return diagnostics;
}

/** A provider whose own providers are being looked at, and the parameter that names the next one. */
interface Step {
  readonly provider: Provider;
  readonly location: Location;
}

/** @param way that leads here. @returns the circles and clashes among a provider and those that it needs. */
function settleProvider(
  provider: Provider,
  known: ReadonlyMap<Location, Provider>,
  definitions: Definitions,
  way: readonly Step[] = [],
): readonly Diagnostic[] {
  if (provider.state !== "found") return [];
  provider.state = "open";
  const needs = provider.call.parameters.filter(isProvided);
  const diagnostics = needs.flatMap(({ provider: { location: place }, location }): readonly Diagnostic[] => {
    const needed = known.get(place);
    const further = [...way, { provider, location }];
    if (needed?.state === "open")
      return [diagnoseCircle(further.slice(further.findIndex((step) => step.provider === needed)))];
    return needed ? settleProvider(needed, known, definitions, further) : [];
  });
  const isSound = needs.every((need) => known.get(need.provider.location)?.state === "sound");
  const clashes = isSound && needs.length > 0 ? checkTogether([provider.call], definitions) : [];
  provider.state = isSound && clashes.length === 0 ? "sound" : "broken";
  return [...diagnostics, ...clashes];
}

/** How many places of a circle are shown. */
const MOST_PLACES = 4;

/** @param circle the last of them needs the first. */
function diagnoseCircle(circle: readonly Step[]): Diagnostic {
  const names = circle.map(({ provider }) => provider.call.name);
  const chain = formatChain([...names, ...names.slice(0, 1)]);
  return diagnose("FW360", { chain }, ...circle.slice(0, MOST_PLACES).map(({ location }) => location));
}

/**
 * What functions can't be called with for one request: a param of two types, a value of two types, a body that the method does not have.
 * What is wrong within one signature is not reported again.
 *
 * @param called by the framework itself for one route: the guards, outer before inner, and the handler.
 * @param method of the route; undefined where it is not known yet.
 * @param route which one it is, for what a guard can't have.
 */
export function checkTogether(
  called: readonly Caller[],
  definitions: Definitions,
  method?: RouteMethod,
  route?: Pick<Route, "pattern" | "location">,
): readonly Diagnostic[] {
  const spliced = splice(called);
  const takes = spliced.flatMap(toSharedTake);
  const handler = called.at(-1);
  const unsent =
    method === "GET" || method === "HEAD"
      ? takes.find(({ take, caller }) => isBody(take) && caller !== handler)
      : undefined;
  return [
    // What a guard needs is compared with the path of each route.
    ...checkTypes(called.length > 1 ? splice(called.slice(-1)) : spliced),
    ...(unsent && method ? [diagnoseUnsent(unsent, method, handler, route)] : []),
    ...checkSharedTakes(takes, nameCaller, definitions),
  ];
}

interface SharedTake {
  readonly take: DeclaredInput;
  readonly location: Location;
  readonly caller: Caller;
}

function toSharedTake({ parameter, caller }: Spliced): SharedTake[] {
  return parameter.kind === "take" ? [{ take: parameter.take, location: parameter.location, caller }] : [];
}

/** It is reported where the handler names the provider: another handler may well do so. For a guard, with a route that it is around. */
function diagnoseUnsent(
  { location, caller }: SharedTake,
  method: RouteMethod,
  handler: Caller | undefined,
  route?: Pick<Route, "pattern" | "location">,
): Diagnostic {
  let [first, mention] = [caller, location];
  for (; first.by; first = first.by.caller) mention = first.by.location;
  const around = first === handler ? undefined : route;
  const request = around ? `${method} ${around.pattern}` : `a ${method} request`;
  const details = { handler: nameCaller(caller), request };
  return diagnose("FW343", details, ...new Set([mention, location, around?.location ?? location]));
}

/** One name is one segment. */
function checkTypes(spliced: readonly Spliced[]): Diagnostic[] {
  const params = new Map<string, Spliced>();
  return spliced.flatMap((one) => {
    const { parameter, caller } = one;
    if (parameter.kind !== "param") return [];
    const { name, location } = parameter;
    const before = params.get(name);
    if (before?.parameter.kind !== "param" || holdsFor(before.parameter, parameter)) {
      if (before === undefined || parameter.shape) params.set(name, one);
      return [];
    }
    if (holdsFor(parameter, before.parameter)) return [];
    const details = {
      what: `the param \`${name}\``,
      one: nameCaller(caller),
      take: `${name}: ${formatParamType(parameter)}`,
      other: nameCaller(before.caller),
      otherTake: `${name}: ${formatParamType(before.parameter)}`,
    };
    return [diagnose("FW361", details, location, before.parameter.location)];
  });
}
