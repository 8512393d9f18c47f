/** Finds the file under `routes/` that a command names, one that serves such paths already or a new one, and its handlers. */

import { explainHiddenFolder } from "#convention/config/folder-name";
import { listed } from "#convention/diagnostics/entry";
import { toRouteModule, toRoutePath } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import {
  formatRouteFile,
  parseRouteFile,
  type RouteFile,
  type RouteGroup,
  splitGroups,
  toFileName,
} from "#convention/rule/file-naming";
import { formatMethodExport, parseMethodExport } from "#convention/rule/naming";
import { isBadName, type NamedSegment } from "#convention/rule/segments";
import { bindParams } from "#convention/rule/table";
import { toDifference } from "#convention/source/letter-case";
import type { Route, RouteMethod, Segment } from "#runtime/routing/route";
import { type HandlerParameter, NOTHING_TAKEN, type Taken } from "../code/handlers.ts";
import { readText } from "../edit/text.ts";
import { refuse, refuseWord } from "../refused.ts";
import { findOtherCase, LONGEST_NAME, shorten } from "./names.ts";
import type { Wanted, WantedHandler } from "./wanted.ts";
import {
  mergeParams,
  type PathPart,
  parsePath,
  toNamed,
  toParams,
  toParamType,
  toTypeWord,
} from "./words.ts";

export interface RouteInput {
  /** The URL's path or the file's, with or without slash and ending: `/reviews`, `admin/users`, `users/[id]`, `/`. */
  readonly path: string;
  readonly methods: readonly RouteMethod[];
  readonly params: readonly HandlerParameter[];
  /** Of handlers that are made. */
  readonly taken?: Taken;
}

/**
 * @returns the file and its routes, whether they are there or not.
 * @throws {Refused} if there can be none.
 * @example toWantedRoutes(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function toWantedRoutes(project: Project, input: RouteInput): Wanted {
  const { parts, groups } = toParts(input.path);
  const inFile = parts.filter((part) => typeof part !== "string");
  const asked = mergeParams(inFile, input.params);
  const params = asked.filter((one) => one !== "request");
  const typed = parts.map((part) =>
    typeof part === "string" ? part : (params.find(({ name }) => name === part.name) ?? part),
  );
  const { module, names } = findPlace(project, typed, groups);
  if (formatRoutePath(names) !== formatRoutePath(parts.map(toNamed))) {
    const why = `${module} serves paths of this shape, with other names of params`;
    refuseWord(why, `Write the path with its names: "${formatRoutePath(names)}"`);
  }
  const parameters = asked.map((one) => withKnownType(project, module, one));
  const segments = bindParams(names, toParams(parameters));
  return {
    what: module,
    module,
    handlers: findHandlers(project, module, input.methods),
    parameters,
    taken: input.taken ?? NOTHING_TAKEN,
    segments,
    pattern: formatPattern(segments, false),
    testName: testName(segments),
    notes: [],
  };
}

/** Refuses a path that no route can have in any project. */
export function checkRoutePath(path: string): void {
  checkSegments({ segments: toParts(path).parts.map(toNamed) });
}

interface AskedPath {
  readonly parts: readonly PathPart[];
  /** The folders in parentheses: the file belongs into just these. */
  readonly groups: readonly RouteGroup[];
}

function toParts(path: string): AskedPath {
  const bare = path.replace(/^routes\//, "").replace(/\.ts$/, "");
  const { names, groups } = splitGroups(bare.replace(/(?:^|(?<=\/))index$/, "").split("/"));
  const isRooted = names.length > 1 && names[0] === "";
  const shifted = groups.map(({ name, at }) => ({ name, at: isRooted ? at - 1 : at }));
  return { parts: parsePath(names.join("/")), groups: shifted };
}

/** Where the routes go. */
interface Place {
  readonly module: string;
  /** As the file's path spells them. */
  readonly names: readonly NamedSegment[];
}

/** The file that serves the same paths, even with other names of params: `users/[user_id].ts` for `users/[id]`. */
function findPlace(project: Project, parts: readonly PathPart[], groups: readonly RouteGroup[]): Place {
  const own = parts.map(toNamed);
  const { file, isThere } = findModule(project, { segments: own, groups });
  const plain = { module: file, names: own };
  if (isThere) return plain;
  const [same, ...others] = groups.length > 0 ? [] : findSameShape(project, parts);
  if (same === undefined) {
    refuseOtherCase(project, file);
    return plain;
  }
  if (others.length === 0) return same;
  const files = listed([same, ...others].map((one) => one.module));
  const what = `\`${formatRoutePath(own)}\` fits several files: ${files}`;
  const hint = `Name the file that you mean, such as \`${same.module}\`.`;
  return refuse("FW604", { what, hint });
}

/** The file of a path: the one of `x.ts` and `x/index.ts` that is there. */
function findModule(
  project: Project,
  asked: RouteFile,
): { readonly file: string; readonly isThere: boolean } {
  checkSegments(asked);
  const own = String(formatRouteFile(asked));
  const inFolder = formatRouteFile({ ...asked, index: true });
  const files = [own, inFolder].filter((file) => typeof file === "string").map(toRouteModule);
  const found =
    files.find((file) => project.routes.some(({ module }) => module === file)) ??
    files.find((file) => isThereExactly(project, file));
  const file = found ?? toRouteModule(own);
  const hidden = file
    .split("/")
    .slice(0, -1)
    .flatMap((folder) => explainHiddenFolder(folder) ?? [])[0];
  if (hidden !== undefined) refuseWord(`${file} can't hold a route: ${hidden}`, "Choose another path.");
  const isThere = found !== undefined;
  if (!isThere) checkFileNames(asked.segments, explainFileName);
  return { file, isThere };
}

function checkSegments(asked: RouteFile): void {
  const own = formatRouteFile(asked);
  if (typeof own !== "string") refuseWord(own.why, own.hint);
  checkFileNames(asked.segments, explainLength);
}

/** Under just this name: a system that ignores case finds a file under others too. */
function isThereExactly({ root }: Project, file: string): boolean {
  return readText(root, file) !== null && findOtherCase(root, file) === undefined;
}

function refuseOtherCase({ root }: Project, file: string): void {
  const other = findOtherCase(root, file);
  if (other === undefined) return;
  const parsed = parseRouteFile(toRoutePath(other) ?? "");
  const isRoute = parsed !== undefined && !isBadName(parsed);
  const { by } = toDifference([file, other]);
  const why = `it differs from ${other} only ${by}, and not every system can tell the two apart`;
  const hint = isRoute ? `Did you mean \`${formatRoutePath(parsed.segments)}\`?` : "Choose another path.";
  refuseWord(`${file} can't hold a route: ${why}`, hint);
}

/** Characters of a path that a shell or Windows reads in another way in a file name. */
const AMBIGUOUS = /^-|[!$&'()*;:]|\.$/;

/** @param explain says why some system does not allow a name. */
function checkFileNames(segments: readonly NamedSegment[], explain: typeof explainLength): void {
  for (const segment of segments) {
    const why = explain(segment);
    if (why === undefined) continue;
    const name = shorten(typeof segment === "string" ? segment : segment.param);
    const problem = `\`${name}\` can't be the name of a route file or its folder: ${why}`;
    refuseWord(problem, "Choose another name.");
  }
}

function explainLength(segment: NamedSegment): string | undefined {
  const { length } = typeof segment === "string" ? segment : segment.param;
  return length > LONGEST_NAME ? `it is longer than ${LONGEST_NAME} characters` : undefined;
}

/** Of a new file. One that is there may have any name. */
function explainFileName(segment: NamedSegment): string | undefined {
  const isAmbiguous = typeof segment === "string" && AMBIGUOUS.test(segment);
  return explainLength(segment) ?? (isAmbiguous ? "a shell or Windows would read it otherwise" : undefined);
}

function findSameShape(project: Project, parts: readonly PathPart[]): readonly Place[] {
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

function formatRoutePath(names: readonly NamedSegment[]): string {
  return names.map(toFileName).join("/");
}

/** A bracket's param without a type gets the type that the file's other handlers give it. */
function withKnownType(project: Project, module: string, one: HandlerParameter): HandlerParameter {
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
