/** Plans to take handlers out of a route file, with their tests; the file goes with the last of what it holds. */

import { toRoutePath } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { formatMethodExport } from "#runtime/convention/rule/naming";
import type { Method, Route } from "#runtime/core/routing/route";
import type { Change } from "../changes/changes.ts";
import { isNoPlan, type NoPlan } from "../no-plan.ts";
import {
  checkRemoval,
  diagnoseEdited,
  diagnoseHidden,
  diagnoseSignature,
  type Removal,
  removeCode,
} from "../removal.ts";
import { diagnoseSamplePart, planSampleRemoval } from "../samples.ts";
import { testFile } from "../tests.ts";
import { findPresent, type RouteInput, testName, toWantedRoutes } from "./target.ts";

/**
 * @param input without methods means all that the file serves.
 * @returns the plan, which leaves out the methods that are not there, or why they stay.
 * @example planRouteRemoval(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRouteRemoval(project: Project, input: RouteInput): Removal | NoPlan {
  const wanted = toWantedRoutes(project, input);
  if (isNoPlan(wanted)) return wanted;
  const { module, parameters, pattern, notes } = wanted;
  const methods = wanted.methods.length > 0 ? wanted.methods : methodsIn(project, module);
  const routes = methods.flatMap((method) => findPresent(project, wanted, method) ?? []);
  const missing = methods.filter((method) => !routes.some((route) => route.method === method));
  const bad = [
    ...missing.map((method) => diagnoseHidden(project, module, formatMethodExport(method))),
    ...(input.params.length === 0 ? [] : routes.map((route) => diagnoseSignature(route, parameters))),
  ].find((one) => one !== undefined);
  if (bad !== undefined) return bad;
  const absent = missing.map(
    (method) => `${method} ${pattern} is not there: ${module} serves no such route.`,
  );
  const [first] = routes;
  if (first === undefined) {
    const nothing = `${module} is not there, or serves no route.`;
    return { changes: [], gone: [], absent: methods.length === 0 ? [nothing] : absent, notes };
  }
  const sample = planSample(project, routes, first);
  if (sample !== undefined)
    return isNoPlan(sample)
      ? sample
      : checkRemoval(project, module, routes, { changes: sample, absent, notes });
  const code = removeCode(project, { module, routes, testName: testName(first.segments), keepsFile: false });
  if (isNoPlan(code)) return code;
  const { edited, ...rest } = code;
  if (edited.length > 0) return diagnoseEdited(edited);
  return checkRemoval(project, module, routes, { ...rest, absent, notes: [...notes, ...rest.notes] });
}

function methodsIn(project: Project, module: string): readonly Method[] {
  return project.routes.filter((route) => route.module === module).map(({ method }) => method);
}

/** Undefined where the file is not one of the samples, or was edited. */
function planSample(
  project: Project,
  routes: readonly Route[],
  first: Route,
): readonly Change[] | NoPlan | undefined {
  const { module, segments } = first;
  const stays = routes.length < methodsIn(project, module).length;
  const path = (toRoutePath(module) ?? module).replace(/\.ts$/, "");
  if (stays) return diagnoseSamplePart(project, first, `npx framework destroy route ${path}`);
  const files = { sources: [module], test: testFile(project, testName(segments)) } as const;
  return planSampleRemoval(project, files, routes);
}
