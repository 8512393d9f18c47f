/**
 * How the project's own modules load: `framework` is always the vendored folder, and types are erased by Node where it
 * can (22.18 and newer), else by the vendored eraser.
 */

import module from "node:module";
import type { ImportEvents, ModuleHooks } from "./hooks.ts";

type RegisterHooks = (hooks: ModuleHooks) => void;

/** Files of the package `framework` that a project may import, by specifier. */
const PUBLIC_MODULES: Readonly<Record<string, string>> = {
  framework: new URL("../../index.js", import.meta.url).href,
  "framework/http": new URL("../../http.js", import.meta.url).href,
};

export interface ModuleOptions {
  /** Stack traces have the columns of the source where Node does not erase types itself, too; each stack then takes longer. */
  readonly keepsColumns?: boolean;
  readonly imports?: ImportEvents;
}

let registered = false;

/** Makes `import` of the project's `.ts` files and of `framework` work in this process. Asked twice, it does nothing. */
export async function registerModules(options: ModuleOptions = {}): Promise<void> {
  if (registered) return;
  registered = true;
  const erase = !("typescript" in process.features && process.features.typescript);
  const mapColumns = erase && options.keepsColumns === true;
  if (mapColumns) process.setSourceMapsEnabled(true);
  const hookOptions = { publicModules: PUBLIC_MODULES, erase, mapColumns };
  // In-thread hooks came with Node 22.15; before, hooks run in a thread of their own.
  if ("registerHooks" in module) {
    const { createHooks } = await import("./hooks.ts");
    (module.registerHooks as RegisterHooks)(await createHooks(hookOptions, options.imports));
  } else {
    // Every module that is loaded from here on is asked for across the threads: the framework's own are loaded before.
    await Promise.all([import("#runtime/index"), import("./load.ts")]);
    const { registerThread } = await import("../node20/register-thread.ts");
    registerThread(hookOptions, options.imports);
  }
}
