/** What the command that starts a process decides for the app created in it. Plain state of one process; `createApp` reads it. */

import type { App, BoundRoute } from "./core/app.ts";
import type { Log } from "./core/log/log.ts";
import type { ServerSettings } from "./core/settings.ts";

/** A project ready to serve: its settings from `framework.toml`, and its routes with their handlers loaded. */
export interface LoadedProject {
  readonly settings: ServerSettings;
  readonly routes: readonly BoundRoute[];
}

export interface Launch {
  /** True when answers may tell a developer more than a stranger should know. */
  readonly dev: boolean;
  /** Runs the modules with the handlers; without it the project is read from its folder. */
  readonly loadProject?: () => Promise<LoadedProject>;
  readonly log?: Log;
  readonly explainMiss?: (method: string, path: string) => string;
  /** Takes the app that was created; the project gets what it returns. */
  readonly adopt?: (app: App) => App;
}

let launch: Launch = { dev: false };

export function setLaunch(next: Partial<Launch>): void {
  launch = { ...launch, ...next };
}

export function currentLaunch(): Launch {
  return launch;
}
