/** Plans a handler in an app's `views.ts`. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Project } from "#runtime/convention/project";
import { isNoPlan, type NoPlan, noPlan } from "../no-plan.ts";
import { checkPlan, findServed, optionsNotes, type Plan, toMade } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { formatSignature, formatWanted, hasSignature } from "../signature.ts";
import type { HandlerBlueprint } from "../source/blueprints.ts";
import { createSource, extendSource } from "../source/source.ts";
import { readText } from "../source/text.ts";
import { planTests, toTest } from "../tests.ts";
import { formatPath, type PathPart, toParameters } from "../words.ts";
import { findHandler, type HandlerInput, routeWords, toWantedHandler, type WantedHandler } from "./target.ts";

/**
 * @returns the plan, one without changes where the handler is there already, or why it can't be made.
 * @example planHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandler(project: Project, input: HandlerInput): Plan | NoPlan {
  const wanted = toWantedHandler(project, input);
  if (isNoPlan(wanted)) return wanted;
  return findPresent(project, wanted) ?? planNew(project, wanted);
}

/** A plan without changes for a handler that is there; no plan for one that is in the way. */
function findPresent(project: Project, wanted: WantedHandler): Plan | NoPlan | undefined {
  const { name, parameters } = wanted;
  const same = findHandler(project, wanted);
  if (same !== undefined) {
    if (hasSignature(same, parameters)) return { changes: [], made: [], present: [toMade(same)], notes: [] };
    const details = {
      name,
      signature: formatSignature(same),
      wanted: formatWanted(parameters),
      instead: suggestInstead(project, wanted),
    };
    return noPlan(diagnose("FW609", details, same.location));
  }
  const served = findServed(project, wanted);
  if (served === undefined) return undefined;
  const route = `${wanted.method} ${wanted.pattern}`;
  return noPlan(diagnose("FW610", { route, handler: served.handler, file: served.module }, served.location));
}

/** A name stands for one handler in an app, but its path with other params may be free for another name, or for a file. */
function suggestInstead(project: Project, wanted: WantedHandler): string {
  if (findServed(project, wanted) !== undefined) return "choose another name.";
  const { app, method } = wanted;
  const parts = wanted.segments.map((segment): PathPart => {
    return typeof segment === "string"
      ? segment
      : { name: segment.name, type: segment.type === "int" ? "int" : undefined };
  });
  const path = formatPath(parts);
  const other = toWantedHandler(project, { target: { method, path }, params: [], app: app.name });
  if (!isNoPlan(other) && findHandler(project, other) === undefined)
    return `name it \`${other.name}\`: npx framework generate handler ${method} "${path}"`;
  return `serve the path from a file: npx framework generate route ${routeWords(parts, method)}`;
}

function planNew(project: Project, wanted: WantedHandler): Plan | NoPlan {
  const { module, method, name, pattern, segments } = wanted;
  const style = referenceStyle(project);
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return noPlan(before);
  const handler: HandlerBlueprint = {
    method,
    name,
    comment: `${method} ${pattern}`,
    parameters: toParameters(wanted.parameters),
  };
  const after =
    before === null ? createSource([handler], style) : extendSource(module, before, [handler], style);
  if (isDiagnostic(after)) return noPlan(after);
  const tests = planTests(project, wanted.app.name, [toTest(method, segments, pattern)], style);
  const changes = [{ file: module, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, {
    what: `\`${name}\``,
    routes: [{ method, segments, module }],
  });
  if (isNoPlan(checked)) return checked;
  return {
    changes,
    made: checked.made,
    present: [],
    notes: [...checked.notes, ...optionsNotes([method]), ...tests.notes],
  };
}
