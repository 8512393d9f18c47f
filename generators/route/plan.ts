/** Plans handlers in a route file: `routes/<path>.ts`, made where it is not there. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Project } from "#runtime/convention/project";
import { formatMethodExport } from "#runtime/convention/rule/naming";
import type { Method } from "#runtime/core/routing/route";
import { isNoPlan, type NoPlan, noPlan } from "../no-plan.ts";
import { checkPlan, findServed, optionsNotes, type Plan, toMade } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { formatSignature, formatWanted, hasSignature } from "../signature.ts";
import type { HandlerBlueprint } from "../source/blueprints.ts";
import { createSource, extendSource } from "../source/source.ts";
import { readText } from "../source/text.ts";
import { planTests, toTest } from "../tests.ts";
import { toParameters } from "../words.ts";
import { findPresent, type RouteInput, testName, toWantedRoutes, type WantedRoutes } from "./target.ts";

/**
 * @returns the plan, which leaves out the methods that are there already, or why it can't be made.
 * @example planRoute(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRoute(project: Project, input: RouteInput): Plan | NoPlan {
  const wanted = toWantedRoutes(project, input);
  if (isNoPlan(wanted)) return wanted;
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
    return noPlan(diagnose("FW609", details, other.location));
  }
  const methods = wanted.methods.filter((method) => !present.some((route) => route.method === method));
  if (methods.length === 0)
    return { changes: [], made: [], present: present.map(toMade), notes: wanted.notes };
  const plan = planNew(project, { ...wanted, methods });
  return isNoPlan(plan) ? plan : { ...plan, present: present.map(toMade) };
}

function planNew(project: Project, wanted: WantedRoutes): Plan | NoPlan {
  const { module, methods, segments, pattern } = wanted;
  const routes = methods.map((method) => ({ method, segments, module }));
  for (const route of routes) {
    const served = findServed(project, route);
    if (served === undefined) continue;
    const details = { route: `${route.method} ${pattern}`, handler: served.handler, file: served.module };
    return noPlan(diagnose("FW610", details, served.location));
  }
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return noPlan(before);
  const style = referenceStyle(project);
  const handlers = methods.map((method) => toHandler(wanted, method));
  const after =
    before === null ? createSource(handlers, style) : extendSource(module, before, handlers, style);
  if (isDiagnostic(after)) return noPlan(after);
  const tests = planTests(
    project,
    testName(segments),
    methods.map((method) => toTest(method, segments, pattern)),
    style,
  );
  const changes = [{ file: module, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, { what: module, routes });
  if (isNoPlan(checked)) return checked;
  const notes = [...checked.notes, ...wanted.notes, ...optionsNotes(methods), ...tests.notes];
  return { changes, made: checked.made, present: [], notes };
}

function toHandler({ pattern, parameters }: WantedRoutes, method: Method): HandlerBlueprint {
  return {
    method,
    name: formatMethodExport(method),
    comment: `${method} ${pattern}`,
    parameters: toParameters(parameters),
  };
}
