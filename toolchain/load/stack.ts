/** Where in the project's own code something was thrown, read from the stack of the error. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { isOwnFile, toPath } from "./project-files.ts";

const TOOLS = join(frameworkPath(), "tools/");

/** A place in a stack: a URL, or the path alone where a source map led there. */
const PLACE = /(?:^|\(|\bat (?:async )?)(file:\/\/.+?|[/\\].+?|[A-Za-z]:[/\\].+?):(\d+)(?::(\d+))?(?=\)|$)/gm;

/** @returns the lines of the stack that are in the project and not in what it depends on, from the throw outwards to who loads the project. */
export function locateThrown(root: string, error: unknown): readonly Location[] {
  const places = readPlaces(stackOf(error));
  // Node goes on to the main file, which awaits `createApp` and threw nothing.
  const loader = places.findIndex(({ file }) => file.startsWith(TOOLS));
  return places
    .slice(0, loader === -1 ? undefined : loader)
    .flatMap(({ file, ...place }) => (isOwnFile(root, file) ? [{ file: toPath(root, file), ...place }] : []));
}

/** @returns the lines of the stack that name a file, by its absolute path. */
export function readPlaces(stack: string): readonly Location[] {
  return [...stack.matchAll(PLACE)].flatMap(([, place = "", line, column]) => {
    const file = place.startsWith("file:") ? readUrl(place) : place;
    if (file === undefined) return [];
    return { file, line: Number(line), column: Number(column ?? readMark(stack) ?? 1) };
  });
}

/** Whether code of an installed package is in the stack. */
export function isInStack(error: unknown, packageName: string): boolean {
  return stackOf(error).replaceAll("\\", "/").includes(`/node_modules/${packageName}/`);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? "") : "";
}

/** Above a mistake in the text Node writes the place without its column, the line, and marks below it what is wrong. */
function readMark(stack: string): number | undefined {
  const [, before] = /^.+\n(?:.*\n){1,4}?([ \t]*)\^+[ \t]*\n/.exec(stack) ?? [];
  return before === undefined ? undefined : before.length + 1;
}

/** The error's message is part of the stack, and may hold what only looks like a URL. */
function readUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
