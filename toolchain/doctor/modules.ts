/** The modules that no route leads to, and that the server or the migrations need: whether they can be read, and import what is there. */

import { dirname, posix } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MAIN_FILE, MIGRATIONS_FOLDER } from "#convention/layout";
import type { Files } from "#convention/source/files";
import type { SourceModule } from "#convention/source/module";

const NO_MAIN_FILE = { file: MAIN_FILE, what: "nothing creates the app and listens" };
const LIST = `${MIGRATIONS_FOLDER}/index.ts`;
/** As the generator names them, by the time. */
const MIGRATION = /^\d+_.*\.ts$/;

interface Module extends Pick<SourceModule, "problems" | "inerasable" | "sources"> {
  readonly file: string;
}

export async function checkModules(files: Files): Promise<readonly Diagnostic[]> {
  // The parser may be what is missing.
  const { parseModule } = await import("#convention/source/reader");
  const migrations = files
    .list(MIGRATIONS_FOLDER)
    .flatMap(({ name }) => (MIGRATION.test(name) ? [`${MIGRATIONS_FOLDER}/${name}`] : []));
  const modules = [MAIN_FILE, LIST, ...migrations].flatMap((file): Module[] => {
    const text = files.read(file);
    return text === undefined ? [] : [{ ...parseModule(text, file), file }];
  });
  const list = modules.find(({ file, problems }) => file === LIST && problems.length === 0);
  const text = list && files.read(LIST);
  // However it is imported: by an alias, too.
  const isListed = (file: string): boolean =>
    text?.split(/["']/).some((specifier) => specifier.endsWith(`/${posix.basename(file)}`)) ?? true;
  return [
    ...(files.has(MAIN_FILE) ? [] : [diagnose("FW828", NO_MAIN_FILE)]),
    ...modules.flatMap((module) => checkModule(module, files)),
    ...migrations.filter((file) => !isListed(file)).map(diagnoseUnlisted),
    // `files` reports what can't be read.
    ...files.diagnostics,
  ];
}

function checkModule({ file, problems, inerasable, sources }: Module, files: Files): Diagnostic[] {
  const missing = sources.filter(
    ({ text }) =>
      /^\.{1,2}\//.test(text) && !files.has(posix.join(dirname(file), text.replace(/[?#].*/, ""))),
  );
  return [
    ...problems.map(({ why, location }) => diagnose("FW301", { why }, location)),
    ...inerasable.map(({ location, ...details }) => diagnose("FW318", details, location)),
    ...missing.map(({ text, location }) => {
      // In Node's own words.
      const why = `Error: Cannot find module '${text}' imported from ${file}`;
      return diagnose("FW503", { module: file, why }, location);
    }),
  ];
}

function diagnoseUnlisted(file: string): Diagnostic {
  const hint = `Import it in ${LIST}, and add it to the list there.`;
  const details = { file, why: `it is not in the list of ${LIST}, so it is never applied`, hint };
  return { ...diagnose("FW827", details, startOf(file)), severity: "warning" };
}
