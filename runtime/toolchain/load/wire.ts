/** Loads the wire module of a project: the code that takes off the wire what its handlers declare. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Project } from "#runtime/convention/project";
import type { Route } from "#runtime/core/routing/route";
import type { SchemaShape } from "#runtime/core/wire/shape";
import type { TypedRoute } from "#runtime/core/wire/take";
import type { Serve, Taker, WireModule } from "#runtime/core/wire/taker";
import { frameworkUrl } from "../framework-folder.ts";
import { toLoadFailure } from "./load-failure.ts";

/** What stack traces call the module, which has no file. */
const NAME = "framework/wire.js";

/** Puts something around a taker. */
export type AdaptTaker = (taker: Taker, route: Route) => Taker;

/** Loads nothing where no route takes anything. @returns what gives the way to serve a route; undefined for one that takes nothing. */
export async function loadWire(
  { root, routes, definitions }: Project,
  adapt: AdaptTaker = (taker) => taker,
): Promise<(route: Route) => Serve | undefined> {
  if (routes.every(({ takes }) => takes.length === 0)) return () => undefined;
  const [{ takerName }, { writeWireModule }, { toServe }] = await Promise.all([
    import("#runtime/convention/wire/code/names"),
    import("#runtime/convention/wire/code/module"),
    import("#runtime/core/wire/door"),
  ]);
  const text = writeWireModule(
    { routes, definitions },
    { runtime: frameworkUrl("core/wire.js").href, toSpecifier: (file) => toUrl(root, file) },
  );
  const { takers }: WireModule = await import(toDataUrl(`${text}//# sourceURL=${NAME}\n`));
  return (route) => {
    const taker = takers[takerName(route)];
    return taker && toServe(adapt(taker, route));
  };
}

/** The exports that are no Standard Schemas although handlers take them for one, and the files with them that can't be loaded. */
export async function diagnoseSchemas({ root, routes }: Project): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { schema, route } of findSchemas(routes))
    diagnostics.push(...(await diagnoseSchema(root, schema, route)));
  return diagnostics;
}

async function diagnoseSchema(
  root: string,
  { file, exported }: SchemaShape,
  { location }: Route,
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

function findSchemas(routes: readonly TypedRoute[]): { schema: SchemaShape; route: Route }[] {
  return routes.flatMap((route) =>
    route.takes.flatMap(({ shape }) => (shape.kind === "schema" ? [{ schema: shape, route }] : [])),
  );
}

function toUrl(root: string, file: string): string {
  return pathToFileURL(join(root, file)).href;
}

function toDataUrl(text: string): string {
  return `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
}
