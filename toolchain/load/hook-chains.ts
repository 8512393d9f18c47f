/** Loads what runs around the handlers of a folder: its middleware, and its error hook. */

import type { Project } from "#convention/project";
import type { FolderHooks } from "#convention/wire/typed-route";
import type { BoundHooks, HookChain, HookFunction } from "#runtime/hooks/hooks";
import type { Export } from "./project-functions.ts";

/** Loads nothing where no folder has hooks. @returns what gives one function for all routes in the same folders; undefined for no folder. */
export async function loadHooks(
  { routes, unmatched }: Project,
  find: (one: Export) => HookFunction,
): Promise<(hooks: readonly FolderHooks[]) => HookChain | undefined> {
  if (unmatched === undefined && routes.every(({ hooks }) => hooks.length === 0)) return () => undefined;
  const { chainHooks } = await import("#runtime/hooks/hooks");
  const made = new Map<string, HookChain>();
  return (hooks) => {
    if (hooks.length === 0) return undefined;
    const folders = hooks.map(({ folder }) => folder).join("\n");
    const chain = made.get(folders) ?? chainHooks(hooks.map((folder) => bindHooks(folder, find)));
    made.set(folders, chain);
    return chain;
  };
}

function bindHooks(
  { folder, middleware, error }: FolderHooks,
  find: (one: Export) => HookFunction,
): BoundHooks {
  return {
    folder,
    ...(middleware && { middleware: find(middleware) }),
    ...(error && { error: find(error) }),
  };
}
