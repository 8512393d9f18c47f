/** A handler's signature, read from its source: which parameter is the request, and what type each param has. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Location, ParamType } from "#runtime/core/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type {
  FunctionValue,
  Parameter,
  PlainParameter,
  SourceModule,
  TypeExpression,
} from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";

/** In declared order: what the handler is called with. */
export type SignatureParameter =
  | { readonly kind: "request"; readonly name: string; readonly location: Location }
  | { readonly kind: "param"; readonly name: string; readonly type: ParamType; readonly location: Location };

export interface ReadSignature {
  /** Null where the diagnostics hold an error. */
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
  const scope: Scope = { modules, module, generics: new Set(handlerFunction.generics) };
  const typed = applyContextualTypes(scope, handlerFunction);
  const read = typed.map((parameter) => readParameter(parameter, handler));
  const diagnostics = read.flatMap((one) => one.diagnostics);
  const parameters = read.flatMap(({ parameter }) => (parameter ? [parameter] : []));
  const second = parameters.filter(({ kind }) => kind === "request")[1];
  if (second) diagnostics.push(diagnose("FW304", { handler, name: second.name }, second.location));
  const failed = diagnostics.some(({ severity }) => severity === "error");
  return { parameters: failed ? null : parameters, diagnostics };
}

/** Where a type's names are looked up. */
interface Scope {
  readonly modules: Modules;
  readonly module: SourceModule;
  /** The function's own type parameters. */
  readonly generics: ReadonlySet<string>;
}

/** A parameter, and the file whose names its type uses: with a contextual type it may be another one. */
interface TypedParameter {
  readonly parameter: Parameter;
  readonly scope: Scope;
}

/** `const get_x: (request: Request, id: int) => object = (request, id) => …`: the variable's type tells the parameters'. */
function applyContextualTypes(
  scope: Scope,
  { parameters, contextual }: FunctionValue,
): readonly TypedParameter[] {
  const found = contextual === null ? undefined : findFunctionType(scope, contextual, new Set());
  return parameters.map((parameter, position) => {
    const given = found?.parameters[position];
    if (parameter.kind !== "plain" || parameter.type !== null || given?.kind !== "plain" || !found) {
      return { parameter, scope };
    }
    return { parameter: { ...parameter, type: given.type }, scope: found.scope };
  });
}

interface FunctionType {
  readonly parameters: readonly Parameter[];
  readonly scope: Scope;
}

function findFunctionType(
  scope: Scope,
  type: TypeExpression,
  visited: ReadonlySet<string>,
): FunctionType | undefined {
  if (type.kind === "function") return { parameters: type.parameters, scope };
  const declared = type.kind === "name" ? findDeclaration(scope, type.path) : undefined;
  if (!declared?.type || visited.has(declared.key)) return undefined;
  return findFunctionType(declared.scope, declared.type, new Set(visited).add(declared.key));
}

interface ReadParameter {
  readonly parameter: SignatureParameter | null;
  readonly diagnostics: Diagnostic[];
}

/** Names that people give the request elsewhere; untyped they would silently be a segment. */
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
  const read = resolveType(scope, type, new Set());
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

/** What a type that is none, in lower case, was probably meant to be. */
export const KNOWN_TYPES: ReadonlyMap<string, string> = new Map([
  ["int", "int"],
  ["integer", "int"],
  ["bigint", "int"],
  ["float", "int"],
  ["number", "int"],
  ["string", "string"],
  ["str", "str"],
  ["request", "Request"],
  ["req", "Request"],
]);

type ResolvedType =
  | { readonly kind: "request" }
  | { readonly kind: "param"; readonly type: ParamType }
  | UnsupportedType;

interface UnsupportedType {
  readonly kind: "unsupported";
  /** The type at the end of the aliases. */
  readonly text: string;
  /** Where more can be said than that it is not supported. */
  readonly explain?: ((location: Location) => Diagnostic) | undefined;
}

const FRAMEWORK = /^framework(?:\/http)?$/;

/** What `framework` and `framework/http` export for signatures. */
const FRAMEWORK_TYPES: ReadonlyMap<string, ResolvedType> = new Map<string, ResolvedType>([
  ["Request", { kind: "request" }],
  ["int", { kind: "param", type: "int" }],
  ["str", { kind: "param", type: "str" }],
]);

function resolveType(scope: Scope, type: TypeExpression, visited: ReadonlySet<string>): ResolvedType {
  switch (type.kind) {
    case "keyword":
      return { kind: "param", type: type.name === "number" ? "int" : "str" };
    case "name":
      return resolveName(scope, type.path, type.text, visited);
    case "import":
      return resolveImport(scope, type.from, type.path, type.text, visited);
    default:
      return { kind: "unsupported", text: type.text };
  }
}

function resolveName(
  scope: Scope,
  path: readonly string[],
  text: string,
  visited: ReadonlySet<string>,
): ResolvedType {
  const [first = "", ...rest] = path;
  const { module, generics } = scope;
  if (generics.has(first)) return { kind: "unsupported", text };
  if (module.types.has(first))
    return rest.length > 0 ? { kind: "unsupported", text } : followAlias(scope, first, text, visited);
  const imported = module.imports.get(first);
  if (imported) {
    const names = imported.name === "*" ? rest : [imported.name, ...rest];
    return resolveImport(scope, imported.from, names, text, visited);
  }
  return resolveGlobal(path, text);
}

function resolveGlobal(path: readonly string[], text: string): ResolvedType {
  const name = path[0] === "globalThis" ? path[1] : path[0];
  if (name === "Request" && path.length <= 2) return { kind: "request" };
  if ((name === "int" || name === "str") && path.length === 1) {
    return { kind: "unsupported", text, explain: (location) => diagnose("FW307", { type: name }, location) };
  }
  return { kind: "unsupported", text };
}

function followAlias(scope: Scope, name: string, text: string, visited: ReadonlySet<string>): ResolvedType {
  const key = `${scope.module.file} ${name}`;
  const alias = scope.module.types.get(name)?.type;
  if (visited.has(key)) {
    const explain = (location: Location) =>
      diagnose("FW308", { type: text, why: "it stands for itself" }, location);
    return { kind: "unsupported", text, explain };
  }
  if (!alias) return { kind: "unsupported", text };
  return resolveType({ ...scope, generics: new Set() }, alias, new Set(visited).add(key));
}

/** @param names the exported name first; more than one where it is a namespace. */
function resolveImport(
  scope: Scope,
  from: string,
  names: readonly string[],
  text: string,
  visited: ReadonlySet<string>,
): ResolvedType {
  const [name = "", ...rest] = names;
  const known = FRAMEWORK_TYPES.get(name);
  if (FRAMEWORK.test(from)) {
    return known && rest.length === 0
      ? known
      : { kind: "unsupported", text, explain: teachImport(from, names) };
  }
  if (from.startsWith("framework/")) return { kind: "unsupported", text, explain: teachImport(from, names) };
  if (scope.modules.locate(scope.module.file, from, true) !== undefined)
    return resolveTypeExport(scope, from, name, rest, text, visited);
  if (known) {
    return {
      kind: "unsupported",
      text,
      explain: (location) => diagnose("FW310", { name: text, from, type: name }, location),
    };
  }
  const why = explainForeign(from);
  return {
    kind: "unsupported",
    text,
    explain: (location) => diagnose("FW308", { type: text, why }, location),
  };
}

/** Undefined for what the framework may well export, but not as a type of a param. */
function teachImport(
  from: string,
  names: readonly string[],
): ((location: Location) => Diagnostic) | undefined {
  const name = names.find((one) => one !== "default") ?? "Request";
  const meant = KNOWN_TYPES.get(name.toLowerCase()) ?? closest(name, FRAMEWORK_TYPES.keys());
  if (meant === undefined) return undefined;
  const type = FRAMEWORK_TYPES.has(meant) ? meant : "int, str";
  const right = `import type { ${type} } from "framework";`;
  const what = names[0] === "default" ? "default" : name;
  return (location) => diagnose("FW309", { name: what, from, right }, location);
}

function resolveTypeExport(
  scope: Scope,
  from: string,
  name: string,
  rest: readonly string[],
  text: string,
  visited: ReadonlySet<string>,
): ResolvedType {
  const unsupported = (why: string): UnsupportedType => ({
    kind: "unsupported",
    text,
    explain: (location) => diagnose("FW308", { type: text, why }, location),
  });
  const file = scope.modules.resolve(scope.module.file, from, true);
  const module = file === undefined ? undefined : scope.modules.get(file);
  if (!module) return unsupported(`there is no file "${from}"`);
  const key = `${module.file} < ${name}`;
  if (visited.has(key)) return unsupported("it stands for itself");
  const further = new Set(visited).add(key);
  const inner: Scope = { ...scope, module, generics: new Set() };
  const found = module.exports.get(name);
  if (found?.from != null) {
    return resolveImport(inner, found.from, found.name === "*" ? rest : [found.name, ...rest], text, further);
  }
  if (found) return resolveName(inner, [found.name, ...rest], found.name, further);
  for (const star of module.stars) {
    const brought = resolveImport(inner, star.from, [name, ...rest], text, further);
    if (brought.kind !== "unsupported" || !brought.explain) return brought;
  }
  return unsupported(
    module.problems.length > 0 ? `${module.file} has errors` : `${module.file} does not export \`${name}\``,
  );
}

interface Declaration {
  readonly type: TypeExpression | null;
  readonly scope: Scope;
  readonly key: string;
}

/** The type alias that a name stands for, in this file or by an import in another one. */
function findDeclaration(scope: Scope, path: readonly string[]): Declaration | undefined {
  const [name = "", ...rest] = path;
  const { module, modules } = scope;
  const own = module.types.get(name);
  if (own && rest.length === 0) return { type: own.type, scope, key: `${module.file} ${name}` };
  const imported = module.imports.get(name);
  const file = imported ? modules.resolve(module.file, imported.from, true) : undefined;
  const target = file === undefined ? undefined : modules.get(file);
  if (!imported || !target) return undefined;
  const wanted = imported.name === "*" ? rest[0] : imported.name;
  const found = wanted === undefined ? undefined : target.exports.get(wanted);
  if (!found || found.from !== null || file === module.file) return undefined;
  return findDeclaration({ ...scope, module: target, generics: new Set() }, [found.name]);
}
