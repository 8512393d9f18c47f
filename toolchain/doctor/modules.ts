/** The modules that no route leads to, and that the server or the migrations need: whether they can be read, and import what is there. */

import { dirname, posix } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MAIN_FILE, MIGRATIONS_FOLDER } from "#convention/layout";
import type { Files } from "#convention/source/files";
import type { ImportSource } from "#convention/source/module";

const NO_MAIN_FILE = { file: MAIN_FILE, what: "nothing creates the app and listens" };
const LIST = `${MIGRATIONS_FOLDER}/index.ts`;
/** As the generator names them, by the time. */
const MIGRATION = /^\d+_.*\.ts$/;

export async function checkModules(files: Files): Promise<readonly Diagnostic[]> {
  // The parser may be what is missing.
  const { parseModule } = await import("#convention/source/reader");
  const migrations = files.list(MIGRATIONS_FOLDER).filter(({ name }) => MIGRATION.test(name));
  const found: Diagnostic[] = files.has(MAIN_FILE) ? [] : [diagnose("FW828", NO_MAIN_FILE)];
  for (const file of [MAIN_FILE, LIST, ...migrations.map(({ name }) => `${MIGRATIONS_FOLDER}/${name}`)]) {
    const text = files.read(file);
    if (text === undefined) continue;
    const { problems, inerasable, sources } = parseModule(text, file);
    const targets = sources.filter(isRelative).map((source) => ({ source, file: targetOf(file, source) }));
    found.push(
      ...problems.map(({ why, location }) => diagnose("FW301", { why }, location)),
      ...inerasable.map(({ location, ...details }) => diagnose("FW318", details, location)),
      ...targets
        .filter((target) => !files.has(target.file))
        .map(({ source }) =>
          diagnose("FW503", { module: file, why: whyMissing(file, source) }, source.location),
        ),
    );
    if (file !== LIST || problems.length > 0) continue;
    const listed = targets.map((target) => target.file);
    const unlisted = migrations
      .map(({ name }) => `${MIGRATIONS_FOLDER}/${name}`)
      .filter((one) => !listed.includes(one));
    found.push(...unlisted.map(diagnoseUnlisted));
  }
  // `files` reports what can't be read.
  return [...found, ...files.diagnostics];
}

function isRelative({ text }: ImportSource): boolean {
  return /^\.{1,2}\//.test(text);
}

function targetOf(file: string, { text }: ImportSource): string {
  return posix.join(dirname(file), text);
}

/** In Node's own words. */
function whyMissing(file: string, { text }: ImportSource): string {
  return `Error: Cannot find module '${text}' imported from ${file}`;
}

function diagnoseUnlisted(file: string): Diagnostic {
  const hint = `Import it in ${LIST}, and add it to the list there.`;
  const details = { file, why: `it is not in the list of ${LIST}, so it is never applied`, hint };
  return { ...diagnose("FW827", details, startOf(file)), severity: "warning" };
}
