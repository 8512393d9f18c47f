/** What the templates of a resource ask for: its names, and a list of columns for each place that names them. */

import { formatPattern } from "#convention/pattern";
import type { Segment } from "#runtime/routing/route";
import type { View } from "../code/template.ts";
import { type Column, formatSqlType } from "../migration/columns.ts";
import { isOwn, isSecret, listWords, type Resource, textColumns } from "./resource.ts";
import { otherSample, type Parent, sampleOf, uniqueSample, wrongSample } from "./samples.ts";

/** An index of Postgres can't hold a text of any length. */
const LONGEST_UNIQUE = 255;

/** The rows of another table under which those of the resource are served. */
export interface Nesting {
  /** The column that refers to them, and the param of the path. */
  readonly column: string;
  readonly table: string;
  /** As in "an organisation". */
  readonly aOne: string;
  readonly one: string;
}

/** A resource with the place of its routes. */
export interface Written extends Resource {
  /** Of its app. */
  readonly prefix: string;
  /** Of the path of its list: the prefix, or with the segments of {@link Nesting} as well. */
  readonly base: readonly Segment[];
  readonly nesting: Nesting | undefined;
}

/** What a request sends to pass a guard. */
export interface Credential {
  /** An object of headers; undefined for a key in the query, which no test sends: its guard is replaced. */
  readonly code: string | undefined;
  /** A request without it gets a 401. */
  readonly isRequired: boolean;
}

function wordsOf(resource: Written, variable: string): View {
  const { aOne, one, all, table, type } = resource.names;
  const prose = { "{A thing}": capital(aOne), "{a thing}": aOne, "{thing}": one, "{things}": all };
  return {
    ...prose,
    things: table,
    thing: variable,
    Thing: type,
    "{path}": pathOf(resource),
  };
}

/** With the slash at its end, as in `/organisations/<organisation_id>/projects/`. */
function pathOf({ base }: Written): string {
  return formatPattern(base, true);
}

export function migrationView({ names, columns }: Resource): View {
  const entries = columns.map(({ name, type, optional, unique }) => {
    const options = [
      ...(optional ? [] : [".notNull()"]),
      ...(unique ? [".unique()"] : []),
      ...("references" in type ? [`.references("${type.references}.id")`] : []),
    ];
    return {
      field: name,
      text: formatSqlType(type),
      options: options.length > 0,
      '.notNull().unique().references("things.id")': options.join(""),
    };
  });
  // Postgres has no index for the columns that refer to other tables, unless they are unique.
  const indexed = columns.filter(({ type, unique }) => "references" in type && !unique);
  return { things: names.table, columns: entries, indexed: indexed.map(toField) };
}

export function viewsView(resource: Written): View {
  const { names, columns, nesting } = resource;
  const texts = textColumns(resource);
  const secrets = columns.filter(isSecret).map(({ name }) => `\`${name}\``);
  const received = columns.filter((column) => !isParent(resource, column));
  const optional = received.filter((column) => column.optional);
  const isOptional = optional.length === received.length;
  const sent = columns.filter((column) => !isSecret(column));
  return {
    ...wordsOf(resource, names.variable),
    ...(nesting === undefined ? { flat: true } : nestingWords(nesting, resource)),
    sent: sent.map(toSent),
    sentDates: sent.some(isDate),
    received: received.map(toReceived),
    uniqueTexts: received.some(isUniqueText),
    secrets: secrets.length > 0,
    "{Secrets}": `${listWords(secrets, "and")} ${secrets.length === 1 ? "is" : "are"}`,
    texts: texts.map((name) => ({ field: name })),
    "{texts}": listWords(texts.map(inWords), "or"),
    optional: optional.map(toField),
    // An insert of nothing is not SQL.
    completed: isOptional || nesting !== undefined,
    defaults: isOptional ? optional.map(toField) : [],
  };
}

function nestingWords({ column, table, aOne, one }: Nesting, resource: Written): View {
  const { app } = resource.names;
  return {
    nested: true,
    parent_id: column,
    parents: table,
    "{a parent}": aOne,
    "{parent}": one,
    _index: `_$${column}_${app}`,
    _$id: `_$${column}_${app}_$id`,
    "${request.route.pattern}": pathOf(resource).replace(/<(\w+)>/, "$${$1}"),
  };
}

/** @param shared the rows that all of its rows refer to, each after those that it refers to itself. @param guards the `_hooks.ts` whose guards run before its handlers. */
export function testView(
  resource: Written,
  { shared, own }: { readonly shared: readonly Parent[]; readonly own: readonly Parent[] },
  guards: readonly string[],
  credential: Credential | undefined,
): View {
  const { names, columns, nesting } = resource;
  const path = pathOf(resource);
  const idOf = (table: string): string => {
    const parent = [...shared, ...own].find((one) => one.table === table);
    // A resource that refers to itself begins with a row that does not.
    return parent === undefined ? "null" : `${parent.variable}.id`;
  };
  const isSync = {
    "async function newThing": `function new${names.type}`,
    "(await newThing())": `new${names.type}()`,
    "await newThing()": `new${names.type}()`,
    "Awaited<ReturnType<typeof newThing>>": `ReturnType<typeof new${names.type}>`,
  };
  const received = columns.filter((column) => !isParent(resource, column));
  const visible = received.filter((column) => !isSecret(column));
  const differing = columns.filter((column) => column.unique && !isOwn(resource, column));
  const optional = received.filter((column) => column.optional);
  const isShown = visible.length < received.length || nesting !== undefined;
  const [first] = received;
  const row = rowVariable(resource);
  const inPath = nesting && `\${${idOf(nesting.table)}}`;
  return {
    ...wordsOf(resource, row),
    "apps/things": `apps/${names.app}`,
    ...(own.length > 0 ? {} : isSync),
    ...(isShown ? {} : { "shown(body)": "body" }),
    ...(inPath === undefined
      ? {}
      : {
          nested: true,
          '"{path}"': `\`${path.replace(/<\w+>/, inPath)}\``,
          "{missing}": path.replace(/<\w+>/, String(Number.MAX_SAFE_INTEGER)),
          "{a parent}": String(nesting?.aOne),
        }),
    guards: guards.map((file, index) => {
      const name = index === 0 ? "guard" : `guard${index + 1}`;
      return {
        "{ guard }": index === 0 ? "{ guard }" : `{ guard as ${name} }`,
        guard: name,
        "_guard.ts": file,
      };
    }),
    credentials: credential?.code !== undefined,
    refused: credential?.isRequired === true,
    '{ authorization: "Bearer test" }': credential?.code ?? "",
    shared: shared.map(toParent),
    own: own.map(toParent),
    counted: differing.length > 0,
    differing: differing.length > 0,
    "{differing}": listWords(
      differing.map(({ name }) => `\`${name}\``),
      "or",
    ),
    samples: received.map((column) => ({ field: column.name, '"example"': sampleFor(column, idOf) })),
    isShown,
    shown: [
      ...visible.map(({ name }) => ({ field: name })),
      ...(nesting ? [{ field: nesting.column, "body.field": idOf(nesting.table) }] : []),
    ],
    first: first?.name ?? "id",
    '"wrong"': first ? wrongSample(first.type) : "null",
    unique: received
      .filter(({ unique }) => unique)
      .map((column) => ({
        field: column.name,
        ...(isOwn(resource, column)
          ? { "{ field: taken } = await newThing()": "{ id: taken } = await create()" }
          : {}),
      })),
    references: received.filter(({ type }) => "references" in type).map(toField),
    searched: textColumns(resource)
      .slice(0, 1)
      .map((name) => ({ field: name })),
    optional: optional.map(toField),
    cleared: optional.filter((column) => !isSecret(column)).map(toField),
    changed: changeOf(visible, row),
  };
}

function toParent({ table, variable, fields }: Parent): View {
  return {
    parent: variable,
    parents: table,
    fields: fields.map(([field, code]) => ({ field, '"example"': code })),
  };
}

function sampleFor({ type, unique }: Column, idOf: (table: string) => string): string {
  if ("references" in type) return idOf(type.references);
  return unique ? uniqueSample(type) : sampleOf(type);
}

/** A row that only refers to others keeps what it has. */
function changeOf(columns: readonly Column[], row: string): readonly View[] {
  for (const { name, type } of columns)
    if (!("references" in type)) return [{ field: name, '"changed"': otherSample(type) }];
  return columns.slice(0, 1).map(({ name }) => ({ field: name, '"changed"': `${row}.${name}` }));
}

/** What a test calls one row. A long name would break lines. */
function rowVariable({ names: { variable } }: Resource): string {
  return variable === "body" || variable.length > 12 ? "row" : variable;
}

function toSent(column: Column): View {
  const { name, type, optional } = column;
  const types = isDate(column) ? [optional ? "(string & DateTime)" : "string & DateTime"] : typesOf(type);
  return {
    field: name,
    string: [...types, ...(optional ? ["null"] : [])].join(" | "),
    reference: "references" in type,
    "{others}": "references" in type ? inWords(type.references) : "",
  };
}

function toReceived(column: Column): View {
  const { name, type, optional } = column;
  const text = `string & MaxLength<${LONGEST_UNIQUE}>`;
  const types = isUniqueText(column) ? [optional ? `(${text})` : text] : typesOf(type);
  return {
    "field?": optional ? `${name}?` : name,
    string: [...types, ...(optional ? ["null"] : [])].join(" | "),
  };
}

/** As handlers take them: the ids of other rows are numbers. */
function typesOf(type: Column["type"]): readonly string[] {
  if ("values" in type) return type.values.map((value) => JSON.stringify(value));
  return ["word" in type ? type.word : "int"];
}

function toField({ name }: Column): View {
  return { field: name };
}

/** Whether the path has the row that the column refers to. */
export function isParent({ nesting }: Written, { name }: Column): boolean {
  return name === nesting?.column;
}

function isDate({ type }: Column): boolean {
  return "word" in type && type.word === "Date";
}

function isUniqueText({ type, unique }: Column): boolean {
  return unique && "word" in type && type.word === "string";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @example inWords("book_reviews") // "book reviews" */
function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
