/** Finds the file under `routes/` that a command names, one that serves such paths already or a new one, and its handlers. */

import { explainHiddenFolder } from "#convention/config/folder-name";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { listed } from "#convention/diagnostics/entry";
import { toRouteModule, toRoutePath } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import {
  formatMethodExport,
  formatRouteFile,
  isBadName,
  type NamedSegment,
  parseMethodExport,
  parseRouteFile,
  type RouteFile,
  type RouteGroup,
  splitGroups,
  toFileName,
} from "#convention/rule/naming";
import { toDifference } from "#convention/source/letter-case";
import type { Route, RouteMethod, Segment } from "#runtime/routing/route";
import { findOtherCase, LONGEST_NAME, shorten, toPlainName } from "../names.ts";
import { isNoPlan, type NoPlan, noPlan } from "../plan.ts";
import { readText } from "../source/text.ts";
import type { WantedTakes } from "../takes.ts";
import type { Wanted, WantedHandler } from "../wanted.ts";
import {
  findRepeated,
  mergeParams,
  type PathPart,
  parsePath,
  toNamed,
  toParams,
  toParamType,
  toTypeWord,
  type WantedParam,
  type WantedParameter,
} from "../words.ts";

export interface RouteInput {
  /** The URL's path or the file's, with or without slash and ending: `/reviews`, `admin/users`, `users/[id]`, `/`. */
  readonly path: string;
  readonly methods: readonly RouteMethod[];
  readonly params: readonly WantedParameter[];
  /** Of handlers that are made. */
  readonly takes?: WantedTakes | undefined;
}

/**
 * @returns the file and its routes, whether they are there or not, or why there can be none.
 * @example toWantedRoutes(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function toWantedRoutes(project: Project, input: RouteInput): Wanted | NoPlan {
  const asked = toParts(input.path);
  if (isDiagnostic(asked)) return noPlan(asked);
  const { parts, groups } = asked;
  const inFile = parts.filter((part): part is WantedParam => typeof part !== "string");
  const merged = mergeParams(inFile, input.params);
  const place = findPlace(
    project,
    parts.map((part) => toTyped(part, merged)),
    groups,
  );
  if (isNoPlan(place)) return place;
  const { module, names, renamed } = place;
  const called = merged.map((one) =>
    one === "request" ? one : { ...one, name: renamed.get(one.name) ?? one.name },
  );
  const repeated = diagnoseRepeatedParam(called, place);
  if (repeated !== undefined) return noPlan(repeated);
  const parameters = called.map((one) => withKnownType(project, module, one));
  const params = toParams(parameters);
  const further = params.slice(inFile.length);
  const bound = names.map((name) =>
    typeof name === "string" ? name : params.find((param) => param.name === name.param),
  );
  const segments: readonly Segment[] = [...bound.filter((segment) => segment !== undefined), ...further];
  const pattern = formatPattern(segments, false);
  return {
    what: module,
    module,
    handlers: findHandlers(project, module, input.methods),
    parameters,
    takes: input.takes,
    segments,
    pattern,
    testName: testName(segments),
    notes: renameNotes(place),
  };
}

/** Reports a path that no route can have in any project. */
export function diagnoseRoutePath(path: string): Diagnostic | undefined {
  const asked = toParts(path);
  return isDiagnostic(asked) ? asked : diagnoseSegments({ segments: asked.parts.map(toNamed) });
}

interface AskedPath {
  readonly parts: readonly PathPart[];
  /** The folders in parentheses: the file belongs into just these. */
  readonly groups: readonly RouteGroup[];
}

function toParts(path: string): AskedPath | Diagnostic {
  const bare = path.replace(/^routes\//, "").replace(/\.ts$/, "");
  const { names, groups } = splitGroups(bare.replace(/(?:^|(?<=\/))index$/, "").split("/"));
  const isRooted = names.length > 1 && names[0] === "";
  const parts = parsePath(names.join("/"));
  if (isDiagnostic(parts)) return parts;
  return { parts, groups: groups.map(({ name, at }) => ({ name, at: isRooted ? at - 1 : at })) };
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
  readonly names: readonly NamedSegment[];
  /** The param's name in the command → its name in the file's bracket. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The file that serves the same paths, even with other names of params: `users/[user_id].ts` for `users/[id]`. */
function findPlace(
  project: Project,
  parts: readonly PathPart[],
  groups: readonly RouteGroup[],
): Place | NoPlan {
  const own = parts.map(toNamed);
  const module = findModule(project, { segments: own, groups });
  if (isNoPlan(module)) return module;
  const plain = { module: module.file, names: own, renamed: new Map() };
  if (module.isThere) return plain;
  const [same, ...others] = groups.length > 0 ? [] : findSameShape(project, parts);
  if (same === undefined) return diagnoseOtherCase(project, module.file) ?? plain;
  if (others.length > 0) {
    const files = listed([same, ...others].map((one) => one.module));
    const what = `\`${formatRoutePath(own)}\` fits several files: ${files}`;
    const hint = `Name the file that you mean, such as \`${same.module}\`.`;
    return noPlan(diagnose("FW604", { what, hint }));
  }
  return { ...same, renamed: renamesBetween(own, same.names) };
}

/** The file of a path: the one of `x.ts` and `x/index.ts` that is there. */
function findModule(
  project: Project,
  asked: RouteFile,
): { readonly file: string; readonly isThere: boolean } | NoPlan {
  const { segments } = asked;
  const bad = diagnoseSegments(asked);
  if (bad !== undefined) return noPlan(bad);
  const own = String(formatRouteFile(asked));
  const inFolder = formatRouteFile({ ...asked, index: true });
  const files = [own, inFolder].filter((file) => typeof file === "string").map(toRouteModule);
  const found =
    files.find((file) => project.routes.some(({ module }) => module === file)) ??
    files.find((file) => isThereExactly(project, file));
  const file = found ?? toRouteModule(own);
  const isThere = found !== undefined;
  const problem = diagnoseHiddenFolder(file) ?? (isThere ? undefined : diagnoseFileNames(segments));
  return problem === undefined ? { file, isThere } : noPlan(problem);
}

function diagnoseSegments(asked: RouteFile): Diagnostic | undefined {
  const { segments } = asked;
  const own = formatRouteFile(asked);
  if (typeof own !== "string")
    return diagnose("FW601", { ...own, hint: suggestSegments(own.hint, segments) });
  const long = segments.map(toName).find((name) => name.length > LONGEST_NAME);
  return long === undefined
    ? undefined
    : diagnoseFileName(long, `it is longer than ${LONGEST_NAME} characters`, segments);
}

/** Under just this name: a system that ignores case finds a file under others too. */
function isThereExactly({ root }: Project, file: string): boolean {
  return readText(root, file) !== null && findOtherCase(root, file) === undefined;
}

function diagnoseOtherCase({ root }: Project, file: string): NoPlan | undefined {
  const other = findOtherCase(root, file);
  if (other === undefined) return undefined;
  const parsed = parseRouteFile(toRoutePath(other) ?? "");
  const isRoute = parsed !== undefined && !isBadName(parsed);
  const { by } = toDifference([file, other]);
  const why = `it differs from ${other} only ${by}, and not every system can tell the two apart`;
  const hint = isRoute ? `Did you mean \`${formatRoutePath(parsed.segments)}\`?` : "Choose another path.";
  return noPlan(diagnose("FW601", { why: `${file} can't hold a route: ${why}`, hint }));
}

/** Characters of a path that a shell or Windows reads in another way in a file name. */
const AMBIGUOUS = /^-|[!$&'()*;:]|\.$/;

/** Reports a name for a new file that some system does not allow. A file that is there may have any name. */
function diagnoseFileNames(segments: readonly NamedSegment[]): Diagnostic | undefined {
  const bad = segments.find(
    (segment) => typeof segment === "string" && explainFileName(segment) !== undefined,
  );
  if (typeof bad !== "string") return undefined;
  return diagnoseFileName(bad, explainFileName(bad) ?? "", segments);
}

function explainFileName(name: string): string | undefined {
  return AMBIGUOUS.test(name) ? "a shell or Windows would read it otherwise" : undefined;
}

function diagnoseFileName(name: string, why: string, segments: readonly NamedSegment[]): Diagnostic {
  const problem = `\`${shorten(name)}\` can't be the name of a route file or its folder: ${why}`;
  return diagnose("FW601", { why: problem, hint: suggestSegments("Choose another name.", segments) });
}

function toName(segment: NamedSegment): string {
  return typeof segment === "string" ? segment : segment.param;
}

/** The hint with a similar valid path, unless it suggests something already. */
function suggestSegments(hint: string, segments: readonly NamedSegment[]): string {
  const better = segments.map((segment) => {
    return typeof segment === "string" && !isPlain(segment)
      ? toPlainName(segment, "-")?.slice(0, 40)
      : segment;
  });
  const kept = better.filter((segment) => segment !== undefined);
  const isOther = kept.length > 0 && formatRoutePath(kept) !== formatRoutePath(segments);
  if (/Did you mean/.test(hint) || !isOther || typeof formatRouteFile({ segments: kept }) !== "string")
    return hint;
  return `${hint} Did you mean \`${formatRoutePath(kept)}\`?`;
}

function isPlain(segment: string): boolean {
  const isFileName = segment.length <= LONGEST_NAME && explainFileName(segment) === undefined;
  return isFileName && typeof formatRouteFile({ segments: [segment] }) === "string";
}

function diagnoseHiddenFolder(file: string): Diagnostic | undefined {
  const why = file
    .split("/")
    .slice(0, -1)
    .map(explainHiddenFolder)
    .find((one) => one !== undefined);
  if (why === undefined) return undefined;
  return diagnose("FW601", { why: `${file} can't hold a route: ${why}`, hint: "Choose another path." });
}

function findSameShape(project: Project, parts: readonly PathPart[]): readonly Omit<Place, "renamed">[] {
  return project.files.flatMap((file) => {
    const path = toRoutePath(file);
    const parsed = path === undefined ? undefined : parseRouteFile(path);
    if (parsed === undefined || isBadName(parsed) || parsed.segments.length !== parts.length) return [];
    const { segments: names } = parsed;
    const routes = project.routes.filter((route) => route.module === file);
    return parts.every((part, index) => isSameSegment(part, names[index], index, routes))
      ? [{ module: file, names }]
      : [];
  });
}

/** A param without a type fits whatever type the file's handlers give it. One of another type is another route. */
function isSameSegment(
  part: PathPart,
  name: NamedSegment | undefined,
  index: number,
  routes: readonly Route[],
): boolean {
  if (typeof part === "string" || typeof name !== "object") return part === name;
  if (Boolean(name.whole) !== (part.type === "string[]")) return false;
  if (part.type === undefined || routes.length === 0) return true;
  const type = toParamType(part.type);
  return routes.some(({ segments }) => {
    const segment = segments[index];
    return typeof segment === "object" && segment.type === type;
  });
}

function renamesBetween(
  own: readonly NamedSegment[],
  there: readonly NamedSegment[],
): ReadonlyMap<string, string> {
  const pairs = own.flatMap((name, index): [string, string][] => {
    const other = there[index];
    if (typeof name !== "object" || typeof other !== "object" || name.param === other.param) return [];
    return [[name.param, other.param]];
  });
  return new Map(pairs);
}

/** Reports a further param with the name of one of the file's brackets. */
function diagnoseRepeatedParam(
  called: readonly WantedParameter[],
  { module }: Place,
): Diagnostic | undefined {
  const repeated = findRepeated(called);
  if (repeated === undefined) return undefined;
  const why = `\`${repeated}\` is the name of a bracket of ${module}, which serves the same path`;
  return diagnose("FW601", { why, hint: "Give the further param another name." });
}

function renameNotes({ module, renamed }: Place): readonly string[] {
  if (renamed.size === 0) return [];
  const names = [...renamed].map(([asked, there]) => `\`${asked}\` is called \`${there}\` there`);
  return [`${module} serves paths of this shape: ${names.join(", ")}.`];
}

function formatRoutePath(names: readonly NamedSegment[]): string {
  return names.map(toFileName).join("/");
}

/** A bracket's param without a type gets the type that the file's other handlers give it. */
function withKnownType(project: Project, module: string, one: WantedParameter): WantedParameter {
  if (one === "request" || one.type !== undefined) return one;
  const segments = project.routes
    .filter((route) => route.module === module)
    .flatMap((route) => route.segments);
  const known = segments.find((segment) => typeof segment !== "string" && segment.name === one.name);
  if (known === undefined || typeof known === "string") return one;
  return { name: one.name, type: toTypeWord(known.type) };
}

function findHandlers(
  project: Project,
  module: string,
  methods: readonly RouteMethod[],
): readonly WantedHandler[] {
  const routes = project.routes.filter((route) => route.module === module);
  return [...new Set(methods)].map((method) => {
    const route = routes.find(({ handler }) => parseMethodExport(handler) === method);
    return { method, name: route?.handler ?? formatMethodExport(method), route };
  });
}

/** Test files have flat names: `/admin/users` has `tests/admin-users.test.ts`. */
function testName(segments: readonly Segment[]): string {
  const names = segments.filter((segment) => typeof segment === "string");
  return names.length === 0 ? "index" : names.join("-").replace(/[^\p{L}\p{N}._~-]/gu, "-");
}
