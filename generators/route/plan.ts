/** Plans handlers in a route file: `routes/<path>.ts`. */

import type { Project } from "#convention/project";
import { planHandlers } from "../handlers.ts";
import { isNoPlan, type NoPlan, type Plan } from "../plan.ts";
import { type RouteInput, toWantedRoutes } from "./target.ts";

/**
 * @returns the plan, which leaves out the methods that are there already, or why it can't be made.
 * @example planRoute(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRoute(project: Project, input: RouteInput): Plan | NoPlan {
  const wanted = toWantedRoutes(project, input);
  return isNoPlan(wanted) ? wanted : planHandlers(project, wanted, () => "choose another path.");
}
