/** Reads the columns of a resource from words such as `isbn:string:unique` and `author:references`. */

import { closest } from "#convention/diagnostics/closest";
import { toPlural, toSingular } from "../code/plural.ts";
import type { Column } from "../migration/columns.ts";
import { isSnakeCase, LONGEST_NAME_IN_DATABASE, suggestSnakeCase } from "../migration/names.ts";
import { refuseWord } from "../refused.ts";
import { parseField, refuseTwice, splitFields } from "../target/fields.ts";

const REFERENCES = "references";

/** What Postgres names columns of its own, and SQLite the key of a row. */
const SYSTEM_COLUMNS: readonly string[] = [
  "tableoid",
  "xmin",
  "cmin",
  "xmax",
  "cmax",
  "ctid",
  "oid",
  "rowid",
];

/** The tables that a column may refer to. */
export interface KnownTables {
  /** The resource's own. */
  readonly own: string;
  readonly others: readonly string[];
}

/** @example parseColumns(["title", "author:references"], { own: "books", others: ["authors"] }) // `title` and `author_id` */
export function parseColumns(words: readonly string[], tables: KnownTables): readonly Column[] {
  const columns = splitFields(words.join(" ")).map((word) => parseColumn(word, tables));
  refuseTwice(columns);
  return columns;
}

/** The word without its marks. */
interface Marked {
  readonly rest: string;
  readonly optional: boolean;
  readonly unique: boolean;
}

/** The marks come last, in any order: `isbn:string:unique?` and `isbn:string?:unique`. */
function readMarks(word: string): Marked {
  const [, rest = "", marks = ""] = /^(.*?)((?:\?|\s*:\s*unique)*)$/s.exec(word) ?? [];
  return { rest, optional: marks.includes("?"), unique: marks.includes("unique") };
}

function parseColumn(word: string, tables: KnownTables): Column {
  const marked = readMarks(word);
  const [name = "", kind, ...others] = marked.rest.split(/\s*:\s*/);
  if (kind === REFERENCES) return parseReference({ ...marked, name }, others, tables);
  return parsePlain(marked);
}

function parsePlain({ rest, optional, unique }: Marked): Column {
  const field = parseField("resource", rest);
  const { name, type } = field;
  checkColumnName(name, name);
  const column = { name, optional: optional || field.optional, unique };
  if (unique && ("values" in type || type.word === "boolean"))
    refuseWord(`\`${name}\` can't be unique, because it has only a few values`, "Leave `:unique` out.");
  if (!("values" in type)) {
    const hint = `Give it a table of its own, with a reference to this one and a field such as \`${toSingular(name)}:${type.word}\`.`;
    if (type.isArray) refuseWord(`A column holds one value, so \`${name}\` can't be a list`, hint);
    return { ...column, type: { word: type.word } };
  }
  const values = type.values.filter((value) => typeof value === "string");
  if (values.length < type.values.length)
    refuseWord(
      `A column can't hold only some numbers, as \`${name}\` has them`,
      `Write \`${name}:int\`, and add Min and Max to its type afterwards.`,
    );
  return { ...column, type: { values } };
}

function parseReference(
  { name, optional, unique }: Omit<Marked, "rest"> & { readonly name: string },
  [table, ...others]: readonly string[],
  { own, others: otherTables }: KnownTables,
): Column {
  const bare = name.replace(/\?$/, "");
  checkColumnName(bare, `${bare}_id`);
  if (bare.endsWith("_id"))
    return refuseWord(
      `The column of \`${bare}\` would be \`${bare}_id\``,
      `Did you mean \`${bare.slice(0, -"_id".length)}:${REFERENCES}\`?`,
    );
  if (others.length > 0) return refuseWord(`\`${others.join(":")}\` is too much after \`${table}\``, EXAMPLE);
  const tables = [...otherTables, own];
  const found = table ?? tables.find((one) => toSingular(one) === bare) ?? tables.find((one) => one === bare);
  if (found === undefined || !tables.includes(found)) {
    const wanted = table ?? toPlural(bare);
    const nearest = closest(wanted, tables);
    const [other] = otherTables;
    const named = other === undefined ? "" : `Name another, as in ${bare}:references:${other}. `;
    return refuseWord(
      `There is no table \`${wanted}\` for \`${bare}\` to refer to`,
      nearest === undefined
        ? `${named}Make it with: npx framework generate resource ${wanted} name:string`
        : `Did you mean \`${bare}:references:${nearest}\`?`,
    );
  }
  const isOptional = optional || name.endsWith("?");
  return { name: `${bare}_id`, type: { references: found }, optional: isOptional, unique };
}

const EXAMPLE = "As in: author:references, or author:references:writers for another table.";

/** @param column that the field becomes. */
function checkColumnName(name: string, column: string): void {
  if (column === "id") refuseWord("Every resource has an `id` of its own", "Leave it out.");
  if (column.length > LONGEST_NAME_IN_DATABASE)
    refuseWord(
      `\`${name.slice(0, 40)}…\` is longer than ${LONGEST_NAME_IN_DATABASE} characters`,
      "Choose a shorter name.",
    );
  if (SYSTEM_COLUMNS.includes(column))
    refuseWord(`A database has a column \`${column}\` of its own`, "Choose another name.");
  if (!isSnakeCase(name)) refuseWord(`\`${name}\` can't be the name of a column`, suggestSnakeCase(name));
}
