/** Loads the project for its tests: an answer that the return type of its handler does not allow is a 500, and the run fails. */

import { type Declared, readDeclared } from "#convention/contract/declared";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatLocation } from "#convention/diagnostics/format";
import type { Sources } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { BoundRoute } from "#runtime/app";
import type { LoadedProject } from "#runtime/launch";
import { errorAnswer } from "#runtime/message/result";
import { loadWhole, readCurrentProject } from "../../load/load.ts";
import { ProjectError } from "../../load/project-error.ts";
import { compareAnswer, diagnoseDifferences } from "./compare.ts";

/** By their messages: a request that several tests make is reported once. */
const found = new Map<string, Diagnostic>();

/** @param stack of the call of `createApp`. */
export async function loadHeldProject(stack: string): Promise<LoadedProject> {
  const sources = await readCurrentProject(stack);
  const loaded = await loadWhole(sources.project);
  const looks = sources.project.routes.map((route) => createLook(sources, route));
  const routes = loaded.routes.map((bound, index) => ({ ...bound, look: looks[index] }));
  return { ...loaded, routes };
}

/** Its type is read when the route answers for the first time. */
function createLook(sources: Sources, route: TypedRoute): BoundRoute["look"] {
  let declared: Declared | undefined | "unread" = "unread";
  return (answer) => {
    if (declared === "unread") declared = readDeclared(sources, route);
    const diagnostic = declared && diagnoseDifferences(route, compareAnswer(answer, declared).differences);
    if (diagnostic === undefined) return answer;
    keep(sources.project.root, diagnostic);
    return errorAnswer(500, `${diagnostic.code} ${diagnostic.message} (${formatLocation(route.location)})`);
  };
}

/** A test that asks nothing of its answer must not hide it, so the process fails in any case, whatever runs the tests. */
function keep(root: string, diagnostic: Diagnostic): void {
  if (found.size === 0) process.on("exit", () => report(root));
  found.set(diagnostic.message, diagnostic);
}

function report(root: string): void {
  const hasColors = process.stderr.isTTY === true && process.stderr.hasColors();
  console.error(new ProjectError(root, [...found.values()]).format(hasColors));
  process.exitCode ||= 1;
}
