/** Plans handlers in one file, with their tests: in an app's `views.ts` or in a route file, made where it is not there. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { type Location, METHODS, type Route, type RouteMethod } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import {
  checkPlan,
  diagnoseBlocked,
  diagnoseServed,
  isNoPlan,
  type NoPlan,
  noPlan,
  optionsNotes,
  type Plan,
  toMade,
} from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import type { Taken } from "./source/blueprints.ts";
import { nameBody } from "./source/body-names.ts";
import { createSource, extendSource } from "./source/source.ts";
import { readText } from "./source/text.ts";
import { diagnoseTakes, formatTakes, hasTakes } from "./takes.ts";
import { planTests, toTests } from "./tests.ts";
import { formatSignature, formatWanted, hasSignature, presentRoutes, type Wanted } from "./wanted.ts";
import { toParameters } from "./words.ts";

/**
 * @param suggest says what to do where a handler of the name has another signature.
 * @returns the plan, which leaves out the handlers that are there already, or why it can't be made.
 */
export function planHandlers(project: Project, wanted: Wanted, suggest: () => string): Plan | NoPlan {
  const { parameters, takes } = wanted;
  const bad = takes && diagnoseTakes(wanted, takes);
  if (bad !== undefined) return noPlan(bad);
  const present = presentRoutes(wanted);
  const other = present.find(
    (route) => !hasSignature(route, parameters) || (takes && !hasTakes(route, takes, project.definitions)),
  );
  if (other !== undefined) {
    const { handler: name, location } = other;
    const wantedSignature = formatWanted(parameters, takes && formatTakes(takes));
    const hint = `Edit it there if it should be ${wantedSignature}, or ${suggest()}`;
    return noPlan(diagnoseOtherSignature(name, formatSignature(other), hint, location));
  }
  const plan = planMissing(project, wanted, {});
  return isNoPlan(plan) ? plan : { ...plan, present: present.map((route) => toMade(project, route)) };
}

export function diagnoseOtherSignature(
  name: string,
  signature: string,
  hint: string,
  location: Location,
): Diagnostic {
  return diagnose(
    "FW608",
    { what: `\`${name}\` already exists, with another signature: ${signature}`, hint },
    location,
  );
}

/**
 * Plans the handlers that are not there.
 *
 * @param changes that the same plan makes to other files, before and after the handlers'.
 */
export function planMissing(
  project: Project,
  wanted: Wanted,
  { before = [], after = [] }: { before?: readonly Change[]; after?: readonly Change[] },
): Plan | NoPlan {
  const { what, module, segments, pattern } = wanted;
  const handlers = wanted.handlers.filter(({ route }) => route === undefined);
  if (handlers.length === 0) return { changes: [], made: [], present: [], notes: wanted.notes };
  const routes = handlers.map(({ method }) => ({ method, segments, pattern, module }));
  const methods = handlers.map(({ method }) => method);
  const served = diagnoseServed(project, routes);
  if (served !== undefined) return noPlan(served);
  const source = planSource(project, { ...wanted, handlers });
  if (isDiagnostic(source)) return noPlan(source);
  const cases = routes.flatMap((route) => toTests(route, toTaken(wanted, route)));
  const checked = checkPlan(project, [...before, source, ...after], { what, routes });
  if (isNoPlan(checked)) return checked;
  const guards = guardsOf(checked.after, module, methods);
  const tests = planTests(project, wanted.testName, cases, guards, referenceStyle(project));
  const blocked = tests.changes.map(({ file }) => diagnoseBlocked(project.root, file));
  const [problem] = blocked.filter((one) => one !== undefined);
  if (problem !== undefined) return noPlan(problem);
  const changes = [...before, source, ...tests.changes, ...after];
  const notes = [...checked.notes, ...wanted.notes, ...optionsNotes(methods), ...tests.notes];
  return { changes, made: checked.made, present: [], notes };
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

/** A command for several methods gives the body to those whose requests have one. */
function toTaken({ takes, segments }: Wanted, { method }: Pick<Route, "method">): Taken {
  if (takes === undefined) return {};
  const type = takes.body.length === 0 ? undefined : nameBody(method, segments);
  return { body: type === undefined ? undefined : { type, fields: takes.body }, query: takes.query };
}

/** The handlers of `wanted` in their file. */
export function planSource(project: Project, wanted: Wanted): Change | Diagnostic {
  const { module: file, handlers, pattern } = wanted;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return before;
  const parameters = toParameters(wanted.parameters);
  const blueprints = handlers.map(({ method, name }) => {
    return { method, name, comment: `${method} ${pattern}`, parameters, ...toTaken(wanted, { method }) };
  });
  const style = referenceStyle(project);
  const after =
    before === null ? createSource(blueprints, style) : extendSource(file, before, blueprints, style);
  return isDiagnostic(after) ? after : { file, before, after };
}
