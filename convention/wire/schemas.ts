/** Resolves `typeof NewUser` to a Standard Schema: the module to import it from, and its exported name. */

import type { SchemaShape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { exporterOf, find } from "../source/names.ts";
import { endOf, findNamed } from "./marks.ts";
import type { ScopedType, TypeScope } from "./scope.ts";

/** @returns undefined for a type that is not `typeof` a schema: the caller reads its structure instead. */
export function findSchema(
  modules: Modules,
  { type, scope }: ScopedType,
): SchemaShape | Diagnostic | undefined {
  if (type.kind !== "typeof") return undefined;
  const found = find(modules, scope.module, type, "value");
  if (found.kind === "lost" || found.kind === "global") return undefined;
  const isDeclared = found.kind === "declared";
  if (isDeclared && (found.rest.length > 0 || !isSchema(modules, found.module, found.name))) return undefined;
  const exporter = isDeclared ? exporterOf(found) : found.exporter;
  if (exporter) return { kind: "schema", file: exporter.module.file, exported: exporter.name };
  const name = type.path.join(".");
  return isDeclared
    ? diagnose("FW347", { name, file: found.module.file }, type.location)
    : diagnose("FW348", { name, from: found.from }, type.location);
}

/** The names of inferred types in schema libraries: true for the output type, false for the input type. */
const INFERRED: Readonly<Record<string, boolean>> = {
  infer: true,
  output: true,
  input: false,
  TypeOf: true,
  InferOutput: true,
  InferInput: false,
};

/** Reads `z.infer<typeof Book>` as the schema itself, because only the library can compute the type. */
export function findOutput(
  modules: Modules,
  type: TypeExpression & { readonly kind: "name" | "import" },
  scope: TypeScope,
): SchemaShape | undefined {
  const [of, ...more] = type.arguments;
  const name = type.path.at(-1) ?? "";
  if (of?.kind !== "typeof" || more.length > 0 || !Object.hasOwn(INFERRED, name)) return undefined;
  if (find(modules, scope.module, type, "type").kind !== "foreign") return undefined;
  const schema = findSchema(modules, { type: of, scope });
  if (schema === undefined || !("exported" in schema)) return undefined;
  return INFERRED[name] ? { ...schema, isOutput: true } : schema;
}

/** True for a value that may be a schema: its type is unknown here, and it is not a function, a class or a literal. */
function isSchema(
  modules: Modules,
  module: SourceModule,
  name: string,
  visited: ReadonlySet<string> = new Set(),
): boolean {
  const value = module.values.get(name);
  const type = module.typeOfConstant(name);
  const scope = { module, parameters: new Map() };
  if (type !== null) return isSchemaType(modules, { type, scope });
  if (value?.kind === "name") {
    if (!module.values.has(value.name)) return true;
    return !visited.has(name) && isSchema(modules, module, value.name, new Set(visited).add(name));
  }
  return value?.kind === "opaque" || (value?.kind === "other" && value.what === "an object");
}

/** True for a type with `~standard`, and for any type of a package, because those are not read here. */
function isSchemaType(modules: Modules, scoped: ScopedType, visited = new Set<TypeDeclaration>()): boolean {
  const { type: end, scope } = endOf(modules, scoped);
  const isOne = (type: TypeExpression, inner: TypeScope): boolean =>
    isSchemaType(modules, { type, scope: inner }, visited);
  if (end.kind === "intersection") return end.of.some((type) => isOne(type, scope));
  if (end.kind === "object") return hasStandard(end);
  const named = findNamed(modules, { type: end, scope });
  if (!named || !("kind" in named)) return false;
  if (named.kind !== "declared") return named.kind === "foreign";
  const { declaration, module, rest } = named;
  if (rest.length > 0 || visited.has(declaration)) return false;
  visited.add(declaration);
  const inner = { module, parameters: new Map() };
  return hasStandard(declaration.type) || declaration.bases.some((base) => isOne(base, inner));
}

function hasStandard(type: TypeExpression | null): boolean {
  const members = type?.kind === "object" ? type.members : [];
  return members.some((member) => member.kind === "property" && member.name === "~standard");
}
