/** The text of a resource's `views.ts`: its types, and a handler for each thing that a client may do with its rows. */

import type { Column } from "../migration/columns.ts";
import {
  arrowCall,
  block,
  braceList,
  chain,
  commaList,
  type Doc,
  guarded,
  lines,
  print,
  union,
} from "../source/layout.ts";
import { listWords, type Resource, textColumns, typeNames, valueTypes } from "./resource.ts";

/** The longest text that is unique: an index of Postgres can't hold a text of any length. */
const LONGEST_UNIQUE = 255;

const DB = "db: From<typeof database>";

export function viewsBlueprint(resource: Resource): string {
  const parts = [
    importLines(resource),
    ...typeBlocks(resource),
    columnList(resource),
    listHandler(resource),
    createHandler(resource),
    readHandler(resource),
    replaceHandler(resource),
    patchHandler(resource),
    deleteHandler(resource),
    foundFunction(resource),
  ];
  return `${parts.map((part) => print(part)).join("\n\n")}\n`;
}

function importLines(resource: Resource): Doc {
  const searches = textColumns(resource).length > 0;
  return lines(
    braceList("import {", frameworkNames(resource), '} from "framework";'),
    ...(searches ? ['import { containsText } from "framework/database";'] : []),
    'import type { database } from "#database/providers.ts";',
  );
}

/** Sorted as formatters do. */
function frameworkNames({ columns }: Resource): readonly string[] {
  const hasDate = columns.some(({ type }) => "word" in type && type.word === "Date");
  return [
    "type Body",
    ...(hasDate ? ["type DateTime"] : []),
    "type From",
    "HttpError",
    "type int",
    "type Max",
    ...(columns.some(isUniqueText) ? ["type MaxLength"] : []),
    "type Min",
    "type Query",
    "type Reply",
    "type Request",
    "reply",
  ];
}

function isUniqueText({ type, unique }: Column): boolean {
  return unique && "word" in type && type.word === "string";
}

function typeBlocks({ names, columns }: Resource): readonly Doc[] {
  const { type, one, aOne, all, table } = names;
  const { created, patch, page } = typeNames(names);
  return [
    lines(
      `/** ${capital(aOne)} as it is sent to clients. */`,
      block(`export interface ${type} {`, ["id: int;", ...columns.map(sentProperty)], "}"),
    ),
    lines(
      `/** What a client sends for ${aOne}. */`,
      block(`export interface ${created} {`, columns.map(receivedProperty), "}"),
    ),
    lines(
      `/** The fields of ${aOne} that a client changes. */`,
      `export type ${patch} = Partial<${created}>;`,
    ),
    lines(
      `/** Some of the ${all}. */`,
      block(
        `export interface ${page} {`,
        [
          `${table}: ${type}[];`,
          `/** The \`after\` of the next page. Null if this page has the last ${one}. */`,
          "next: int | null;",
        ],
        "}",
      ),
    ),
  ];
}

function sentProperty({ name, type, optional }: Column): Doc {
  const [first = "", ...others] = valueTypes(type, "string & DateTime");
  const types = optional && first.includes("&") ? [`(${first})`] : [first, ...others];
  const property = union(`${name}:`, optional ? [...types, "null"] : types, ";");
  return "references" in type
    ? lines(`/** The id of one of the ${inWords(type.references)}. */`, property)
    : property;
}

function receivedProperty(column: Column): Doc {
  const { name, type, optional } = column;
  if (isUniqueText(column)) {
    const text = `string & MaxLength<${LONGEST_UNIQUE}>`;
    return optional ? `${name}?: (${text}) | null;` : `${name}: ${text};`;
  }
  const types = valueTypes(type, "Date");
  return union(`${name}${optional ? "?" : ""}:`, optional ? [...types, "null"] : types, ";");
}

function columnList({ columns }: Resource): Doc {
  const texts = ["id", ...columns.map(({ name }) => name)].map((name) => JSON.stringify(name));
  return commaList("const columns = [", texts, "] as const;");
}

function listHandler(resource: Resource): Doc {
  const { names } = resource;
  const { all, table } = names;
  const texts = textColumns(resource);
  const takes = [
    DB,
    ...(texts.length === 0 ? [] : ['q: Query<string> = ""']),
    "after: Query<int> = 0",
    "limit: Query<int & Min<1> & Max<100>> = 20",
  ];
  const found = listWords(
    texts.map((text) => inWords(text)),
    "or",
  );
  const rows = chain(
    "const rows = await db",
    [
      `.selectFrom("${table}")`,
      ".select(columns)",
      '.where("id", ">", after)',
      ...(texts.length === 0 ? [] : [searchCall(texts)]),
      '.orderBy("id")',
      lines("// One more than the page has shows whether there is a next page.", ".limit(limit + 1)"),
      ".execute();",
    ],
    true,
  );
  return lines(
    "/**",
    ` * Lists the ${all} page by page, in the order of their ids.`,
    " *",
    ...(texts.length === 0 ? [] : [` * @param q Only ${all} with this text in their ${found}.`]),
    " * @param after The `next` of the previous page.",
    ` * @param limit The most ${all} on a page.`,
    " */",
    block(
      commaList("export async function get_index(", takes, `): Promise<${typeNames(names).page}> {`),
      [
        rows,
        "const last = rows.length > limit ? rows[limit - 1] : undefined;",
        braceList("return {", [`${table}: rows.slice(0, limit)`, "next: last?.id ?? null"], "};"),
      ],
      "}",
    ),
  );
}

function searchCall(texts: readonly string[]): Doc {
  const calls = texts.map((text) => `containsText(ref("${text}"), q)`);
  const [call = "", ...others] = calls;
  const where =
    others.length === 0
      ? arrowCall("query.where(({ ref }) =>", call, ")")
      : arrowCall("query.where(({ or, ref }) =>", commaList("or([", calls, "])"), ")");
  return arrowCall('.$if(q !== "", (query) =>', where, ")");
}

function createHandler(resource: Resource): Doc {
  const { names, columns } = resource;
  const { aOne, table, type, variable } = names;
  // An insert of nothing is not SQL.
  const isRequired = columns.some(({ optional }) => !optional);
  const values = isRequired ? variable : withNulls(resource);
  return lines(
    `/** Creates ${aOne}. \`Location\` has its address. */`,
    block(
      commaList(
        "export async function post_index(",
        ["request: Request", DB, `${variable}: Body<${typeNames(names).created}>`],
        `): Promise<Reply<${type}, 201>> {`,
      ),
      [
        chain("const created = await db", [
          `.insertInto("${table}")`,
          [".values(", values, ")"],
          ".returning(columns)",
          ".executeTakeFirstOrThrow();",
        ]),
        braceList(
          "return reply(created, 201, {",
          [`location: \`\${request.route.pattern}\${created.id}\``],
          "});",
        ),
      ],
      "}",
    ),
  );
}

/** What the client sent, where what it left out is null. */
function withNulls({ names, columns }: Resource): Doc {
  const nulls = columns.filter(({ optional }) => optional).map(({ name }) => `${name}: null`);
  return nulls.length === 0 ? names.variable : braceList("{", [...nulls, `...${names.variable}`], "}");
}

function readHandler({ names }: Resource): Doc {
  return lines(
    `/** Reads ${names.aOne}. */`,
    block(
      commaList("export async function get_$id(", [DB, "id: int"], `): Promise<${names.type}> {`),
      [
        chain("const row = await db", [
          `.selectFrom("${names.table}")`,
          ".select(columns)",
          ...ofId(".executeTakeFirst();"),
        ]),
        "return found(row);",
      ],
      "}",
    ),
  );
}

function ofId(...calls: readonly string[]): readonly string[] {
  return ['.where("id", "=", id)', ...calls];
}

function replaceHandler(resource: Resource): Doc {
  const { names, columns } = resource;
  const isPartial = columns.some(({ optional }) => optional);
  const nulls = isPartial ? " An optional field that is left out becomes null." : "";
  return lines(
    `/** Replaces ${names.aOne}.${nulls} */`,
    block(
      commaList(
        "export async function put_$id(",
        [DB, "id: int", `${names.variable}: Body<${typeNames(names).created}>`],
        `): Promise<${names.type}> {`,
      ),
      [updateCall(resource, withNulls(resource)), "return found(row);"],
      "}",
    ),
  );
}

function updateCall({ names }: Resource, values: Doc): Doc {
  return chain("const row = await db", [
    `.updateTable("${names.table}")`,
    [".set(", values, ")"],
    ...ofId(".returning(columns)", ".executeTakeFirst();"),
  ]);
}

function patchHandler(resource: Resource): Doc {
  const { names } = resource;
  return lines(
    `/** Changes the fields of ${names.aOne} that are sent. */`,
    block(
      commaList(
        "export async function patch_$id(",
        [DB, "id: int", `changes: Body<${typeNames(names).patch}>`],
        `): Promise<${names.type}> {`,
      ),
      [
        "// An update of nothing is not SQL.",
        "if (Object.keys(changes).length === 0) return get_$id(db, id);",
        updateCall(resource, "changes"),
        "return found(row);",
      ],
      "}",
    ),
  );
}

function deleteHandler({ names }: Resource): Doc {
  return lines(
    `/** Deletes ${names.aOne}. */`,
    block(
      commaList("export async function delete_$id(", [DB, "id: int"], "): Promise<void> {"),
      [
        chain("const row = await db", [
          `.deleteFrom("${names.table}")`,
          ...ofId('.returning("id")', ".executeTakeFirst();"),
        ]),
        "found(row);",
      ],
      "}",
    ),
  );
}

function foundFunction({ names }: Resource): Doc {
  return lines(
    "/** @throws {HttpError} 404 without a row. */",
    block(
      "function found<Row>(row: Row | undefined): Row {",
      [
        guarded("if (row === undefined)", `throw new HttpError(404, "There is no such ${names.one}");`),
        "return row;",
      ],
      "}",
    ),
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @example inWords("book_reviews") // "book reviews" */
function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
