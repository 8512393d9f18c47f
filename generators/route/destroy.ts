/** Plans to take handlers out of a route file, with their tests; the file goes with the last of what it holds. */

import { toRoutePath } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { formatMethodExport } from "#runtime/convention/rule/naming";
import type { Method, Route } from "#runtime/core/routing/route";
import type { Change } from "../changes/changes.ts";
import { isRefused, type Refusal } from "../refusal.ts";
import {
  checkRemoval,
  type Removal,
  refuseEdited,
  refuseHidden,
  refuseSignature,
  removeCode,
} from "../removal.ts";
import { planSampleRemoval, refuseSamplePart } from "../samples.ts";
import { testFile } from "../tests.ts";
import { findPresent, type RouteInput, testName, toWantedRoutes } from "./target.ts";

/**
 * @param input without methods means all that the file serves.
 * @returns the plan, which leaves out the methods that are not there, or why they stay.
 * @example planRouteRemoval(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRouteRemoval(project: Project, input: RouteInput): Removal | Refusal {
  const wanted = toWantedRoutes(project, input);
  if (isRefused(wanted)) return wanted;
  const { module, parameters, pattern, notes } = wanted;
  const methods = wanted.methods.length > 0 ? wanted.methods : methodsIn(project, module);
  const routes = methods.flatMap((method) => findPresent(project, wanted, method) ?? []);
  const missing = methods.filter((method) => !routes.some((route) => route.method === method));
  const refused = [
    ...missing.map((method) => refuseHidden(project, module, formatMethodExport(method))),
    ...(input.params.length === 0 ? [] : routes.map((route) => refuseSignature(route, parameters))),
  ].find((one) => one !== undefined);
  if (refused !== undefined) return refused;
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
    return isRefused(sample)
      ? sample
      : checkRemoval(project, module, routes, { changes: sample, absent, notes });
  const code = removeCode(project, { module, routes, testName: testName(first.segments), keepsFile: false });
  if (isRefused(code)) return code;
  const { edited, ...rest } = code;
  if (edited.length > 0) return refuseEdited(edited);
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
): readonly Change[] | Refusal | undefined {
  const { module, segments } = first;
  const stays = routes.length < methodsIn(project, module).length;
  const path = (toRoutePath(module) ?? module).replace(/\.ts$/, "");
  if (stays) return refuseSamplePart(project, first, `npx framework destroy route ${path}`);
  const files = { sources: [module], test: testFile(project, testName(segments)) } as const;
  return planSampleRemoval(project, files, routes);
}
