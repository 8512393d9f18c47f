/** Plans handlers in a route file: `routes/<path>.ts`, made where it is not there. */

import {
  formatMethodExport,
  formatPattern,
  formatRouteFile,
  parseMethodExport,
  type RouteFileSegment,
} from "#runtime/convention/naming";
import type { Project } from "#runtime/convention/project";
import type { Method, Route, Segment } from "#runtime/core/route";
import type { HandlerBlueprint } from "./blueprints.ts";
import { refuse } from "./diagnostics.ts";
import {
  allowedMethods,
  checkPlan,
  findServed,
  isDiagnostic,
  isRefused,
  type Plan,
  type Refusal,
  readText,
  referenceStyle,
  refusal,
  toMade,
} from "./plan.ts";
import { formatSignature, formatWanted, hasSignature } from "./signature.ts";
import { createSource, extendSource } from "./source.ts";
import { planTests, toTest } from "./tests.ts";
import {
  mergeParams,
  parsePath,
  toParameters,
  toParamType,
  type WantedParam,
  type WantedParameter,
} from "./words.ts";

export interface RouteInput {
  /** The URL's path or the file's, with or without slash and ending: `/reviews`, `admin/users`, `users/[id]`, `/`. */
  readonly path: string;
  readonly methods: readonly Method[];
  readonly params: readonly WantedParameter[];
}

/** The routes that shall be made in one file. */
interface Wanted {
  readonly module: string;
  readonly methods: readonly Method[];
  readonly parameters: readonly WantedParameter[];
  readonly segments: readonly Segment[];
  readonly pattern: string;
}

/**
 * @returns the plan, which leaves out the methods that are there already, or why it can't be made.
 * @example planRoute(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRoute(project: Project, input: RouteInput): Plan | Refusal {
  const wanted = toWanted(project, input);
  if (isRefused(wanted)) return wanted;
  const present = wanted.methods
    .map((method) => findPresent(project, wanted, method))
    .filter((route) => route !== undefined);
  const other = present.find((route) => !hasSignature(route, wanted.parameters));
  if (other !== undefined) {
    const details = {
      name: other.handler,
      signature: formatSignature(other),
      wanted: formatWanted(wanted.parameters),
    };
    return refusal(refuse("FW609", details, other.location));
  }
  const methods = wanted.methods.filter((method) => !present.some((route) => route.method === method));
  if (methods.length === 0) return { changes: [], made: [], present: present.map(toMade), notes: [] };
  const plan = planNew(project, { ...wanted, methods });
  return isRefused(plan) ? plan : { ...plan, present: present.map(toMade) };
}

function toWanted(project: Project, input: RouteInput): Wanted | Refusal {
  const path = input.path.replace(/^routes\//, "").replace(/\.ts$/, "");
  const parts = parsePath(path.replace(/(?:^|(?<=\/))index$/, ""));
  if (isDiagnostic(parts)) return refusal(parts);
  const inFile = parts.filter((part): part is WantedParam => typeof part !== "string");
  const names = parts.map(
    (part): RouteFileSegment => (typeof part === "string" ? part : { param: part.name }),
  );
  const module = findModule(project, names);
  if (isRefused(module)) return module;
  const parameters = mergeParams(inFile, input.params).map((one) => withKnownType(project, module.file, one));
  const params = parameters.flatMap((one) =>
    one === "request" ? [] : [{ name: one.name, type: toParamType(one.type ?? "string") }],
  );
  const further = params.slice(inFile.length);
  const bound = names.map((name) =>
    typeof name === "string" ? name : params.find((param) => param.name === name.param),
  );
  const segments: readonly Segment[] = [...bound.filter((segment) => segment !== undefined), ...further];
  const methods = [...new Set(input.methods)];
  return { module: module.file, methods, parameters, segments, pattern: formatPattern(segments, false) };
}

/** The file that stands for the path: of its two forms, `x.ts` and `x/index.ts`, the one that is there. */
function findModule(
  project: Project,
  segments: readonly RouteFileSegment[],
): { readonly file: string } | Refusal {
  const own = formatRouteFile({ segments });
  if (typeof own !== "string") return refusal(refuse("FW601", own));
  const inFolder = formatRouteFile({ segments, index: true });
  const files = [own, inFolder].filter((file) => typeof file === "string").map((file) => `routes/${file}`);
  const standing =
    files.find((file) => project.routes.some(({ module }) => module === file)) ??
    files.find((file) => readText(project.root, file) !== null);
  return { file: standing ?? `routes/${own}` };
}

/** A bracket's param whose type is left open has the type that the file's other handlers give it. */
function withKnownType(project: Project, module: string, one: WantedParameter): WantedParameter {
  if (one === "request" || one.type !== undefined) return one;
  const segments = project.routes
    .filter((route) => route.module === module)
    .flatMap((route) => route.segments);
  const known = segments.find((segment) => typeof segment !== "string" && segment.name === one.name);
  if (known === undefined || typeof known === "string") return one;
  return { name: one.name, type: known.type === "int" ? "int" : "string" };
}

function findPresent(project: Project, { module }: Wanted, method: Method): Route | undefined {
  return project.routes.find(
    (route) => route.module === module && parseMethodExport(route.handler) === method,
  );
}

function planNew(project: Project, wanted: Wanted): Plan | Refusal {
  const { module, methods, segments, pattern } = wanted;
  const routes = methods.map((method) => ({ method, segments, module }));
  for (const route of routes) {
    const served = findServed(project, route);
    if (served === undefined) continue;
    const details = { route: `${route.method} ${pattern}`, handler: served.handler, file: served.module };
    return refusal(refuse("FW610", details, served.location));
  }
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return refusal(before);
  const style = referenceStyle(project);
  const handlers = methods.map((method) => toHandler(project, wanted, method));
  const after =
    before === null ? createSource(handlers, style) : extendSource(module, before, handlers, style);
  if (isDiagnostic(after)) return refusal(after);
  const tests = planTests(
    project,
    testName(segments),
    methods.map((method) => toTest(method, segments, pattern)),
    style,
  );
  const changes = [{ file: module, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, { what: module, routes });
  if (isRefused(checked)) return checked;
  return { changes, made: checked.made, present: [], notes: tests.notes };
}

function toHandler(
  project: Project,
  { methods, segments, pattern, parameters }: Wanted,
  method: Method,
): HandlerBlueprint {
  return {
    method,
    name: formatMethodExport(method),
    comment: `${method} ${pattern}`,
    parameters: toParameters(parameters),
    allow: allowedMethods(project, methods, segments),
  };
}

/** One folder of tests, with flat names: `/admin/users` has `tests/admin-users.test.ts`. */
function testName(segments: readonly Segment[]): string {
  const names = segments.filter((segment) => typeof segment === "string");
  return names.length === 0 ? "index" : names.join("-").replace(/[^\p{L}\p{N}._~-]/gu, "-");
}
