/** What to write for a parameter whose type says neither that it is a segment of the path nor where else it comes from. */

import type { RouteMethod } from "#runtime/routing/route";
import { isCredential } from "#runtime/wire/credentials";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { DATABASE_FOLDER, PROVIDERS_FILE, PROVIDERS_FOLDER } from "../layout.ts";
import type { SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import { type Modules, toRelative } from "../source/modules.ts";
import { find } from "../source/names.ts";
import { endOf, findInside, findMark, leaveOut } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import { type MarkedParameter, readTake, type TypeReader } from "../wire/takes.ts";
import { meantType } from "./param-types.ts";

/** A parameter whose type is not read as what it is. */
export interface Unmarked {
  readonly parameter: MarkedParameter;
  /** Its type, and where the names in it are looked up. */
  readonly scoped: ScopedType;
  /** Undefined for a provider or a guard, which serve under several. */
  readonly method: RouteMethod | undefined;
}

/** @returns what to write, as a sentence; why the type can't be written anywhere; undefined where there is nothing to say. */
export function suggestType(types: TypeReader, unmarked: Unmarked): string | Diagnostic | undefined {
  const { parameter, scoped } = unmarked;
  const { modules } = types;
  const defined = leaveOut(scoped.type, "undefined");
  const bare = leaveOut(defined ?? scoped.type, "null") ?? defined;
  const isOptional = bare !== undefined;
  const inner = { type: bare ?? scoped.type, scope: scoped.scope };
  const misplaced = diagnoseMark(modules, parameter, inner, isOptional);
  if (misplaced !== undefined) return misplaced;
  const { type, scope } = inner;
  const isDeclared = type.kind === "name" && find(modules, scope.module, type, "type").kind === "declared";
  const known = isDeclared || isOptional ? undefined : meantType(type.text);
  if (known !== undefined) return `Did you mean \`${nameOf(parameter)}: ${known}\`?`;
  return suggestProvider(modules, parameter, inner) ?? suggestMark(types, unmarked, inner, isOptional);
}

/** TypeScript takes no `?` after a pattern. */
function nameOf(parameter: MarkedParameter, optionalMark?: string): string {
  if (optionalMark === undefined) return parameter.kind === "plain" ? parameter.name : "{ … }";
  return `${parameter.kind === "plain" ? parameter.name : optionalMark.toLowerCase()}?`;
}

/** A mark beside `null`, as in `Bearer | null`, or inside another type, as in `Query<int>[]`. */
function diagnoseMark(
  modules: Modules,
  parameter: MarkedParameter,
  { type, scope }: ScopedType,
  isOptional: boolean,
): Diagnostic | undefined {
  const part = findInside(type, (one) => (findMark(modules, { type: one, scope }) ? one : undefined));
  const found = part && findMark(modules, { type: part, scope });
  if (part === undefined || found === undefined || (part === type && !isOptional)) return undefined;
  const { name: mark, place } = found;
  const right = part === type || isCredential(place) ? part.text : `${mark}<…>`;
  const instead =
    mark === "From"
      ? "Let the provider return all of the value, or `null`."
      : `Write \`${nameOf(parameter, part === type ? mark : undefined)}: ${right}\`, one parameter for each mark.`;
  return diagnose("FW341", { mark, instead }, type.location);
}

/** For the name of a value in place of a type, as in `db: database`, and for what a function returns. */
function suggestProvider(
  modules: Modules,
  parameter: MarkedParameter,
  { type, scope: { module } }: ScopedType,
): string | undefined {
  const named = findTypeof(type) ?? toValueName(modules, module, type);
  if (named === undefined || type.text.startsWith("Parameters<")) return undefined;
  const name = named.path.join(".");
  const right = `Write \`${nameOf(parameter)}: From<typeof ${name}>\``;
  const found = find(modules, module, named, "value");
  if (found.kind === "global") {
    const other = findElsewhere(modules, name);
    const from = other && toRelative(module.file, other);
    return from && `${right}, and import it: import type { ${name} } from "${from}";`;
  }
  if (found.kind !== "declared" || found.rest.length > 0) return undefined;
  if (found.declaration.kind === "function") return `${right} to get what it returns.`;
  // Most schemas have the name of a type.
  return type.kind === "name" && !/^[A-Z]/.test(name)
    ? `Export a function that returns \`${name}\`, and take that with \`From<typeof …>\`.`
    : undefined;
}

function findTypeof(type: TypeExpression): Extract<TypeExpression, { readonly kind: "typeof" }> | undefined {
  return findInside(type, (part) => (part.kind === "typeof" ? part : undefined));
}

/** The name of a type that no file declares, which may be a value's. */
function toValueName(modules: Modules, module: SourceModule, type: TypeExpression): ValueName | undefined {
  const isAlone = type.kind === "name" && type.arguments.length === 0;
  return isAlone && find(modules, module, type, "type").kind === "global" ? type : undefined;
}

/** The file that exports a function of that name: one that was read already, or one in which generators write providers. */
function findElsewhere(modules: Modules, name: string): string | undefined {
  const usual = [`${PROVIDERS_FOLDER}/${name}.ts`, `${DATABASE_FOLDER}/${PROVIDERS_FILE}`];
  const all = [...modules.parsed, ...usual.flatMap((file) => modules.get(file) ?? [])];
  return all.find(({ exports, values }) => {
    const found = exports.get(name);
    return found?.from === null && values.get(found.name)?.kind === "function";
  })?.file;
}

export const WITH_BODY: readonly RouteMethod[] = ["POST", "PUT", "PATCH", "ALL"];
/** Types whose values are texts in a URL; what else a handler takes is rather in a body, where there is one. */
const TEXTS = /^(?:boolean|Date|["'`-]|\d)/;
const LONGEST = 50;
const PLACES = { Body: "the body", Form: "a form", Query: "the query" } as const;

/** The first mark with which the type can be read, so what a hint tells to write is accepted; or why there is none. */
function suggestMark(
  types: TypeReader,
  { parameter, method }: Unmarked,
  scoped: ScopedType,
  isOptional: boolean,
): string | Diagnostic | undefined {
  const of = toSchema(types.modules, scoped);
  const hasBody = method !== undefined && WITH_BODY.includes(method);
  const isText = TEXTS.test(endOf(types.modules, of).type.text);
  const inBody = hasBody ? (["Body", "Form"] as const) : [];
  const candidates = isText ? (["Query", ...inBody] as const) : ([...inBody, "Query"] as const);
  const refusals: Diagnostic[] = [];
  for (const name of candidates) {
    const place = name === "Query" ? "query" : name === "Form" ? "form" : "body";
    const { take, diagnostics } = readTake(types, { name, place, of: [of], optional: false }, parameter);
    refusals.push(...diagnostics);
    if (take === null) continue;
    const { text } = of.type;
    const written = text.length > LONGEST || /\n/.test(text) ? "…" : text;
    const named = nameOf(parameter, isOptional ? name : undefined);
    const mark = nameMark(types.modules, scoped.scope.module, name);
    return `Write \`${named}: ${mark}<${written}>\` to take it from ${PLACES[name]}.`;
  }
  const [refusal] = refusals;
  if (refusal?.code !== "FW345" && refusal?.code !== "FW303") return refusal;
  return hasBody || of.type.kind === "keyword"
    ? undefined
    : "Only the body of a POST, PUT or PATCH request can carry it: take it there with `Body`.";
}

/** The schema `NewUser` of `z.infer<typeof NewUser>`, and of its name alone. */
function toSchema(modules: Modules, { type, scope }: ScopedType): ScopedType {
  const inside = type.kind === "name" || type.kind === "import" ? findTypeof(type) : undefined;
  if (inside !== undefined) return { type: inside, scope };
  const value = toValueName(modules, scope.module, type);
  if (value === undefined || find(modules, scope.module, value, "value").kind !== "declared")
    return { type, scope };
  const { text, location } = type;
  return { type: { kind: "typeof", path: value.path, text: `typeof ${text}`, location }, scope };
}

/** What a file can write for a mark: a type of its own may have the name. */
function nameMark(modules: Modules, module: SourceModule, mark: string): string {
  const { kind } = find(modules, module, { path: [mark] }, "type");
  return kind === "framework" || kind === "global" ? mark : `import("framework").${mark}`;
}
