/** Lists the project's functions whose results no source writes. */

import type { Sources } from "#convention/project";
import { resolveExport } from "#convention/source/exports";
import type { SourceModule, Value } from "#convention/source/module";
import type { Shared } from "#convention/wire/typed-route";
import type { Location } from "#runtime/routing/route";

/** A function whose result is to be inferred, where it is declared. */
export interface WantedFunction {
  readonly module: SourceModule;
  /** In its file. */
  readonly name: string;
  readonly location: Location;
}

/** By {@link keyOf}. */
export type Wanted = ReadonlyMap<string, WantedFunction>;

type Exported = Pick<Shared, "module" | "exported">;

export function keyOf(module: string, exported: string): string {
  return `${module} ${exported}`;
}

export function listWanted(sources: Sources): Wanted {
  const wanted = new Map<string, WantedFunction>();
  for (const one of listFunctions(sources)) {
    const key = keyOf(one.module, one.exported);
    const found = wanted.has(key) ? undefined : findUnwritten(sources, one);
    if (found) wanted.set(key, found);
  }
  return wanted;
}

function listFunctions({ project: { routes, unmatched } }: Sources): readonly Exported[] {
  const folders = [...routes.flatMap(({ hooks }) => hooks), ...(unmatched ? [unmatched] : [])];
  return [
    ...routes.map(({ module, handler }) => ({ module, exported: handler })),
    ...routes.flatMap(({ calls }) => calls),
    ...folders.flatMap(({ middleware, error }) => [middleware ?? [], error ?? []].flat()),
  ];
}

/** @returns undefined for a function that writes what it returns. */
function findUnwritten(
  { types: { modules } }: Sources,
  { module: file, exported }: Exported,
): WantedFunction | undefined {
  const module = modules.get(file);
  const place = module?.exports.get(exported)?.location ?? { file, line: 1, column: 1 };
  const origin = module && resolveExport(modules, module, exported, place);
  if (origin?.kind !== "function" && origin?.kind !== "opaque") return undefined;
  if (origin.kind === "function" && origin.value.returns !== null) return undefined;
  const value = origin.kind === "function" ? origin.value : origin;
  const { location } = value;
  const declaring = modules.get(location.file);
  const name = declaring && namesIn(declaring).get(value);
  return declaring && name !== undefined ? { module: declaring, name, location } : undefined;
}

const alreadyListed = new WeakMap<SourceModule, ReadonlyMap<Value, string>>();

function namesIn(module: SourceModule): ReadonlyMap<Value, string> {
  const names =
    alreadyListed.get(module) ?? new Map([...module.values].map(([name, value]) => [value, name]));
  alreadyListed.set(module, names);
  return names;
}
