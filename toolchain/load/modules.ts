/**
 * How the project's own modules load: `framework` is always the vendored folder, and Node erases the types. Node before 22.18 can't,
 * and gets what `node20/` has for it.
 */

import nodeModule from "node:module";
import { frameworkUrl } from "../framework-folder.ts";
import { registerThread } from "../node20/register.ts";
import { createHooks, type ModuleHooks, type OnImport, type PublicModules } from "./hooks.ts";

type RegisterHooks = (hooks: ModuleHooks) => void;

const PUBLIC_MODULES: PublicModules = {
  framework: frameworkUrl("index.js").href,
  "framework/http": frameworkUrl("http.js").href,
  "framework/database": frameworkUrl("database.js").href,
};

let registered = false;

/** Makes `import` of the project's `.ts` files and of `framework` work in this process. A second call does nothing. */
export async function registerModules(onImport?: OnImport): Promise<void> {
  if (registered) return;
  registered = true;
  const erasesTypes = "typescript" in process.features && Boolean(process.features.typescript);
  if (!erasesTypes || !("registerHooks" in nodeModule)) return registerThread(PUBLIC_MODULES, onImport);
  try {
    (nodeModule.registerHooks as RegisterHooks)(createHooks(PUBLIC_MODULES, onImport));
  } catch (error) {
    // Jest finds and compiles modules itself, and refuses hooks.
    if (!String(error).includes("Jest")) throw error;
  }
}
