/** The table `[files]`: its keys that begin with a slash are paths, and their values the folders that are served there. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { FilesSettings } from "#runtime/settings";
import { readTable, readValue } from "./read-table.ts";
import { FOLDER, type Listed, PATH } from "./settings.ts";
import type { TomlTable } from "./toml.ts";

/** With the places of the folders, for a build that finds none there. */
export interface ReadFiles extends FilesSettings {
  readonly copy: readonly Listed<string>[];
}

/** @returns undefined where no folder is served. */
export function readFiles(file: TomlTable, diagnostics: Diagnostic[]): ReadFiles | undefined {
  const { fallback, immutable } = readTable(file, "files", diagnostics) ?? {};
  const table = file.entries.get("files")?.value;
  const entries = table?.kind === "table" ? [...table.entries] : [];
  const copy: Listed<string>[] = [];
  const folders = entries.flatMap(([at, { location, value }]) => {
    if (!at.startsWith("/")) return [];
    const shown = { name: JSON.stringify(at), key: `files.${JSON.stringify(at)}` };
    const path = readValue(
      { kind: "string", value: at, location },
      { ...shown, key: "files" },
      PATH,
      diagnostics,
    );
    const folder = readValue(value, shown, FOLDER, diagnostics);
    if (path === undefined || folder === undefined) return [];
    copy.push({ value: folder, location: value.location });
    return [{ at, folder }];
  });
  if (folders.length === 0) return undefined;
  // The longest path counts.
  return {
    folders: folders.sort((one, other) => other.at.length - one.at.length),
    fallback,
    immutable,
    copy,
  };
}
