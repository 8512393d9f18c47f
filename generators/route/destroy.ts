/** Plans to take handlers out of a route file, with their tests. An empty file is removed. */

import { toRoutePath } from "#convention/layout";
import type { Project } from "#convention/project";
import { isNoPlan, type NoPlan } from "../plan.ts";
import { planHandlersRemoval, type Removal } from "../removal.ts";
import { type RouteInput, toWantedRoutes } from "./target.ts";

/**
 * @param input without methods means all that the file serves.
 * @returns the plan, which leaves out the methods that are not there, or why they stay.
 * @example planRouteRemoval(project, { path: "reviews", methods: ["GET", "POST"], params: [] })
 */
export function planRouteRemoval(project: Project, input: RouteInput): Removal | NoPlan {
  const wanted = toWantedRoutes(project, input);
  if (isNoPlan(wanted)) return wanted;
  const path = (toRoutePath(wanted.module) ?? wanted.module).replace(/\.ts$/, "");
  return planHandlersRemoval(project, wanted, {
    comparesSignature: input.params.length > 0,
    keepsFile: false,
    wholeSample: `npx framework destroy route ${path}`,
  });
}
