/** A row of a resource in `database/seed.ts`: an entry of the object that `seedDatabase` takes. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import { addEntry, type Entries, findEntries } from "../edit/entries.ts";
import { readOutline } from "../edit/outline.ts";
import { applyStyle } from "../edit/style.ts";
import { tryText } from "../edit/text.ts";
import type { FileChanges } from "../plan.ts";
import { styleBeside } from "../reference-style.ts";
import { orRefused, Refused } from "../refused.ts";
import type { Resource } from "./resource.ts";
import { seedSample } from "./samples.ts";

const FILE = "database/seed.ts";
const CALLEE = "seedDatabase";

/** A table is seeded after those that its rows refer to, and the first row of those has the id 1. */
const FIRST_ID = "1";

/** @returns the text of `database/seed.ts` and its rows; undefined where it is not there, or a sentence of why it can't be edited. */
function readSeed({
  root,
}: Project): { readonly text: string; readonly entries: Entries } | string | undefined {
  const text = tryText(root, FILE);
  if (text === null) return undefined;
  if (text === undefined) return "it can't be read";
  const outline = orRefused(() => readOutline(FILE, text));
  if (outline instanceof Refused)
    return `it has a syntax error in line ${outline.diagnostics[0]?.locations[0]?.line}`;
  const entries = findEntries(text, CALLEE);
  return entries === undefined ? `it does not call \`${CALLEE}\` with an object` : { text, entries };
}

/** Plans a row, or says why there is none. */
export function planSeed(project: Project, resource: Resource): FileChanges {
  const { table } = resource.names;
  const seed = readSeed(project);
  if (seed === undefined) return { changes: [], notes: [] };
  if (typeof seed === "string") return leaveSeed(seed, table);
  const { text, entries } = seed;
  const seeded = entries.entries.map(({ name }) => name);
  if (seeded.includes(table)) return { changes: [], notes: [] };
  const missing = referredTables(resource).find((one) => !seeded.includes(one));
  if (missing !== undefined) return leaveSeed(`it has no rows of \`${missing}\``, table);
  const style = styleBeside(project, text);
  const entry = applyStyle(seedBlueprint(resource, seeded), style);
  const after = applyEdits(text, [addEntry(text, entries, entry, style)]);
  return { changes: [{ file: FILE, before: text, after }], notes: [] };
}

function leaveSeed(why: string, table: string): FileChanges {
  return {
    changes: [],
    notes: [`${FILE} was left alone because ${why}: add rows of \`${table}\` there by hand.`],
  };
}

/** Those without whose rows no row can be. */
function referredTables({ columns }: Resource): readonly string[] {
  return columns.flatMap(({ type, optional }) =>
    "references" in type && !optional ? [type.references] : [],
  );
}

/** @param seeded the tables whose rows come before. */
function seedBlueprint({ names, columns }: Resource, seeded: readonly string[]): string {
  const idOf = (table: string): string => (seeded.includes(table) ? FIRST_ID : "null");
  const fields = columns.map((column) => `    ${column.name}: ${seedSample(column, names.one, idOf)},\n`);
  return `${names.table}: [\n  {\n${fields.join("")}  },\n]`;
}
