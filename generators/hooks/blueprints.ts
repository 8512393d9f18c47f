/** The hooks that generators write: a guard that asks for a provider, and a middleware and an error hook to begin with. */

import { isFunctionName } from "#convention/rule/naming";
import type { FunctionBlueprint } from "../functions.ts";
import type { ProjectFunction } from "../source/imports.ts";

export const HOOK_NAMES = ["guard", "middleware", "error"] as const;
export type HookName = (typeof HOOK_NAMES)[number];

export function guardBlueprint(provider: ProjectFunction): FunctionBlueprint {
  return {
    name: "guard",
    types: ["From"],
    provider,
    write(call) {
      const value = guardParameter(provider.name);
      return `// The provider refuses a request, so the guard only has to ask for it.
export function guard(${value}: ${call("From")}<typeof ${call("provider")}>) {
  void ${value};
}
`;
    },
  };
}

/** What the guard calls the value. @example guardParameter("current_user") // "user" */
export function guardParameter(provider: string): string {
  const [, thing = provider] = /^(?:current|require)_?([A-Za-z]\w*)$/.exec(provider) ?? [];
  const name = thing.charAt(0).toLowerCase() + thing.slice(1);
  return isFunctionName(name) && name !== provider ? name : "value";
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
