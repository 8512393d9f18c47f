/** Plans to take handlers out of a route file, with their tests; the file goes with the last of what it holds. */

import { formatMethodExport } from "#runtime/convention/naming";
import type { Project } from "#runtime/convention/project";
import { isRefused, type Refusal } from "./refusal.ts";
import {
  checkRemoval,
  type Removal,
  refuseEdited,
  refuseHidden,
  refuseSignature,
  removeCode,
} from "./removal.ts";
import { findPresent, type RouteInput, testName, toWantedRoutes } from "./route-target.ts";

/**
 * @returns the plan, which leaves out the methods that are not there, or why they stay.
 * @example planRouteRemoval(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRouteRemoval(project: Project, input: RouteInput): Removal | Refusal {
  const wanted = toWantedRoutes(project, input);
  if (isRefused(wanted)) return wanted;
  const { module, methods, parameters, pattern, notes } = wanted;
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
  if (first === undefined) return { changes: [], gone: [], absent, notes };
  const code = removeCode(project, { module, routes, testName: testName(first.segments), keepsFile: false });
  if (isRefused(code)) return code;
  const { edited, ...rest } = code;
  if (edited.length > 0) return refuseEdited(edited);
  return checkRemoval(project, module, routes, { ...rest, absent, notes: [...notes, ...rest.notes] });
}
