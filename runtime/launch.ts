/** Options that the starting command sets for the app in its process. `createApp` reads them. */

import type { App, BoundRoute, CoreOptions } from "./app.ts";

/** A project that is ready to serve: the settings of `framework.toml`, and the routes with their handlers. */
export interface LoadedProject
  extends Pick<CoreOptions, "settings" | "unmatched" | "cors" | "docs" | "files"> {
  readonly routes: readonly BoundRoute[];
}

export interface Launch extends Pick<CoreOptions, "dev" | "strict" | "log" | "explainMiss"> {
  /**
   * Loads the handlers' modules. If undefined, `createApp` reads the project from its folder.
   *
   * @param isWhole false if handlers may be loaded lazily, at their first request.
   * @param stack the stack of the call of `createApp`.
   */
  readonly loadProject?: (isWhole: boolean, stack: string) => Promise<LoadedProject>;
  /** Receives the created app, and returns the app that `createApp` returns to the project. */
  readonly adopt?: (app: App) => App;
}

let launch: Launch = {};

export function setLaunch(next: Launch): void {
  launch = { ...launch, ...next };
}

export function currentLaunch(): Launch {
  return launch;
}
