/** Finds what a command calls a resource, and refuses what can't be one. */

import { badAppName } from "#convention/config/folder-name";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import type { Refusal } from "#convention/refusal";
import { diagnosePrefix } from "../app/plan.ts";
import { isSnakeCase, LONGEST_NAME_IN_DATABASE, suggestSnakeCase } from "../migration/names.ts";
import { readTables } from "../migration/tables.ts";
import { shorten } from "../names.ts";
import { namesOf } from "./names.ts";
import { isOwn, type Resource } from "./resource.ts";
import { parseColumns } from "./words.ts";

export interface ResourceInput {
  readonly name: string;
  /** As in `title:string`, `isbn:string:unique`, `author:references`. */
  readonly fields: readonly string[];
  /** Undefined: the name with a slash before it. */
  readonly prefix: string | undefined;
}

/** Tables of the databases themselves, and of Kysely's migrator. */
const OWN_TABLES = /^(?:sqlite_|pg_|kysely_)/;

/** @returns the resource, whether it is there or not, or why there can be none. */
export function toWantedResource(project: Project, input: ResourceInput): Resource | Diagnostic {
  const { name, fields, prefix } = input;
  const bad = diagnoseResourceName(name) ?? (prefix === undefined ? undefined : diagnosePrefix(prefix));
  if (bad !== undefined) return bad;
  const names = namesOf(name);
  const others = [...readTables(project).keys()].filter((table) => table !== names.table);
  const columns = parseColumns(fields, { own: names.table, others });
  if (isDiagnostic(columns)) return columns;
  const circular = columns.find((column) => isOwn({ names }, column) && !column.optional);
  if (circular === undefined) return { names, columns };
  const why = `\`${circular.name}\` refers to the same table, so the first row would need another one`;
  const hint = `Make it optional, as in: ${circular.name.slice(0, -"_id".length)}:references:${names.table}?`;
  return diagnose("FW601", { why, hint });
}

function diagnoseResourceName(name: string): Diagnostic | undefined {
  const bad = explainResourceName(name) ?? badAppName(name);
  if (bad === undefined) return undefined;
  const why = `\`${shorten(name)}\` can't be the name of a resource: ${bad.why}`;
  return diagnose("FW601", { why, hint: bad.hint });
}

function explainResourceName(name: string): Refusal | undefined {
  if (name.length > LONGEST_NAME_IN_DATABASE)
    return {
      why: `it is longer than ${LONGEST_NAME_IN_DATABASE} characters`,
      hint: "Choose a shorter name.",
    };
  const table = name.replaceAll("-", "_");
  const hint = "Choose another name.";
  if (!isSnakeCase(table)) return { why: "it is not words in lower case", hint: suggestSnakeCase(name) };
  if (OWN_TABLES.test(table)) return { why: "databases have tables of their own with such names", hint };
  // Kysely looks tables up in an object.
  if (table in {}) return { why: "every JavaScript object has something of that name", hint };
  return undefined;
}
