/** A handler's signature, read from its source: which parameter is the request, and what type each param has. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Location, ParamType } from "#runtime/core/routing/route";
import type { Take } from "#runtime/core/wire/take";
import { diagnose } from "../diagnostics/catalogue.ts";
import type {
  FunctionValue,
  Parameter,
  PlainParameter,
  SourceModule,
  TypeExpression,
} from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import {
  findFunctionType,
  KNOWN_TYPES,
  resolveType,
  type Scope,
  type UnsupportedType,
} from "./param-types.ts";

/** In declared order: what the handler is called with. */
export type SignatureParameter =
  | { readonly kind: "request"; readonly name: string; readonly location: Location }
  | { readonly kind: "param"; readonly name: string; readonly type: ParamType; readonly location: Location }
  | { readonly kind: "take"; readonly name: string; readonly take: Take; readonly location: Location };

export interface ReadSignature {
  /** Null where the diagnostics have an error. */
  readonly parameters: readonly SignatureParameter[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param module the file that declares the function.
 * @param handler the name it is served under, for the messages.
 */
export function readSignature(
  modules: Modules,
  module: SourceModule,
  handlerFunction: FunctionValue,
  handler: string,
): ReadSignature {
  const { location, body } = handlerFunction;
  if (!body) return { parameters: null, diagnostics: [diagnose("FW317", { handler }, location)] };
  const generics = new Set(handlerFunction.generics);
  const scope: Scope = { modules, module, generics, followed: new Set() };
  const typed = applyContextualTypes(scope, handlerFunction);
  const read = typed.map((parameter) => readParameter(parameter, handler));
  const diagnostics = read.flatMap((one) => one.diagnostics);
  const parameters = read.flatMap(({ parameter }) => (parameter ? [parameter] : []));
  const second = parameters.filter(({ kind }) => kind === "request")[1];
  if (second) diagnostics.push(diagnose("FW304", { handler, name: second.name }, second.location));
  const failed = diagnostics.some(({ severity }) => severity === "error");
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
    if (parameter.kind !== "plain" || parameter.type !== null || given?.kind !== "plain" || !found) {
      return { parameter, scope };
    }
    return { parameter: { ...parameter, type: given.type }, scope: found.scope };
  });
}

interface ReadParameter {
  readonly parameter: SignatureParameter | null;
  readonly diagnostics: Diagnostic[];
}

/** Names that the request often has elsewhere; without a type they would silently be a segment. */
const LOOKS_LIKE_REQUEST = new Set(["req", "_req", "_request", "res", "ctx", "context"]);

function readParameter({ parameter, scope }: TypedParameter, handler: string): ReadParameter {
  const { location } = parameter;
  if (parameter.kind !== "plain") {
    const code = parameter.kind === "rest" ? "FW302" : "FW303";
    return { parameter: null, diagnostics: [diagnose(code, { handler }, location)] };
  }
  const { name, type } = parameter;
  if (type === null) {
    if (name === "request") return { parameter: { kind: "request", name, location }, diagnostics: [] };
    const diagnostics = LOOKS_LIKE_REQUEST.has(name) ? [diagnose("FW316", { name }, location)] : [];
    return toParam(parameter, "str", diagnostics);
  }
  const read = resolveType(scope, type);
  if (read.kind === "request") return { parameter: { kind: "request", name, location }, diagnostics: [] };
  if (name === "request" && (read.kind === "param" || read.explain === undefined)) {
    return { parameter: null, diagnostics: [diagnose("FW305", { type: type.text }, type.location)] };
  }
  if (read.kind === "param") return toParam(parameter, read.type, []);
  return { parameter: null, diagnostics: [explainType(name, type, read)] };
}

function toParam(
  { name, optional, location }: PlainParameter,
  type: ParamType,
  diagnostics: Diagnostic[],
): ReadParameter {
  if (optional) diagnostics.push(diagnose("FW315", { name }, location));
  return { parameter: { kind: "param", name, type, location }, diagnostics };
}

function explainType(name: string, type: TypeExpression, { text, explain }: UnsupportedType): Diagnostic {
  if (explain) return explain(type.location);
  const shown = text === type.text ? text : `${type.text} = ${text}`;
  return diagnose("FW306", { name, type: shown, suggestion: suggestType(text) }, type.location);
}

/** For types that people try, what to write instead. */
function suggestType(text: string): string | undefined {
  const [bare = ""] = text.split(/\s*\|\s*(?:undefined|null)\b/);
  const known = KNOWN_TYPES.get(bare.toLowerCase());
  if (known !== undefined) return `Did you mean \`${known}\`?`;
  if (/^boolean$/i.test(bare)) return "Take it as `string` and compare.";
  if (/^(?:uuid|date)$/i.test(bare)) return "Take it as `string` and check it inside.";
  if (/^["'`]/.test(bare)) return "Take it as `string`, or give each value its own handler.";
  if (/^(?:any|unknown)$/.test(bare)) return "Say which one it is.";
  return undefined;
}
