/** Plans the hooks of a folder: the functions that its `_hooks.ts` does not have yet. */

import { isDeepStrictEqual } from "node:util";
import { hooksFile } from "#convention/layout";
import type { Project } from "#convention/project";
import { isFunctionName } from "#convention/rule/segments";
import type { SignatureParameter } from "#convention/rule/signature";
import type { Location } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { addCode, type Code } from "./edit/code.ts";
import { readOutline } from "./edit/outline.ts";
import { readText } from "./edit/text.ts";
import { checkPlan, type Plan } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { refuse } from "./refused.ts";
import { readExported } from "./signature.ts";
import { type FoundProvider, findHooksFolder, findNamedProvider, type HooksInput } from "./target/hooks.ts";
import { toSource } from "./target/names.ts";

/**
 * @returns the plan, one without changes where all the hooks are there already.
 * @throws {Refused}
 * @example planHooks(project, { folder: "admin", guard: "current_user", middleware: false, error: false })
 */
export function planHooks(project: Project, input: HooksInput): Plan {
  const folder = findHooksFolder(project, input.folder);
  const file = hooksFile(folder);
  const { changes, present } = planHooksFile(project, file, input);
  const checked = checkPlan(project, changes, { what: `\`${file}\``, routes: [] });
  const around = folder === "" ? "every route" : `the routes in ${folder}/`;
  const guarded = [
    `The guard runs before ${around}. \`npx framework routes audit\` shows them.`,
    "A test that calls them without credentials needs: createApp({ providers: [replace(guard).with(() => {})] })",
  ];
  const notes = [
    ...checked.notes,
    ...present.map((name) => `\`${name}\` is there already: ${file}`),
    ...(input.guard !== undefined && !present.includes("guard") ? guarded : []),
  ];
  return { changes, made: [], present: [], notes };
}

/**
 * @returns the change of a file that lacks one, and the hooks that it has.
 * @throws {Refused} if it has a guard that asks for something else.
 */
export function planHooksFile(
  project: Project,
  file: string,
  { guard, middleware, error }: Omit<HooksInput, "folder">,
): { readonly changes: readonly Change[]; readonly present: readonly string[] } {
  const provider = guard === undefined ? undefined : findNamedProvider(project, guard);
  const before = readText(project.root, file);
  const { exported, bindings } = readOutline(file, before ?? "");
  const wanted = [
    ...(provider === undefined ? [] : [guardCode(file, provider)]),
    ...(middleware ? [MIDDLEWARE] : []),
    ...(error ? [ERROR] : []),
  ];
  if (provider !== undefined && exported.has("guard"))
    checkGuard(project, { file, line: bindings.get("guard") ?? 1, column: 1 }, provider);
  const missing = wanted.filter(({ name }) => !exported.has(name));
  const present = wanted.filter(({ name }) => exported.has(name)).map(({ name }) => name);
  if (missing.length === 0) return { changes: [], present };
  const after = addCode(file, before, missing, "hook", referenceStyle(project));
  return { changes: [{ file, before, after }], present };
}

/** To say that a guard is there would mislead who wanted another one. */
function checkGuard(project: Project, place: Location, { name, location }: FoundProvider): void {
  if (asksFor(readExported(project, place.file, "guard") ?? [], location)) return;
  const what = `${place.file} already has a guard, and it does not ask for \`${name}\``;
  const parameter = `${guardParameter(name)}: From<typeof ${name}>`;
  refuse("FW608", { what, hint: `Add the parameter there by hand: \`${parameter}\`` }, place);
}

/** Itself, or by another provider. */
function asksFor(parameters: readonly SignatureParameter[], wanted: Location): boolean {
  return parameters.some(
    (one) =>
      one.kind === "provided" &&
      (isDeepStrictEqual(one.provider.location, wanted) || asksFor(one.provider.parameters, wanted)),
  );
}

/** A guard that asks for a provider. @param file that gets it: it needs no import for a provider of its own. */
function guardCode(file: string, provider: Pick<FoundProvider, "name" | "file">): Code {
  const value = guardParameter(provider.name);
  return {
    name: "guard",
    write(use) {
      const { name } = provider;
      const asked = provider.file === file ? name : use(name, toSource(file, provider.file));
      return `// The provider refuses a request, so the guard only has to ask for it.
export function guard(${value}: ${use("From")}<typeof ${asked}>) {
  void ${value};
}
`;
    },
  };
}

/** What the guard calls the value. @example guardParameter("current_user") // "user" */
function guardParameter(provider: string): string {
  const [, thing = provider] = /^(?:current|require)_?([A-Za-z]\w*)$/.exec(provider) ?? [];
  const name = thing.charAt(0).toLowerCase() + thing.slice(1);
  return isFunctionName(name) && name !== provider ? name : "value";
}

const MIDDLEWARE: Code = {
  name: "middleware",
  write: (use) => `// Browsers show the header with the times of a request.
export async function middleware(_request: ${use("Request")}, next: ${use("Next")}) {
  const start = performance.now();
  const response = await next();
  const duration = (performance.now() - start).toFixed(1);
  response.headers.set("Server-Timing", \`app;dur=\${duration}\`);
  return response;
}
`,
};

const ERROR: Code = {
  name: "error",
  write: (use) => `// What it returns is the answer. Any other error goes on to the next folder outside.
export function error(thrown: unknown, request: ${use("Request")}) {
  if (!(thrown instanceof ${use("HttpError")})) return undefined;
  return { status: thrown.status, path: request.path, ...thrown.body };
}
`,
};
