/**
 * How the project's own modules load: `framework` is always the vendored folder, and types are erased by Node where it
 * can (22.18 and newer), else by the vendored eraser.
 */

import module from "node:module";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { HookOptions, ModuleHooks } from "./hooks.ts";
import type { ThreadOptions } from "./hooks-thread.ts";

type RegisterHooks = (hooks: ModuleHooks) => void;

/** Files of the package `framework` that a project may import, by specifier. */
const PUBLIC_MODULES: Readonly<Record<string, string>> = {
  framework: new URL("../index.js", import.meta.url).href,
  "framework/http": new URL("../http.js", import.meta.url).href,
};

export interface ModuleOptions {
  /** Stack traces have the columns of the source where Node does not erase types itself, too; each stack then takes longer. */
  readonly keepsColumns?: boolean;
  /** Is told the URL of data that a module imports, such as JSON, whether it is there or not. */
  readonly onData?: (url: string) => void;
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
    (module.registerHooks as RegisterHooks)(await createHooks(hookOptions, options.onData));
  } else {
    // Every module that is loaded from here on is asked for across the threads: the framework's own are loaded before.
    await Promise.all([import("../index.ts"), import("./load.ts")]);
    registerThread(hookOptions, options.onData);
  }
}

function registerThread(options: HookOptions, onData: ModuleOptions["onData"]): void {
  const dataPort = onData && openDataPort(onData);
  const data: ThreadOptions = { ...options, dataPort };
  const transferList = dataPort ? [dataPort] : [];
  module.register("./hooks-thread.js", { parentURL: import.meta.url, data, transferList });
}

function openDataPort(onData: (url: string) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", onData).unref();
  return port2;
}
