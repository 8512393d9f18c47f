/** Makes the project's own modules load where Node does not erase types itself: before 22.18. */

import nodeModule from "node:module";
import type { MessagePort } from "node:worker_threads";
import { frameworkUrl } from "../framework-folder.ts";
import type { OnImport, PublicModules } from "../load/hooks.ts";
import type { ThreadOptions } from "./hooks-thread.ts";

export async function registerThread(publicModules: PublicModules, onImport?: OnImport): Promise<void> {
  // Stack traces have the columns of the source.
  process.setSourceMapsEnabled(true);
  // From then on the threads talk about each module that is loaded: the framework's own are loaded before.
  await Promise.all([import("#runtime/index"), import("../load/load.ts")]);
  const port = onImport && openPort(onImport);
  const data: ThreadOptions = { publicModules, port };
  const transferList = port ? [port] : [];
  nodeModule.register(frameworkUrl("tools/hooks.js"), { data, transferList });
}

function openPort(onImport: OnImport): MessagePort {
  const { MessageChannel } = process.getBuiltinModule("node:worker_threads");
  const { port1, port2 } = new MessageChannel();
  port1.on("message", onImport).unref();
  return port2;
}
