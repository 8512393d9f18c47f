/** What readings keep, as data for another process, and back. */

import type { KeptTables } from "./config/toml.ts";
import type { Kept } from "./project.ts";
import type { KeptFile } from "./rule/kept-files.ts";
import type { KeptModule } from "./source/modules.ts";
import { packModule, unpackModule } from "./source/packed-module.ts";

/** By file, each. */
export interface Stored {
  readonly modules: Map<string, StoredModule>;
  /** The entries as JSON, which is read twice as fast. A question for a text has none here: it is that of the module. */
  readonly files: string;
  readonly tables: KeptTables;
}

interface StoredModule {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/**
 * Leaves out files that have syntax errors, and what was found with such a file: they will change soon.
 *
 * @param isThere a file that is gone is left out, too.
 * @param before what was restored.
 */
export function toStored(kept: Kept, isThere: (file: string) => boolean, before?: Stored): Stored {
  const modules = new Map<string, StoredModule>();
  for (const [file, one] of kept.modules) {
    if (one.problems.length > 0 || !isThere(file)) continue;
    const known = before?.modules.get(file);
    const isSame = known?.text === one.text;
    modules.set(file, isSame ? known : { text: one.text, bytes: packModule(one.module) });
  }
  const isKnown = ({ questions }: KeptFile): boolean =>
    questions.every((one) => one.ask !== "get" || modules.get(one.file)?.text === (one.text ?? null));
  const files = [...kept.files]
    .filter(([, found]) => isKnown(found))
    .map(([file, found]) => [file, withTexts(found, () => undefined)]);
  const tables = new Map([...kept.tables].filter(([file]) => isThere(file)));
  return { modules, files: JSON.stringify(files), tables };
}

export function restore({ modules, files, tables }: Stored, kept: Kept): void {
  for (const [file, { text, bytes }] of modules) {
    let module: KeptModule["module"] | undefined;
    kept.modules.set(file, {
      text,
      problems: [],
      get module() {
        module ??= unpackModule(bytes, { text, file });
        return module;
      },
    });
  }
  const textOf = (file: string): string | undefined => modules.get(file)?.text;
  for (const [file, found] of JSON.parse(files) as [string, KeptFile][])
    kept.files.set(file, withTexts(found, textOf));
  for (const [file, table] of tables) kept.tables.set(file, table);
}

function withTexts(found: KeptFile, textOf: (file: string) => string | undefined): KeptFile {
  const questions = found.questions.map((one) =>
    one.ask === "get" ? { ...one, text: textOf(one.file) } : one,
  );
  return { ...found, questions };
}
