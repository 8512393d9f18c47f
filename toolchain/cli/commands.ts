/** Every command by its words. Each is loaded when it is asked for: `routes list` should not wait for the bundler. */

import { build } from "./build.ts";
import type { Command } from "./command.ts";
import { doctor } from "./doctor.ts";
import { runFile } from "./run-file.ts";
import { start } from "./start.ts";

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import("./dev/dev.ts")).dev,
  start: async () => start,
  build: async () => build,
  run: async () => runFile,
  doctor: async () => doctor,
  upgrade: async () => (await import("./upgrade/upgrade.ts")).upgrade,
  "routes list": async () => (await import("./routes/list.ts")).routesList,
  "routes match": async () => (await import("./routes/match.ts")).routesMatch,
  "routes check": async () => (await import("./routes/check.ts")).routesCheck,
  "routes audit": async () => (await import("./routes/audit.ts")).routesAudit,
  "routes diff": async () => (await import("./routes/diff.ts")).routesDiff,
  openapi: async () => (await import("./contract/openapi.ts")).openapi,
  client: async () => (await import("./contract/client.ts")).client,
  "generate handler": async () => (await import("./generate/handler.ts")).generateHandler,
  "generate app": async () => (await import("./generate/app.ts")).generateApp,
  "generate route": async () => (await import("./generate/route.ts")).generateRoute,
  "generate provider": async () => (await import("./generate/provider.ts")).generateProvider,
  "generate hooks": async () => (await import("./generate/hooks.ts")).generateHooks,
  "generate database": async () => (await import("./generate/database.ts")).generateDatabase,
  "generate resource": async () => (await import("./generate/resource.ts")).generateResource,
  "generate migration": async () => (await import("./generate/migration.ts")).generateMigration,
};

/** The command that the words begin with, and the words that are left for it; undefined where there is none. */
export function findCommand(
  words: readonly string[],
): { name: string; load: () => Promise<Command>; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load) return { name, load, rest: words.slice(length) };
  }
  return undefined;
}

/** The names of the commands that begin with a word: `routes` has `routes list`. */
export function commandFamily(word: string): string[] {
  return Object.keys(COMMANDS).filter((name) => name.startsWith(`${word} `));
}

export async function loadCommands(names: readonly string[]): Promise<Command[]> {
  const loaded = await Promise.all(names.map((name) => COMMANDS[name]?.()));
  return loaded.filter((command) => command !== undefined);
}
