/** The module hooks as `module.register` wants them: the exports of a module that Node loads in a thread of its own. */

import type { MessagePort } from "node:worker_threads";
import { frameworkUrl } from "../framework-folder.ts";
import { createHooks, type ModuleHooks, type PublicModules } from "../load/hooks.ts";
import { eraseTypes, loadEraser } from "./eraser.ts";

export interface ThreadOptions {
  readonly publicModules: PublicModules;
  /** Gets the URLs that modules import. */
  readonly port: MessagePort | undefined;
}

interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

/** The framework's own modules need no hooks. Those that the hooks are made of would wait for themselves. */
const FRAMEWORK = frameworkUrl().href;

const TYPESCRIPT_FILE = /^file:[^?#]*\.([cm]?)ts(?:[?#].*)?$/;

let hooks: ModuleHooks;

export function initialize({ publicModules, port }: ThreadOptions): void {
  hooks = createHooks(publicModules, port && ((url) => port.postMessage(url)));
  void loadEraser();
}

export const resolve: ModuleHooks["resolve"] = (specifier, context, next) => {
  if (context.parentURL?.startsWith(FRAMEWORK)) return next(specifier, context);
  return hooks.resolve(specifier, context, next);
};

export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const [, kind] = url.startsWith(FRAMEWORK) ? [] : (TYPESCRIPT_FILE.exec(url) ?? []);
  if (kind === undefined) return next(url, context);
  const source = await eraseTypes(url);
  return { format: kind === "c" ? "commonjs" : "module", source, shortCircuit: true };
}
