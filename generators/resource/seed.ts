/** A row of a resource in `database/seed.ts`: an entry of the object that `seedDatabase` takes. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import { addEntry, findEntries } from "../edit/entries.ts";
import { tryOutline } from "../edit/outline.ts";
import { applyStyle } from "../edit/style.ts";
import { tryText } from "../edit/text.ts";
import type { FileChanges } from "../plan.ts";
import { styleBeside } from "../reference-style.ts";
import type { Resource } from "./resource.ts";
import { seedSample } from "./samples.ts";

const FILE = "database/seed.ts";
const CALLEE = "seedDatabase";

/** A table is seeded after those that its rows refer to, and the first row of those has the id 1. */
const FIRST_ID = "1";

/** Plans a row, or says why there is none. */
export function planSeed(project: Project, { names, columns }: Resource): FileChanges {
  const { table } = names;
  const text = tryText(project.root, FILE);
  if (text === null) return { changes: [], notes: [] };
  const leave = (why: string): FileChanges => ({
    changes: [],
    notes: [`${FILE} was left alone because ${why}: add rows of \`${table}\` there by hand.`],
  });
  if (text === undefined) return leave("it can't be read");
  const outline = tryOutline(FILE, text);
  if (typeof outline === "string") return leave(outline);
  const entries = findEntries(text, CALLEE);
  if (entries === undefined) return leave(`it does not call \`${CALLEE}\` with an object`);
  const seeded = entries.entries.map(({ name }) => name);
  if (seeded.includes(table)) return { changes: [], notes: [] };
  // Those without whose rows no row can be.
  const needed = columns.flatMap(({ type, optional }) =>
    "references" in type && !optional ? type.references : [],
  );
  const missing = needed.find((one) => !seeded.includes(one));
  if (missing !== undefined) return leave(`it has no rows of \`${missing}\``);
  const style = styleBeside(project, text);
  const entry = applyStyle(seedBlueprint({ names, columns }, seeded), style);
  const after = applyEdits(text, [addEntry(text, entries, entry, style)]);
  return { changes: [{ file: FILE, before: text, after }], notes: [] };
}

/** @param seeded the tables whose rows come before. */
function seedBlueprint({ names, columns }: Resource, seeded: readonly string[]): string {
  const idOf = (table: string): string => (seeded.includes(table) ? FIRST_ID : "null");
  const fields = columns.map((column) => `    ${column.name}: ${seedSample(column, names.one, idOf)},\n`);
  return `${names.table}: [\n  {\n${fields.join("")}  },\n]`;
}
