/** Follows the `f` of `From<typeof f>` to its function, and to the file of the project that exports it. */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { APPS_FOLDER, toRoutePath, VIEWS_FILE } from "../layout.ts";
import type { FunctionValue, SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { type Exporter, exporterOf, find, followNames, type NamedValue } from "../source/names.ts";
import { endOf, findInside, type ProviderMark } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";
import { parseRouteFile } from "./file-naming.ts";
import { isHandlerName, parseMethodExport } from "./naming.ts";
import { isBadName } from "./segments.ts";

/** A function that a signature can name. */
export interface ProjectFunction {
  readonly name: string;
  /** The file that declares it. */
  readonly module: SourceModule;
  readonly value: FunctionValue;
  readonly exporter: Exporter;
}

/** @param location of the parameter's type. */
export function findProvider(
  modules: Modules,
  { of }: ProviderMark,
  location: Location,
): ProjectFunction | Diagnostic {
  const [given] = of;
  if (given === undefined || of.length > 1) {
    const found = of.length === 0 ? "none" : String(of.length);
    const details = { name: "From", wanted: "one type", found, example: "From<typeof requireUser>" };
    return diagnose("FW340", details, location);
  }
  const { type, scope } = endOf(modules, given);
  if (type.kind === "typeof") return findFunction(modules, scope.module, type, location);
  const meant = suggestFunction(modules, { type, scope });
  const hint =
    meant === undefined
      ? "A provider is a function that returns the value. Import it, and name it: From<typeof requireUser>."
      : `Write it like this: From<typeof ${meant}>`;
  return diagnose("FW352", { why: `this is \`${given.type.text}\``, hint }, location);
}

/** `f` of `From<f>`, of `From<ReturnType<typeof f>>` and the like. */
function suggestFunction(modules: Modules, { type, scope: { module } }: ScopedType): string | undefined {
  return findInside(type, (part) => {
    if (part.kind === "typeof")
      return type.kind === "indexed" ? undefined : part.text.replace(/^typeof\s+/, "");
    if (part.kind !== "name") return undefined;
    const found = find(modules, module, part, "value");
    const isFunction = found.kind === "declared" && found.declaration.kind === "function";
    return isFunction ? part.path.join(".") : undefined;
  });
}

function findFunction(
  modules: Modules,
  module: SourceModule,
  written: TypeExpression & ValueName,
  location: Location,
): ProjectFunction | Diagnostic {
  const name = written.path.join(".");
  let exporter: Exporter | undefined;
  for (const found of followNames(modules, module, written, find)) {
    if (found.kind !== "declared") return explainNoFunction(found, module, name, location);
    const { declaration, module: declaring, rest } = found;
    if (rest.length > 0) return diagnoseNoFunction(name, "a member of an object", location);
    // `export const a = b` exports `b`, too.
    exporter = exporterOf({ ...found, exporter: found.exporter ?? exporter });
    if (exporter && isHandler(exporter)) {
      const hint = "Move what both need into a function of its own, and take that with `From`.";
      return diagnose("FW352", { why: `\`${exporter.name}\` is a handler`, hint }, location);
    }
    switch (declaration.kind) {
      case "function": {
        const own = /^\*/.test(found.name) ? name : found.name;
        if (exporter) return { name: own, module: declaring, value: declaration, exporter };
        return diagnose("FW347", { name: own, file: declaring.file }, declaration.location);
      }
      case "opaque":
        return diagnose("FW311", { handler: found.name, why: declaration.why }, declaration.location);
      case "other":
        return diagnoseNoFunction(name, declaration.what, location);
    }
  }
  throw new Error("The last name is declared as something, or lost.");
}

function diagnoseNoFunction(name: string, what: string, location: Location): Diagnostic {
  const instead =
    what === "a member of an object"
      ? "Export the function itself, and take that one"
      : `Write a function that returns ${what === "a class" ? "an instance of it" : "it"}, and export that one`;
  return diagnose("FW312", { name, what, instead }, location);
}

/** To export it from a file of the project is not enough: its signature is still the package's. */
const CALL_IT = "Write a function in a file of the project that calls it, and export that one.";

function isHandler({ module: { file }, name }: Exporter): boolean {
  const path = toRoutePath(file);
  if (path === undefined)
    return file.startsWith(`${APPS_FOLDER}/`) && file.endsWith(`/${VIEWS_FILE}`) && isHandlerName(name);
  const parsed = parseMethodExport(name) && parseRouteFile(path);
  return parsed !== undefined && !isBadName(parsed);
}

function explainNoFunction(
  found: Exclude<NamedValue, { readonly kind: "declared" }>,
  { file, values, imports }: SourceModule,
  name: string,
  location: Location,
): Diagnostic {
  switch (found.kind) {
    case "framework":
    case "foreign":
      return diagnose("FW348", { name, from: found.from, instead: CALL_IT }, location);
    case "lost":
      if (found.unexported) {
        const { name: own, location: place } = found.unexported;
        return diagnose("FW347", { name: own, file: place.file }, place);
      }
      return diagnoseLost(name, found.why, location, found.nearest, found.unread);
    case "global": {
      const nearest = closest(name, [...values.keys(), ...imports.keys()]);
      return diagnoseLost(name, `${file} neither declares nor imports it`, location, nearest);
    }
  }
}

function diagnoseLost(
  name: string,
  why: string,
  location: Location,
  nearest?: string,
  unread = false,
): Diagnostic {
  return diagnose("FW327", { name, why, nearest, unread }, location);
}
