/** Plans to take a handler out of an app's `views.ts`, with its test. */

import type { Project } from "#convention/project";
import { isNoPlan, type NoPlan } from "../plan.ts";
import { planHandlersRemoval, type Removal } from "../removal.ts";
import { type HandlerInput, toWantedHandler } from "./target.ts";

/**
 * @returns the plan, one without changes where the handler is not there, or why it stays.
 * @example planHandlerRemoval(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandlerRemoval(project: Project, input: HandlerInput): Removal | NoPlan {
  const wanted = toWantedHandler(project, input);
  if (isNoPlan(wanted)) return wanted;
  return planHandlersRemoval(project, wanted, {
    comparesSignature: "path" in input.target || input.params.length > 0,
    keepsFile: true,
    wholeSample: `npx framework destroy app ${wanted.app.name}`,
  });
}
