/** What the command that starts a process decides for the app in it. `createApp` reads this state of the process. */

import type { App, BoundRoute } from "./app.ts";
import type { Docs } from "./docs.ts";
import type { Cors } from "./hooks/cors.ts";
import type { HookChain } from "./hooks/hooks.ts";
import type { Log } from "./log/log.ts";
import type { ServerSettings } from "./settings.ts";

/** A project ready to serve: its settings from `framework.toml`, and its routes with their handlers loaded. */
export interface LoadedProject {
  readonly settings: ServerSettings;
  readonly routes: readonly BoundRoute[];
  /** The hooks around what no route serves: those of the project's root. */
  readonly unmatched?: HookChain | undefined;
  readonly cors?: Cors | undefined;
  readonly docs?: Docs | undefined;
}

export interface Launch {
  /** True if answers may show what only a developer should see. */
  readonly dev: boolean;
  /** True where a mistake in a result is an error: under dev and tests. */
  readonly strict?: boolean;
  /**
   * Loads the modules with the handlers. Without it, `createApp` reads the project from its folder.
   *
   * @param isWhole false if a handler may be loaded by the first request for it.
   * @param stack of the call of `createApp`.
   */
  readonly loadProject?: (isWhole: boolean, stack: string) => Promise<LoadedProject>;
  readonly log?: Log;
  readonly explainMiss?: (method: string, path: string) => string;
  /** Gets the app when it is created. The project gets what this returns. */
  readonly adopt?: (app: App) => App;
}

let launch: Launch = { dev: false };

export function setLaunch(next: Partial<Launch>): void {
  launch = { ...launch, ...next };
}

export function currentLaunch(): Launch {
  return launch;
}
