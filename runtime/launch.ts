/** What the command that starts a process decides for the app in it. `createApp` reads this state of the process. */

import type { App, BoundRoute, CoreOptions } from "./app.ts";

/** A project ready to serve: its settings from `framework.toml`, and its routes with their handlers loaded. */
export interface LoadedProject
  extends Pick<CoreOptions, "settings" | "unmatched" | "cors" | "docs" | "files"> {
  readonly routes: readonly BoundRoute[];
}

export interface Launch extends Pick<CoreOptions, "dev" | "strict" | "log" | "explainMiss"> {
  /**
   * Loads the modules with the handlers. Without it, `createApp` reads the project from its folder.
   *
   * @param isWhole false if a handler may be loaded by the first request for it.
   * @param stack of the call of `createApp`.
   */
  readonly loadProject?: (isWhole: boolean, stack: string) => Promise<LoadedProject>;
  /** Gets the app when it is created. The project gets what this returns. */
  readonly adopt?: (app: App) => App;
}

let launch: Launch = {};

export function setLaunch(next: Launch): void {
  launch = { ...launch, ...next };
}

export function currentLaunch(): Launch {
  return launch;
}
