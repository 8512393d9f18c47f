/** The module hooks as Node before 22.15 wants them: the exports of a module that it loads in a thread of its own. */

import type { MessagePort } from "node:worker_threads";
import {
  createHooks,
  type HookOptions,
  type Loaded,
  type ModuleHooks,
  type ResolveContext,
  type Resolved,
} from "../load/hooks.ts";

export interface ThreadOptions extends HookOptions {
  /** Where the URLs that modules import are told, if somebody wants to know. */
  readonly imports: { readonly root: string; readonly port: MessagePort } | undefined;
}

/** The framework's own modules need no hooks; those that the hooks themselves are made of would wait for them forever. */
const FRAMEWORK = new URL("../..", import.meta.url).href;

let ready: Promise<ModuleHooks>;

/** Not waited for: the thread that registers the hooks stands still until this returns, and has work to do until it imports. */
export function initialize({ imports, ...options }: ThreadOptions): void {
  const onImport = (url: string): void => imports?.port.postMessage(url);
  ready = createHooks(options, imports && { root: imports.root, onImport });
}

export async function resolve(
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: object) => Resolved,
): Promise<Resolved> {
  if (context.parentURL?.startsWith(FRAMEWORK)) return next(specifier, context);
  return (await ready).resolve(specifier, context, next);
}

export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Loaded,
): Promise<Loaded> {
  if (url.startsWith(FRAMEWORK)) return next(url, context);
  const hooks = await ready;
  return hooks.load ? hooks.load(url, context, next) : next(url, context);
}
