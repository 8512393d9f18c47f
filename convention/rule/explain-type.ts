/** What to write for a parameter whose type says neither that it is a segment of the path nor where else it comes from. */

import type { RouteMethod } from "#runtime/routing/route";
import { isCredential } from "#runtime/wire/credentials";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { DATABASE_FOLDER, PROVIDERS_FILE, PROVIDERS_FOLDER } from "../layout.ts";
import type { SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import { type Modules, toRelative } from "../source/modules.ts";
import { find } from "../source/names.ts";
import { endOf, findInside, findMark, leaveOut, type MarkName } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import { type MarkedParameter, type ReadTake, readTake, type TypeReader } from "../wire/takes.ts";
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
  const bare = leaveOutNothing(scoped.type);
  const inner = { type: bare ?? scoped.type, scope: scoped.scope };
  const mark = findMark(modules, inner);
  if (mark !== undefined && bare !== undefined) {
    const instead =
      mark.name === "From"
        ? "Let the provider return `null`."
        : `Write \`${nameOptional(parameter, mark.name)}: ${bare.text}\`.`;
    return diagnose("FW341", { mark: mark.name, instead }, scoped.type.location);
  }
  const inside = suggestUnwrapped(modules, parameter, inner);
  if (inside !== undefined) return inside;
  const known = isDeclared(modules, inner) ? undefined : meantType(inner.type.text);
  if (known !== undefined && bare === undefined) return `Did you mean \`${nameOf(parameter)}: ${known}\`?`;
  return suggestProvider(modules, unmarked, inner) ?? suggestMark(types, unmarked, inner, bare !== undefined);
}

function nameOf(parameter: MarkedParameter): string {
  return parameter.kind === "plain" ? parameter.name : "{ … }";
}

/** TypeScript takes no `?` after a pattern. */
function nameOptional(parameter: MarkedParameter, mark: string): string {
  return `${parameter.kind === "plain" ? parameter.name : mark.toLowerCase()}?`;
}

/** A union with `undefined` or `null`, without them; undefined for any other type. */
function leaveOutNothing(type: TypeExpression): TypeExpression | undefined {
  const defined = leaveOut(type, "undefined");
  return leaveOut(defined ?? type, "null") ?? defined;
}

function isDeclared(modules: Modules, { type, scope: { module } }: ScopedType): boolean {
  return type.kind === "name" && find(modules, module, type, "type").kind === "declared";
}

/** For a mark inside another type, as in `Query<int>[]`: the other type belongs inside the mark. */
function suggestUnwrapped(
  modules: Modules,
  parameter: MarkedParameter,
  { type, scope }: ScopedType,
): Diagnostic | undefined {
  const isMark = (one: TypeExpression): boolean => findMark(modules, { type: one, scope }) !== undefined;
  const part = findInside(type, (one) => (isMark(one) ? one : undefined));
  const found = part && findMark(modules, { type: part, scope });
  if (part === undefined || found === undefined) return undefined;
  const { name: mark, place } = found;
  const hasMore = findInside(type, (one) => (one !== part && isMark(one)) || undefined) !== undefined;
  const [of] = "arguments" in part ? part.arguments : [];
  const isSecret = isCredential(place);
  const right = isSecret ? part.text : `${mark}<${type.text.replace(part.text, () => of?.text ?? "…")}>`;
  const instead = hasMore
    ? "Write a parameter for each."
    : mark === "From"
      ? "Let the provider return all of the value."
      : `Write \`${nameOf(parameter)}: ${right}\`.`;
  return diagnose("FW341", { mark, instead }, type.location);
}

/** For the name of a value in place of a type, as in `db: database`, and for what a function returns. */
function suggestProvider(
  modules: Modules,
  { parameter }: Unmarked,
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
  return type.kind === "name" && !isSchemaName(name)
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

/** Most schemas have the name of a type. */
function isSchemaName(name: string): boolean {
  return /^[A-Z]/.test(name);
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

/** The first mark with which the type can be read: what a hint tells to write is accepted. */
function suggestMark(
  types: TypeReader,
  { parameter, method }: Unmarked,
  scoped: ScopedType,
  isOptional: boolean,
): string | Diagnostic | undefined {
  const of = toSchema(types.modules, scoped);
  const hasBody = method !== undefined && WITH_BODY.includes(method);
  const isText = TEXTS.test(endOf(types.modules, of).type.text);
  const bodies = [
    ["Body", "the body"],
    ["Form", "a form"],
  ] as const;
  const query = ["Query", "the query"] as const;
  const candidates = !hasBody ? [query] : isText ? [query, ...bodies] : [...bodies, query];
  const refusals: Diagnostic[] = [];
  for (const [name, place] of candidates) {
    const { take, diagnostics } = tryMark(types, name, of, parameter);
    refusals.push(...diagnostics);
    if (take === null) continue;
    const { text } = of.type;
    const written = text.length > LONGEST || /\n/.test(text) ? "…" : text;
    const named = isOptional ? nameOptional(parameter, name) : nameOf(parameter);
    const shown = `${named}: ${nameMark(types.modules, scoped, name)}<${written}>`;
    return `Write \`${shown}\` to take it from ${place}.`;
  }
  const [refusal] = refusals;
  if (refusal?.code !== "FW345" && refusal?.code !== "FW303") return refusal;
  if (scoped.type.kind === "keyword" && scoped.type.name !== "object") return undefined;
  const isBody = !hasBody && tryMark(types, "Body", of, parameter).take !== null;
  return isBody
    ? "Only the body of a POST, PUT or PATCH request can carry it: take it there with `Body`."
    : undefined;
}

/** The schema `NewUser` of `z.infer<typeof NewUser>`, and of its name alone. */
function toSchema(modules: Modules, { type, scope }: ScopedType): ScopedType {
  const { module } = scope;
  const inside = type.kind === "name" || type.kind === "import" ? findTypeof(type) : undefined;
  if (inside !== undefined) return { type: inside, scope };
  const value = toValueName(modules, module, type);
  if (value === undefined || find(modules, module, value, "value").kind !== "declared")
    return { type, scope };
  const { text, location } = type;
  return { type: { kind: "typeof", path: value.path, text: `typeof ${text}`, location }, scope };
}

const PLACES = { Body: "body", Form: "form", Query: "query" } as const;

function tryMark(
  types: TypeReader,
  name: keyof typeof PLACES,
  of: ScopedType,
  parameter: MarkedParameter,
): ReadTake {
  return readTake(types, { name, place: PLACES[name], of: [of], optional: false }, parameter);
}

/** What a file can write for a mark: a type of its own may have the name. */
function nameMark(modules: Modules, { scope: { module } }: ScopedType, mark: MarkName): string {
  const { kind } = find(modules, module, { path: [mark] }, "type");
  return kind === "framework" || kind === "global" ? mark : `import("framework").${mark}`;
}
