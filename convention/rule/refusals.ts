/** Whether a guard or a provider can refuse a request at all, read from its source. What can't be read may well refuse. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readBody } from "../source/bodies.ts";
import type { FunctionValue, SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { findValue } from "../source/names.ts";
import type { FoundCall, FunctionSource } from "./signature.ts";

const known = new WeakMap<FoundCall, boolean>();

/** False only if neither it, nor a provider that it takes, nor a function of the project that they call can throw. */
export function canRefuse(modules: Modules, call: FoundCall): boolean {
  const before = known.get(call);
  if (before !== undefined) return before;
  const refuses = needsSomething(call) || throwsSomewhere(modules, functionsOf(call));
  known.set(call, refuses);
  return refuses;
}

/** A guard that refuses nobody, and one that returns or drops what it should throw. */
export function checkGuard(modules: Modules, guard: FoundCall): Diagnostic[] {
  const { refusal } = readBody(guard.source.value);
  const dropped = functionsOf(guard).flatMap(({ value }) => readBody(value).dropped ?? []);
  if (refusal || dropped.length > 0) {
    return [
      ...(refusal ? [diagnose("FW230", { what: refusal.what }, refusal.location)] : []),
      ...dropped.map(({ name, location }) => diagnose("FW231", { name }, location)),
    ];
  }
  return canRefuse(modules, guard) ? [] : [diagnose("FW229", {}, guard.location)];
}

/** A request without it is refused. What is known of a provider already is not looked at again: many may need each other. */
function needsSomething(call: FoundCall): boolean {
  return withProviders(call).some(
    (one) =>
      known.get(one) ||
      one.parameters.some((parameter) => parameter.kind === "take" && !parameter.take.optional),
  );
}

/** The function itself, and the providers that it takes, but for those of which it is known that they can't refuse. */
function withProviders(call: FoundCall): readonly FoundCall[] {
  const all = new Set([call]);
  // The set grows while it is gone through: providers may need each other more deeply than the stack has room for.
  for (const { parameters } of all)
    for (const parameter of parameters)
      if (parameter.kind === "provided" && known.get(parameter.provider) !== false)
        all.add(parameter.provider);
  return [...all];
}

function functionsOf(call: FoundCall): readonly FunctionSource[] {
  return withProviders(call).map(({ source }) => source);
}

function throwsSomewhere(modules: Modules, first: readonly FunctionSource[]): boolean {
  const sources = new Map<FunctionValue, SourceModule>(first.map(({ value, module }) => [value, module]));
  for (const [value, module] of sources) {
    const { throws, calls, callsUnnamed } = readBody(value);
    if (throws || callsUnnamed) return true;
    for (const path of calls) {
      const called = findCalled(modules, module, path);
      if (called === "unread") return true;
      if (called !== "harmless") sources.set(called.value, called.module);
    }
  }
  return false;
}

/** What no message of a refusal comes from. */
const HARMLESS = new Set([
  "Boolean",
  "Date",
  "Map",
  "Math",
  "Number",
  "Object",
  "Set",
  "String",
  "console",
  "performance",
]);

function findCalled(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
): FunctionSource | "harmless" | "unread" {
  const found = findValue(modules, module, { path });
  if (found.kind === "global") return HARMLESS.has(path[0] ?? "") ? "harmless" : "unread";
  if (found.kind !== "declared" || found.rest.length > 0) return "unread";
  const { declaration: value } = found;
  return value.kind === "function" && value.body ? { module: found.module, value } : "unread";
}
