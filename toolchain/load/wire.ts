/** Loads the wire module of a project: the code that reads the inputs of its handlers. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import type { Call, TypedRoute } from "#convention/wire/typed-route";
import type { BoundCall, RouteInputs, Serve, WireModule } from "#runtime/wire/inputs";
import type { SchemaShape } from "#runtime/wire/shape";
import { frameworkUrl } from "../framework-folder.ts";
import { toLoadFailure } from "./load-failure.ts";
import type { Export } from "./project-functions.ts";

/** What stack traces call the module, which has no file. */
const NAME = "framework/wire.js";

/** Puts something around the inputs of a route. */
export type AdaptInputs = (inputs: RouteInputs, route: TypedRoute) => RouteInputs;

/**
 * Loads nothing where no route takes anything.
 *
 * @param find gives the function of an export.
 * @returns what gives the way to serve a route; undefined for one that takes nothing.
 */
export async function loadWire(
  { root, routes, definitions }: Project,
  find: (one: Export) => BoundCall["run"],
  adapt: AdaptInputs = (inputs) => inputs,
): Promise<(route: TypedRoute) => Serve | undefined> {
  if (routes.every(({ calls, takes }) => takes.length + calls.length === 0)) return () => undefined;
  const [{ inputsKey }, { writeWireModule }, { toServe }] = await Promise.all([
    import("#convention/wire/code/names"),
    import("#convention/wire/code/module"),
    import("#runtime/wire/imports"),
  ]);
  const text = writeWireModule(
    { routes, definitions },
    { runtime: frameworkUrl("runtime/wire.js").href, toSpecifier: (file) => toUrl(root, file) },
  );
  const { routeInputs }: WireModule = await import(toDataUrl(`${text}//# sourceURL=${NAME}\n`));
  return (route) => {
    const inputs = routeInputs[inputsKey(route)];
    const calls = route.calls.map((call): BoundCall => ({ ...call, run: find(call) }));
    return inputs && toServe(adapt(inputs, route), calls, route.provided);
  };
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
