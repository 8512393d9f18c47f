/** The hooks that generators write: a guard that asks for a provider, and a middleware and an error hook to begin with. */

import type { FunctionBlueprint } from "../functions.ts";
import type { ProjectFunction } from "../source/imports.ts";

export const HOOK_NAMES = ["guard", "middleware", "error"] as const;
export type HookName = (typeof HOOK_NAMES)[number];

export function guardBlueprint(provider: ProjectFunction): FunctionBlueprint {
  return {
    name: "guard",
    types: ["From"],
    provider,
    write: (call) =>
      `export function guard(${guardParameter(provider.name)}: ${call("From")}<typeof ${call("provider")}>) {}\n`,
  };
}

/** What the guard calls the value: the guard only needs it to be there. @example guardParameter("current_user") // "_user" */
export function guardParameter(provider: string): string {
  const [, thing = provider] = /^(?:current|require)_?([A-Za-z]\w*)$/.exec(provider) ?? [];
  return `_${thing.charAt(0).toLowerCase()}${thing.slice(1)}`;
}

export const MIDDLEWARE: FunctionBlueprint = {
  name: "middleware",
  types: ["Next", "Request"],
  write: (call) => `// Browsers show the header with the times of a request.
export async function middleware(_request: ${call("Request")}, next: ${call("Next")}) {
  const start = performance.now();
  const response = await next();
  const duration = (performance.now() - start).toFixed(1);
  response.headers.set("Server-Timing", \`app;dur=\${duration}\`);
  return response;
}
`,
};

export const ERROR: FunctionBlueprint = {
  name: "error",
  types: ["HttpError", "Request"],
  write: (call) => `// What it returns is the answer. Any other error goes on to the next folder outside.
export function error(thrown: unknown, request: ${call("Request")}) {
  if (!(thrown instanceof ${call("HttpError")})) return undefined;
  return { status: thrown.status, path: request.path, ...thrown.body };
}
`,
};
