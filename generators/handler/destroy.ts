/** Plans to take a handler out of an app's `views.ts`, with its test. */

import type { Project } from "#runtime/convention/project";
import { isNoPlan, type NoPlan } from "../no-plan.ts";
import {
  checkRemoval,
  diagnoseEdited,
  diagnoseHidden,
  diagnoseSignature,
  type Removal,
  removeCode,
} from "../removal.ts";
import { diagnoseSamplePart } from "../samples.ts";
import { findHandler, type HandlerInput, toWantedHandler } from "./target.ts";

/**
 * @returns the plan, one without changes where the handler is not there, or why it stays.
 * @example planHandlerRemoval(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandlerRemoval(project: Project, input: HandlerInput): Removal | NoPlan {
  const wanted = toWantedHandler(project, input);
  if (isNoPlan(wanted)) return wanted;
  const { module, name, parameters, app } = wanted;
  const route = findHandler(project, wanted);
  if (route === undefined) {
    const hidden = diagnoseHidden(project, module, name);
    if (hidden !== undefined) return hidden;
    const absent = [`\`${name}\` is not there: ${module} serves no such route.`];
    return { changes: [], gone: [], absent, notes: [] };
  }
  const isAnySignature = "name" in input.target && parameters.length === 0;
  const other = isAnySignature ? undefined : diagnoseSignature(route, parameters);
  if (other !== undefined) return other;
  const code = removeCode(project, { module, routes: [route], testName: app.name, keepsFile: true });
  if (isNoPlan(code)) return code;
  const { edited, ...rest } = code;
  if (edited.length > 0)
    return (
      diagnoseSamplePart(project, route, `npx framework destroy app ${app.name}`) ?? diagnoseEdited(edited)
    );
  return checkRemoval(project, `\`${name}\``, [route], { ...rest, absent: [] });
}
