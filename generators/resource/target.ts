/** Finds what a command calls a resource, and refuses what can't be one. */

import { badAppName } from "#convention/config/folder-name";
import type { Project } from "#convention/project";
import type { Refusal } from "#convention/refusal";
import type { Segment } from "#runtime/routing/route";
import type { Column } from "../migration/columns.ts";
import { isSnakeCase, LONGEST_NAME_IN_DATABASE, suggestSnakeCase } from "../migration/names.ts";
import { readTables } from "../migration/tables.ts";
import { refuseWord } from "../refused.ts";
import { checkPrefix, prefixSegments } from "../target/app.ts";
import { shorten } from "../target/names.ts";
import { namesOf, type ResourceNames } from "./names.ts";
import { isOwn, type Resource, type Written } from "./resource.ts";
import { parseColumns } from "./words.ts";

export interface ResourceInput {
  readonly name: string;
  /** As in `title:string`, `isbn:string:unique`, `author:references`. */
  readonly fields: readonly string[];
  /** Undefined: the name with a slash before it. */
  readonly prefix: string | undefined;
  /** The provider that the guard of its app asks for; undefined for no guard. */
  readonly guard?: string | undefined;
  /** The resource under whose rows its routes are. */
  readonly under?: string | undefined;
}

/** Tables of the databases themselves, and of Kysely's migrator. */
const OWN_TABLES = /^(?:sqlite_|pg_|kysely_)/;

/** @returns the resource, whether it is there or not. @throws {Refused} if there can be none. */
export function toWantedResource(project: Project, input: ResourceInput): Written {
  const { name, fields, prefix } = input;
  const bad = explainResourceName(name) ?? badAppName(name);
  if (bad !== undefined)
    refuseWord(`\`${shorten(name)}\` can't be the name of a resource: ${bad.why}`, bad.hint);
  checkPrefix(prefix);
  const names = namesOf(name);
  const others = [...readTables(project).tables.keys()].filter((table) => table !== names.table);
  const columns = parseColumns(fields, { own: names.table, others });
  const circular = columns.find((column) => isOwn({ names }, column) && !column.optional);
  if (circular !== undefined)
    refuseWord(
      `\`${circular.name}\` refers to the same table, so the first row would need another one`,
      `Make it optional, as in: ${circular.name.slice(0, -"_id".length)}:references:${names.table}?`,
    );
  return placeResource(project, { names, columns }, input);
}

/** Where its routes are: at the prefix, or under the rows that `--under` names. */
function placeResource(project: Project, resource: Resource, { prefix, under }: ResourceInput): Written {
  const { app } = resource.names;
  if (under === undefined) {
    const own = prefix ?? `/${app}`;
    return { ...resource, prefix: own, base: prefixSegments(own), nesting: undefined };
  }
  const parent = namesOf(under);
  const column = resource.columns.find(
    ({ type }) => "references" in type && type.references === parent.table,
  );
  const bad = explainNesting(project, resource, parent, column);
  if (bad !== undefined || column === undefined)
    return refuseWord(`\`${app}\` can't be under \`${under}\`: ${bad?.why}`, String(bad?.hint));
  const above = project.apps.find(({ name }) => name === parent.app)?.prefix ?? `/${parent.app}`;
  const base: readonly Segment[] = [...prefixSegments(above), { name: column.name, type: "int" }, app];
  const nesting = { column: column.name, table: parent.table, one: parent.one, aOne: parent.aOne };
  return { ...resource, prefix: above, base, nesting };
}

function explainNesting(
  project: Project,
  { names: { app }, columns }: Resource,
  parent: ResourceNames,
  column: Column | undefined,
): Refusal | undefined {
  const field = `${parent.one.replaceAll(" ", "_")}:references`;
  if (column === undefined)
    return { why: `no field refers to \`${parent.table}\``, hint: `Add the field ${field}` };
  if (column.optional || column.unique)
    return {
      why: `\`${column.name}\` is ${column.optional ? "optional" : "unique"}`,
      hint: `Write it as ${field}`,
    };
  if (columns.length === 1) return { why: "it has no other field", hint: "Add a field." };
  if (!/^[a-z0-9]+$/.test(app))
    return {
      why: "a handler's name can't contain this word of the path",
      hint: "Choose a name of one word.",
    };
  const owner = project.apps.find(({ name }) => name === parent.app);
  const segments = owner && prefixSegments(owner.prefix);
  const isServed = project.routes.some(
    (route) =>
      route.app === owner?.name &&
      route.segments.length === (segments?.length ?? 0) + 1 &&
      typeof route.segments.at(-1) === "object",
  );
  if (owner === undefined || isServed) return undefined;
  return {
    why: `no route of \`${parent.app}\` is at ${owner.prefix}/<id>`,
    hint: "Nest it under another resource.",
  };
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
