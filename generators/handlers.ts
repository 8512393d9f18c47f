/** Plans handlers in one file, with their tests: in an app's `views.ts` or in a route file, made where it is not there. */

import type { Project } from "#convention/project";
import { METHODS, type RouteMethod } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { BODY_METHODS } from "./code/body-names.ts";
import { handlerCode } from "./code/handlers.ts";
import { testsOf } from "./code/tests.ts";
import { addCode } from "./edit/code.ts";
import { readText } from "./edit/text.ts";
import { checkFree, checkPlan, checkUnserved, type Plan, toMade } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { refuse, refuseWord } from "./refused.ts";
import { type HandlerInput, toWantedHandler } from "./target/handler.ts";
import { type RouteInput, toWantedRoutes } from "./target/route.ts";
import { formatSignature, formatWanted, isAsWanted, presentRoutes, type Wanted } from "./target/wanted.ts";
import { planTests } from "./tests.ts";

/**
 * @returns the plan, one without changes where the handler is there already.
 * @throws {Refused}
 * @example planHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandler(project: Project, input: HandlerInput): Plan {
  return planHandlers(project, toWantedHandler(project, input), "name");
}

/**
 * @returns the plan, which leaves out the methods that are there already.
 * @throws {Refused}
 * @example planRoute(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRoute(project: Project, input: RouteInput): Plan {
  return planHandlers(project, toWantedRoutes(project, input), "path");
}

/** @returns the plan, which leaves out the handlers that are there already. @param what of the command can be another one. */
function planHandlers(project: Project, wanted: Wanted, what: "name" | "path"): Plan {
  checkTaken(wanted);
  const present = presentRoutes(wanted);
  const other = present.find((route) => !isAsWanted(route, wanted, project.definitions));
  if (other !== undefined) {
    const there = `\`${other.handler}\` already exists, with another signature: ${formatSignature(other)}`;
    const hint = `Edit it there if it should be ${formatWanted(wanted)}, or choose another ${what}.`;
    refuse("FW608", { what: there, hint }, other.location);
  }
  return { ...planMissing(project, wanted), present: present.map((route) => toMade(project, route)) };
}

/** Refuses a body that none of the methods has, and a value of the query with the name of a param. */
function checkTaken({ handlers, parameters, taken: { body, query } }: Wanted): void {
  const methods = handlers.map(({ method }) => method);
  if (body.length > 0 && !methods.some((method) => BODY_METHODS.includes(method)))
    refuseWord(
      `A request with ${methods[0]} has no body, so --body can't describe it`,
      `Use --query, or one of the methods ${BODY_METHODS.join(", ")}.`,
    );
  const twice = query.find(({ name }) => parameters.some((one) => one !== "request" && one.name === name));
  if (twice !== undefined)
    refuseWord(`\`${twice.name}\` is a param of the path, too`, "Give the value of the query another name.");
}

/**
 * Plans the handlers that are not there.
 *
 * @param changes that the same plan makes to other files, before and after the handlers'.
 */
export function planMissing(
  project: Project,
  wanted: Wanted,
  { before = [], after = [] }: { before?: readonly Change[]; after?: readonly Change[] } = {},
): Plan {
  const { what, module, segments, pattern } = wanted;
  const methods = wanted.handlers.flatMap(({ route, method }) => (route === undefined ? method : []));
  if (methods.length === 0) return { changes: [], made: [], present: [], notes: wanted.notes };
  const routes = methods.map((method) => ({ method, segments, pattern, module }));
  checkUnserved(project, routes);
  const source = planSource(project, wanted);
  const served = wanted.handlers.map(({ method }) => method);
  const cases = routes.flatMap((route) => testsOf({ ...route, ...takenBy(wanted, route.method) }, served));
  const checked = checkPlan(project, [...before, source, ...after], { what, routes });
  const guards = guardsOf(checked.after, module, methods);
  const tests = planTests(project, wanted.testName, cases, guards, referenceStyle(project));
  for (const { file } of tests.changes) checkFree(project.root, file);
  const changes = [...before, source, ...tests.changes, ...after];
  const notes = [
    ...checked.notes,
    ...wanted.notes,
    ...(methods.includes("OPTIONS") ? [OPTIONS_NOTE] : []),
    ...tests.notes,
  ];
  return { changes, made: checked.made, present: [], notes };
}

/** Without the handler, the core answers with all methods of the path (RFC 9110 section 9.3.7). */
const OPTIONS_NOTE =
  "OPTIONS of a path that is served answers with a complete Allow by itself; this handler sends only what it returns.";

/** A command for several methods gives the body to those whose requests have one. */
function takenBy({ taken }: Wanted, method: RouteMethod): Wanted["taken"] {
  return BODY_METHODS.includes(method) ? taken : { ...taken, body: [] };
}

/** The handlers that are not there, in their file. */
export function planSource(project: Project, wanted: Wanted): Change {
  const { module: file, segments, pattern, parameters } = wanted;
  const before = readText(project.root, file);
  const code = wanted.handlers
    .filter(({ route }) => route === undefined)
    .map(({ method, name }) =>
      handlerCode({ method, name, segments, pattern, parameters, ...takenBy(wanted, method) }),
    );
  return { file, before, after: addCode(file, before, code, "handler", referenceStyle(project)) };
}

/** The files of the guards that run before the handlers. */
export function guardsOf(
  { routes }: Project,
  module: string,
  methods: readonly RouteMethod[] = METHODS,
): readonly string[] {
  const planned = routes.filter((route) => route.module === module && methods.includes(route.method));
  const calls = planned.flatMap((route) => route.calls).filter(({ kind }) => kind === "guard");
  return [...new Set(calls.map((call) => call.module))];
}
