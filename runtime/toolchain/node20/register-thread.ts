/** Registers the module hooks where Node runs them in a thread of their own: before 22.15. */

import module from "node:module";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { HookOptions, ImportEvents } from "../load/hooks.ts";
import type { ThreadOptions } from "./hooks-thread.ts";

export function registerThread(options: HookOptions, imports: ImportEvents | undefined): void {
  const port = imports && openPort(imports);
  const data: ThreadOptions = { ...options, imports: imports && port && { root: imports.root, port } };
  const transferList = port ? [port] : [];
  module.register("./hooks-thread.js", { parentURL: import.meta.url, data, transferList });
}

function openPort({ onImport }: ImportEvents): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", onImport).unref();
  return port2;
}
