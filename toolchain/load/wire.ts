/** Loads the wire module of a project: the code that reads the inputs of its handlers. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { type Call, isNarrow, NOTHING_TYPED, type TypedRoute } from "#convention/wire/typed-route";
import type { BoundRoute } from "#runtime/app";
import type { BoundCall, RouteInputs, ServeParts, WireModule } from "#runtime/wire/inputs";
import type { SchemaShape } from "#runtime/wire/shape";
import { frameworkUrl } from "../framework-folder.ts";
import { toLoadFailure } from "./load-failure.ts";
import type { Export } from "./project-functions.ts";

/** What stack traces call the module, which has no file. */
const NAME = "framework/wire.js";

/** Puts something around the inputs of a route. */
export type AdaptInputs = (inputs: RouteInputs, route: TypedRoute) => RouteInputs;

/** What the wire module gives a route. */
export type Wired = Pick<BoundRoute, "fits" | "serve">;

/**
 * Loads nothing where no route takes anything or has a param with a constraint.
 *
 * @param find gives the function of an export.
 */
export async function loadWire(
  project: Project,
  find: (one: Export) => BoundCall["run"],
  adapt: AdaptInputs = (inputs) => inputs,
): Promise<(route: TypedRoute) => Wired> {
  const wire = await importWire(project);
  if (wire === undefined) return () => ({});
  const { inputsKey, pathChecks, routeInputs, toServe } = wire;
  return (route) => {
    const key = inputsKey(route);
    const [fits, inputs] = [pathChecks[key], routeInputs[key]];
    const calls = route.calls.map((call): BoundCall => ({ ...call, run: find(call) }));
    const serve = inputs && toServe(adapt(inputs, route), calls, route.provided);
    return { ...(fits && { fits }), ...(serve && { serve }) };
  };
}

/** The checks of the paths alone, which import nothing of the project: for routes whose handlers are not loaded yet. */
export async function loadPathChecks(project: Project): Promise<(route: TypedRoute) => Pick<Wired, "fits">> {
  const routes = project.routes.filter(isNarrow).map((route) => ({ ...route, ...NOTHING_TYPED }));
  const wire = await importWire({ ...project, routes });
  return (route) => (wire && isNarrow(route) ? { fits: wire.pathChecks[wire.inputsKey(route)] } : {});
}

async function importWire({ root, routes, definitions }: Project): Promise<ImportedWire | undefined> {
  if (!routes.some((route) => isNarrow(route) || route.calls.length + route.takes.length > 0))
    return undefined;
  const [{ inputsKey }, { writeWireModule }, { toServe }] = await Promise.all([
    import("#convention/wire/code/names"),
    import("#convention/wire/code/module"),
    import("#runtime/wire/imports"),
  ]);
  const text = writeWireModule(
    { routes, definitions },
    { runtime: frameworkUrl("runtime/wire.js").href, toSpecifier: (file) => toUrl(root, file) },
  );
  const wire: WireModule = await import(toDataUrl(`${text}//# sourceURL=${NAME}\n`));
  return { ...wire, inputsKey, toServe };
}

interface ImportedWire extends WireModule {
  readonly inputsKey: (route: TypedRoute) => string;
  readonly toServe: ServeParts["toServe"];
}

/** The exports that are no Standard Schemas although they are taken for one, and the files with them that can't be loaded. */
export async function diagnoseSchemas({ root, routes }: Project): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const caller of routes.flatMap((route) => [route, ...route.calls]))
    for (const { shape } of caller.takes)
      if (shape.kind === "schema") diagnostics.push(...(await diagnoseSchema(root, shape, caller)));
  return diagnostics;
}

async function diagnoseSchema(
  root: string,
  { file, exported }: SchemaShape,
  { location }: TypedRoute | Call,
): Promise<Diagnostic[]> {
  try {
    const exports: Readonly<Record<string, unknown>> = await import(toUrl(root, file));
    return isStandardSchema(exports[exported])
      ? []
      : [diagnose("FW504", { name: exported, module: file }, location)];
  } catch (error) {
    return [await toLoadFailure(root, file, error)];
  }
}

/** Some libraries make their schemas functions. */
function isStandardSchema(value: unknown): boolean {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && "~standard" in value;
}

function toUrl(root: string, file: string): string {
  return pathToFileURL(join(root, file)).href;
}

function toDataUrl(text: string): string {
  return `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
}
