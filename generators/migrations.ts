/** What became of a project's settings from version to version, and the changes that follow it. */

import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CONFIG_FILE } from "#runtime/convention/config/root";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { type APP_CONFIG_FILE, APPS_FOLDER, appFiles } from "#runtime/convention/layout";
import type { Change } from "./changes/changes.ts";
import { readText } from "./source/text.ts";
import { renameKey } from "./source/toml-rename.ts";

export interface Migration {
  /** The first version that knows the new names. */
  readonly version: string;
  readonly renames: readonly Rename[];
}

export interface Rename {
  /** That of an app stands for those of all. */
  readonly file: typeof CONFIG_FILE | typeof APP_CONFIG_FILE;
  /** The tables that the key stands in, and its name. */
  readonly path: readonly string[];
  readonly name: string;
}

/** From the oldest to the newest. A version that renames a key adds itself here. */
export const MIGRATIONS: readonly Migration[] = [];

export interface PlannedMigration {
  readonly changes: readonly Change[];
  /** What a person has to do instead. */
  readonly notes: readonly string[];
}

/**
 * @param root of the project, absolute.
 * @param isDue whether the project comes from before a version, and goes to it or beyond.
 */
export function planMigrations(root: string, isDue: (version: string) => boolean): PlannedMigration {
  const renames = MIGRATIONS.filter(({ version }) => isDue(version)).flatMap(
    (migration) => migration.renames,
  );
  const planned = [CONFIG_FILE, ...appConfigs(root)].map((file) => {
    const own = renames.filter((rename) => rename.file === basename(file));
    return own.length === 0 ? NOTHING : planFile(file, readText(root, file), own);
  });
  return { changes: planned.flatMap(({ changes }) => changes), notes: planned.flatMap(({ notes }) => notes) };
}

const NOTHING: PlannedMigration = { changes: [], notes: [] };

function planFile(
  file: string,
  before: ReturnType<typeof readText>,
  renames: readonly Rename[],
): PlannedMigration {
  if (before === null) return NOTHING;
  if (isDiagnostic(before)) return { changes: [], notes: [`${before.message} ${describe(renames)}`] };
  let after = before;
  const notes: string[] = [];
  for (const rename of renames) {
    const renamed = renameKey(after, rename.path, rename.name);
    if (typeof renamed === "string") after = renamed;
    else notes.push(`${file} stays as it is: ${renamed.why}. ${describe([rename])}`);
  }
  return { changes: after === before ? [] : [{ file, before, after }], notes };
}

function describe(renames: readonly Rename[]): string {
  const names = renames.map(({ path, name }) => `\`${path.join(".")}\` is \`${name}\` now`);
  return `Rename by hand: ${names.join(", ")}.`;
}

function appConfigs(root: string): readonly string[] {
  const folder = join(root, APPS_FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((app) => appFiles(app).config);
}
