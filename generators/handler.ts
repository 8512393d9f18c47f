/** Plans a handler in an app's `views.ts`. */

import type { Project } from "#convention/project";
import { planHandlers } from "./handlers.ts";
import { findServed, type Plan } from "./plan.ts";
import { orRefused, Refused } from "./refused.ts";
import { type HandlerInput, routeWords, toWantedHandler, type WantedAppHandler } from "./target/handler.ts";
import { presentRoutes } from "./target/wanted.ts";
import { formatPath, type PathPart, toTypeWord } from "./target/words.ts";

/**
 * @returns the plan, one without changes where the handler is there already.
 * @throws {Refused}
 * @example planHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandler(project: Project, input: HandlerInput): Plan {
  const wanted = toWantedHandler(project, input);
  return planHandlers(project, wanted, () => suggestInstead(project, wanted));
}

/** An app has one handler of a name, but the path with other params may be free for another name, or for a file. */
function suggestInstead(project: Project, wanted: WantedAppHandler): string {
  if (findServed(project, wanted) !== undefined) return "choose another name.";
  const { app, method } = wanted;
  const parts = wanted.segments.map((segment): PathPart => {
    return typeof segment === "string"
      ? segment
      : { name: segment.name, type: segment.type === "str" ? undefined : toTypeWord(segment.type) };
  });
  const path = formatPath(parts);
  const other = orRefused(() =>
    toWantedHandler(project, { target: { method, path }, params: [], app: app.name }),
  );
  if (!(other instanceof Refused) && presentRoutes(other).length === 0)
    return `name it \`${other.name}\`: npx framework generate handler ${method} "${path}"`;
  return `serve the path from a file: npx framework generate route ${routeWords(parts, method)}`;
}
