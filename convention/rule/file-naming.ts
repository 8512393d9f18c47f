/** Which path a file under `routes/` means, and the same the other way round. */

import { explainDeviceName } from "../config/folder-name.ts";
import { isDots, PATH_SEGMENT, PREFIX_SEGMENT } from "../pattern.ts";
import {
  type BadName,
  badName,
  badParamName,
  INDEX,
  isBadName,
  type NamedSegment,
  repeatedParam,
} from "./segments.ts";

/** What the path of a file under `routes/` says. */
export interface RouteFile {
  readonly segments: readonly NamedSegment[];
  /** Set where the same path has two files, and this is the folder's: `admin/index.ts`, not `admin.ts`. */
  readonly index?: true;
  readonly groups?: readonly RouteGroup[];
}

/** A folder in parentheses, as in `(internal)/`: it adds no segment to the path, and may have hooks. */
export interface RouteGroup {
  readonly name: string;
  /** How many segments are before it. */
  readonly at: number;
}

/**
 * @param path relative to `routes/`, with forward slashes: `admin/[id].ts`.
 * @returns undefined for a file that is not a route file by rule: one that begins with `_` or `.`, or is in such a
 * folder (but `.well-known`), a test, a declaration file, or anything but `.ts`.
 */
export function parseRouteFile(path: string): RouteFile | BadName | undefined {
  if (!isRouteFile(path)) return undefined;
  const folders = path.slice(0, -".ts".length).split("/");
  const file = folders.pop() ?? INDEX;
  const { names, groups } = splitGroups(folders);
  const segments: NamedSegment[] = [];
  for (const name of file === INDEX ? names : [...names, file]) {
    const segment = toRouteSegment(name);
    if (isBadName(segment)) return segment;
    segments.push(segment);
  }
  const bad = repeatedParam(segments) ?? wholeInside(segments);
  if (bad) return bad;
  const found: RouteFile = groups.length > 0 ? { segments, groups } : { segments };
  return file === INDEX && hasTwoFiles(found) ? { ...found, index: true } : found;
}

const GROUP = /^\([\p{L}\p{N}_][\p{L}\p{N}\p{M}\-._~]*\)$/u;

/** Whether a folder of that name adds no segment to the paths of its files. */
export function isGroup(name: string): boolean {
  return GROUP.test(name);
}

/** The names of folders that are segments, and the groups among them. */
export function splitGroups(folders: readonly string[]): {
  readonly names: readonly string[];
  readonly groups: readonly RouteGroup[];
} {
  const names = folders.filter((name) => !isGroup(name));
  const groups = folders.flatMap((name, index) => {
    const at = folders.slice(0, index).filter((before) => !isGroup(before)).length;
    return isGroup(name) ? [{ name, at }] : [];
  });
  return { names, groups };
}

/**
 * The inverse of {@link parseRouteFile}.
 * @returns the file's path relative to `routes/`: `[]` is `index.ts`, `["admin", { param: "id" }]` is `admin/[id].ts`.
 */
export function formatRouteFile(file: RouteFile): string | BadName {
  const { segments, index, groups = [] } = file;
  for (const segment of segments) {
    const name = toFileName(segment);
    const back = toRouteSegment(name);
    if (isBadName(back)) return back;
    if (isHidden(name)) return hiddenName(name);
    if (typeof segment === "string" && typeof back !== "string") return badSegment(name);
  }
  const bad = repeatedParam(segments) ?? wholeInside(segments);
  if (bad) return bad;
  const names = segments.map(toFileName);
  for (const { name, at } of groups.toReversed()) names.splice(at, 0, name);
  if (index || !hasTwoFiles(file)) names.push(INDEX);
  return `${names.join("/")}.ts`;
}

/**
 * The root, a page named `index` and one named as a test is have only the folder's file, as has a path that ends in a group; every
 * other path has `x.ts` and `x/index.ts`.
 */
function hasTwoFiles({ segments, groups }: RouteFile): boolean {
  const last = segments.at(-1);
  if (last === undefined || groups?.at(-1)?.at === segments.length) return false;
  return last !== INDEX && isRouteFile(`${toFileName(last)}.ts`);
}

function isRouteFile(path: string): boolean {
  if (!path.endsWith(".ts") || /\.(d|test|spec)\.ts$/.test(path)) return false;
  return !path.split("/").some(isHidden);
}

/** Whether the rule leaves out a file or a folder by its name. `.well-known` is where RFC 8615 puts paths of the whole site. */
export function isHidden(name: string): boolean {
  return /^[._]/.test(name) && name !== ".well-known";
}

export function toFileName(segment: NamedSegment): string {
  return typeof segment === "string" ? segment : `[${segment.whole ? "..." : ""}${segment.param}]`;
}
export function toRouteSegment(name: string): NamedSegment | BadName {
  const device = explainDeviceName(name);
  if (device) return badName(`\`${name}\` can't be the name of a file: ${device}`, "Choose another name.");
  if (/^\(.*\)$/.test(name)) return badGroup(name);
  if (!name.includes("[") && !name.includes("]")) return PATH_SEGMENT.test(name) ? name : badSegment(name);
  const [, dots, param] = /^\[(\.\.\.)?([^[\]]*)\]$/.exec(name) ?? [];
  if (param === undefined || param.startsWith(".")) return badBrackets(name);
  return badParamName(param) ?? (dots === undefined ? { param } : { param, whole: true });
}

function badSegment(name: string): BadName {
  const why =
    name === ""
      ? "A path can't have an empty segment"
      : `\`${name}\` has a character that a path would have to encode`;
  return badName(why, "Use letters, digits, `-`, `_`, `.` and `~`.");
}

function badGroup(name: string): BadName {
  return isGroup(name)
    ? badName(
        `\`${name}\` is a route group, and a group is a folder`,
        `Write the file as ${name}/${INDEX}.ts, or leave out the parentheses.`,
      )
    : badName(
        `\`${name}\` can't be the name of a route group`,
        "Write one word between the parentheses, such as `(internal)`: letters, digits, `-`, `_` and `.`.",
      );
}

function badBrackets(name: string): BadName {
  return badName(
    `\`${name}\` mixes brackets with other text: a param is one whole segment, and never optional`,
    "Write it as `[id]`, or as `[...path]` for all that is left of the path.",
  );
}

function wholeInside(segments: readonly NamedSegment[]): BadName | undefined {
  const whole = segments.slice(0, -1).find((segment) => typeof segment !== "string" && segment.whole);
  if (whole === undefined) return undefined;
  const name = toFileName(whole);
  return badName(
    `\`${name}\` is all that is left of a path, so nothing can follow it`,
    `Name the file ${name}.ts, or write a param: \`${name.replace("...", "")}\`.`,
  );
}

function hiddenName(name: string): BadName {
  if (isDots(name))
    return badName(`\`${name}\` is a dot segment, which no request can reach`, "Leave it out of the path.");
  return badName(
    `Files and folders that begin with \`_\` or \`.\` are not routes, so no file can serve \`${name}\``,
    PREFIX_SEGMENT.test(name)
      ? `Serve it from an app whose prefix ends in \`/${name}\`.`
      : "Choose another name.",
  );
}
