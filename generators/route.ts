/** Plans handlers in a route file: `routes/<path>.ts`, made where it is not there. */

import { explainHiddenFolder } from "#runtime/convention/config";
import type { Diagnostic } from "#runtime/convention/diagnostics";
import {
  formatMethodExport,
  formatPattern,
  formatRouteFile,
  isRefusal,
  parseMethodExport,
  parseRouteFile,
  type RouteFileSegment,
} from "#runtime/convention/naming";
import type { Project } from "#runtime/convention/project";
import type { Method, Route, Segment } from "#runtime/core/route";
import type { HandlerBlueprint } from "./blueprints.ts";
import { refuse } from "./diagnostics.ts";
import {
  checkPlan,
  findServed,
  isDiagnostic,
  isRefused,
  optionsNotes,
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
  type PathPart,
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
  readonly notes: readonly string[];
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
      instead: "choose another path.",
    };
    return refusal(refuse("FW609", details, other.location));
  }
  const methods = wanted.methods.filter((method) => !present.some((route) => route.method === method));
  if (methods.length === 0)
    return { changes: [], made: [], present: present.map(toMade), notes: wanted.notes };
  const plan = planNew(project, { ...wanted, methods });
  return isRefused(plan) ? plan : { ...plan, present: present.map(toMade) };
}

function toWanted(project: Project, input: RouteInput): Wanted | Refusal {
  const path = input.path.replace(/^routes\//, "").replace(/\.ts$/, "");
  const parts = parsePath(path.replace(/(?:^|(?<=\/))index$/, ""));
  if (isDiagnostic(parts)) return refusal(parts);
  const inFile = parts.filter((part): part is WantedParam => typeof part !== "string");
  const asked = mergeParams(inFile, input.params);
  const place = findPlace(
    project,
    parts.map((part) => toTyped(part, asked)),
  );
  if (isRefused(place)) return place;
  const { module, names, renamed } = place;
  const called = asked.map((one) =>
    one === "request" ? one : { ...one, name: renamed.get(one.name) ?? one.name },
  );
  const repeated = refuseRepeated(called, place);
  if (repeated !== undefined) return refusal(repeated);
  const parameters = called.map((one) => withKnownType(project, module, one));
  const params = parameters.flatMap((one) =>
    one === "request" ? [] : [{ name: one.name, type: toParamType(one.type ?? "string") }],
  );
  const further = params.slice(inFile.length);
  const bound = names.map((name) =>
    typeof name === "string" ? name : params.find((param) => param.name === name.param),
  );
  const segments: readonly Segment[] = [...bound.filter((segment) => segment !== undefined), ...further];
  const methods = [...new Set(input.methods)];
  const pattern = formatPattern(segments, false);
  return { module, methods, parameters, segments, pattern, notes: renameNotes(place) };
}

/** A bracket with the type that a word gives it: `[id]` and `id:int`. */
function toTyped(part: PathPart, asked: readonly WantedParameter[]): PathPart {
  if (typeof part === "string") return part;
  return asked.find((one): one is WantedParam => one !== "request" && one.name === part.name) ?? part;
}

/** Where the routes go. */
interface Place {
  readonly module: string;
  /** As the file's path spells them. */
  readonly names: readonly RouteFileSegment[];
  /** What a param was called by whoever asked → what the file's bracket calls it. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A file that serves the same paths gets the handler, whatever it calls its params: `users/[user_id].ts` for `users/[id]`. */
function findPlace(project: Project, parts: readonly PathPart[]): Place | Refusal {
  const own = parts.map((part): RouteFileSegment => (typeof part === "string" ? part : { param: part.name }));
  const module = findModule(project, own);
  if (isRefused(module)) return module;
  const plain = { module: module.file, names: own, renamed: new Map() };
  if (module.isThere || own.every((name) => typeof name === "string")) return plain;
  const [same, ...others] = findSameShape(project, parts);
  if (same === undefined) return plain;
  if (others.length > 0) {
    const files = [same, ...others].map(({ file }) => file);
    return refusal(refuse("FW616", { path: formatPath(own), files, as: formatPath(same.names) }));
  }
  return { module: same.file, names: same.names, renamed: renamesBetween(own, same.names) };
}

/** The file that stands for the path: of its two forms, `x.ts` and `x/index.ts`, the one that is there. */
function findModule(
  project: Project,
  segments: readonly RouteFileSegment[],
): { readonly file: string; readonly isThere: boolean } | Refusal {
  const own = formatRouteFile({ segments });
  if (typeof own !== "string") return refusal(refuse("FW601", own));
  const inFolder = formatRouteFile({ segments, index: true });
  const files = [own, inFolder].filter((file) => typeof file === "string").map((file) => `routes/${file}`);
  const standing =
    files.find((file) => project.routes.some(({ module }) => module === file)) ??
    files.find((file) => readText(project.root, file) !== null);
  const file = standing ?? `routes/${own}`;
  const hidden = refuseHiddenFolder(file);
  return hidden === undefined ? { file, isThere: standing !== undefined } : refusal(hidden);
}

function refuseHiddenFolder(file: string): Diagnostic | undefined {
  const why = file
    .split("/")
    .slice(0, -1)
    .map(explainHiddenFolder)
    .find((one) => one !== undefined);
  if (why === undefined) return undefined;
  return refuse("FW601", { refusal: `${file} can't hold a route: ${why}`, hint: "Choose another path." });
}

interface RouteModule {
  readonly file: string;
  readonly names: readonly RouteFileSegment[];
}

function findSameShape(project: Project, parts: readonly PathPart[]): readonly RouteModule[] {
  return project.files.flatMap((file) => {
    const parsed = file.startsWith("routes/") ? parseRouteFile(file.slice("routes/".length)) : undefined;
    if (parsed === undefined || isRefusal(parsed) || parsed.segments.length !== parts.length) return [];
    const { segments: names } = parsed;
    const routes = project.routes.filter((route) => route.module === file);
    return parts.every((part, index) => isSameSegment(part, names[index], index, routes))
      ? [{ file, names }]
      : [];
  });
}

/** A param whose type is left open may be of the type that the file's handlers give it; one of another type is another route. */
function isSameSegment(
  part: PathPart,
  name: RouteFileSegment | undefined,
  index: number,
  routes: readonly Route[],
): boolean {
  if (typeof part === "string" || typeof name !== "object") return part === name;
  if (part.type === undefined || routes.length === 0) return true;
  const type = toParamType(part.type);
  return routes.some(({ segments }) => {
    const segment = segments[index];
    return typeof segment === "object" && segment.type === type;
  });
}

function renamesBetween(
  own: readonly RouteFileSegment[],
  there: readonly RouteFileSegment[],
): ReadonlyMap<string, string> {
  const pairs = own.flatMap((name, index): [string, string][] => {
    const other = there[index];
    if (typeof name !== "object" || typeof other !== "object" || name.param === other.param) return [];
    return [[name.param, other.param]];
  });
  return new Map(pairs);
}

/** A further param may have the very name that the file's bracket has. */
function refuseRepeated(called: readonly WantedParameter[], { module }: Place): Diagnostic | undefined {
  const names = called.map((one) => (one === "request" ? one : one.name));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  const why = `\`${repeated}\` is the name of a bracket of ${module}, which serves the same path`;
  return refuse("FW607", { why, hint: "Give the further param another name." });
}

function renameNotes({ module, renamed }: Place): readonly string[] {
  if (renamed.size === 0) return [];
  const names = [...renamed].map(([asked, there]) => `\`${asked}\` is called \`${there}\` there`);
  return [`${module} serves paths of this shape: ${names.join(", ")}.`];
}

function formatPath(names: readonly RouteFileSegment[]): string {
  return names.map((name) => (typeof name === "string" ? name : `[${name.param}]`)).join("/");
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
  const handlers = methods.map((method) => toHandler(wanted, method));
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
  const notes = [...wanted.notes, ...optionsNotes(methods), ...tests.notes];
  return { changes, made: checked.made, present: [], notes };
}

function toHandler({ pattern, parameters }: Wanted, method: Method): HandlerBlueprint {
  return {
    method,
    name: formatMethodExport(method),
    comment: `${method} ${pattern}`,
    parameters: toParameters(parameters),
  };
}

/** One folder of tests, with flat names: `/admin/users` has `tests/admin-users.test.ts`. */
function testName(segments: readonly Segment[]): string {
  const names = segments.filter((segment) => typeof segment === "string");
  return names.length === 0 ? "index" : names.join("-").replace(/[^\p{L}\p{N}._~-]/gu, "-");
}
