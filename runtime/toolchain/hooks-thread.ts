/** The module hooks as Node before 22.15 wants them: the exports of a module that it loads in a thread of its own. */

import { createHooks, type HookOptions, type ModuleHooks } from "./hooks.ts";

/** Until they are there, Node's own rules hold: the modules that the hooks are made of load by those. */
let hooks: Partial<ModuleHooks> = {};

export async function initialize(options: HookOptions): Promise<void> {
  hooks = await createHooks(options);
}

export const resolve: ModuleHooks["resolve"] = (specifier, context, next) =>
  hooks.resolve ? hooks.resolve(specifier, context, next) : next(specifier, context);

export const load: NonNullable<ModuleHooks["load"]> = (url, context, next) =>
  hooks.load ? hooks.load(url, context, next) : next(url, context);
