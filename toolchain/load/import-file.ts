/** Imports a module of the project, in a process that tells a mistake by itself. */

import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** @throws what the module throws. Node 20 tells what CommonJS throws once more, as a rejection that would end the process before the mistake is told. */
export async function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    process.on("unhandledRejection", ignore);
    await setImmediate();
    process.off("unhandledRejection", ignore);
    throw error;
  }
}

function ignore(): void {}
