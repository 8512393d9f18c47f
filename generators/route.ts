/** Plans handlers in a route file: `routes/<path>.ts`. */

import type { Project } from "#convention/project";
import { planHandlers } from "./handlers.ts";
import type { Plan } from "./plan.ts";
import { type RouteInput, toWantedRoutes } from "./target/route.ts";

/**
 * @returns the plan, which leaves out the methods that are there already.
 * @throws {Refused}
 * @example planRoute(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRoute(project: Project, input: RouteInput): Plan {
  return planHandlers(project, toWantedRoutes(project, input), () => "choose another path.");
}
