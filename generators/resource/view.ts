/** What the templates of a resource ask for: its names, and a list of its columns, each with its words and with what it is. */

import { formatPattern } from "#convention/pattern";
import type { View } from "../code/template.ts";
import { type Column, formatSqlType } from "../migration/columns.ts";
import type { Parents } from "./parents.ts";
import { isOwn, isParent, isSecret, isText, listWords, type Resource, type Written } from "./resource.ts";
import { otherSample, type Parent, sampleOf, uniqueSample, wrongSample } from "./samples.ts";

/** An index of Postgres can't hold a text of any length. */
const LONGEST_UNIQUE = 255;

/** What a request sends to pass a guard. */
export interface Credential {
  /** An object of headers; undefined for a key in the query, which no test sends: its guard is replaced. */
  readonly code: string | undefined;
  /** A request without it gets a 401. */
  readonly isRequired: boolean;
}

export function migrationView({ names, columns }: Resource): View {
  const entries = columns.map(({ name, type, optional, unique }) => {
    const isReference = "references" in type;
    const options = [
      optional ? "" : ".notNull()",
      unique ? ".unique()" : "",
      isReference ? `.references("${type.references}.id")` : "",
    ].join("");
    return {
      field: name,
      '"text"': `"${formatSqlType(type)}"`,
      options: options !== "",
      '.notNull().unique().references("things.id")': options,
      // Postgres has no index for the columns that refer to other tables, unless they are unique.
      indexed: isReference && !unique,
    };
  });
  return { things: names.table, columns: entries };
}

function wordsOf(resource: Written, variable: string): View {
  const { aOne, one, all, table, type } = resource.names;
  return {
    "{A thing}": aOne.charAt(0).toUpperCase() + aOne.slice(1),
    "{a thing}": aOne,
    "{thing}": one,
    "{things}": all,
    "{a parent}": resource.nesting?.aOne ?? "",
    things: table,
    thing: variable,
    Thing: type,
    "{path}": pathOf(resource),
    nested: resource.nesting !== undefined,
    flat: resource.nesting === undefined,
  };
}

/** With the slash at its end, as in `/organisations/<organisation_id>/projects/`. */
function pathOf({ base }: Written): string {
  return formatPattern(base, true);
}

/** For the handlers. */
export function viewsView(resource: Written): View {
  const { columns, nesting, names } = resource;
  const secrets = columns.filter(isSecret).map(({ name }) => `\`${name}\``);
  const texts = columns.filter(isText).map(({ name }) => inWords(name));
  const isOptional = columns.every((column) => column.optional || isParent(resource, column));
  const nested: View = nesting
    ? {
        parent_id: nesting.column,
        parents: nesting.table,
        "{parent}": nesting.one,
        _index: `_$${nesting.column}_${names.app}`,
        _$id: `_$${nesting.column}_${names.app}_$id`,
        "${request.route.pattern}": pathOf(resource).replace(/<(\w+)>/, "$${$1}"),
      }
    : {};
  return {
    ...wordsOf(resource, names.variable),
    ...nested,
    "{Secrets}": `${listWords(secrets, "and")} ${secrets.length === 1 ? "is" : "are"}`,
    "{texts}": listWords(texts, "or"),
    // An insert of nothing is not SQL.
    completed: isOptional || nesting !== undefined,
    columns: columns.map((column) => ({
      ...columnView(resource, column),
      defaulted: isOptional && column.optional,
    })),
  };
}

function columnView(resource: Written, column: Column): View & { readonly field: string } {
  const { name, type, optional, unique } = column;
  const isDate = "word" in type && type.word === "Date";
  const isLimited = unique && "word" in type && type.word === "string";
  const isReference = "references" in type;
  const received = !isParent(resource, column);
  const typed = (types: string): string => {
    if (!optional) return types;
    return `${types.includes(" & ") ? `(${types})` : types} | null`;
  };
  return {
    field: name,
    sent: !isSecret(column),
    secret: isSecret(column),
    dates: isDate && !isSecret(column),
    "field: string": `${name}: ${typed(isDate ? "string & DateTime" : plainType(type))}`,
    reference: isReference,
    "{others}": isReference ? inWords(type.references) : "",
    received,
    optional: received && optional,
    limited: received && isLimited,
    "field?: string": `${name}${optional ? "?" : ""}: ${typed(isLimited ? `string & MaxLength<${LONGEST_UNIQUE}>` : plainType(type))}`,
    text: isText(column),
  };
}

/** As handlers take them: the ids of other rows are numbers. */
function plainType(type: Column["type"]): string {
  if ("values" in type) return type.values.map((value) => JSON.stringify(value)).join(" | ");
  return "word" in type ? type.word : "int";
}

/** @param guards the `_hooks.ts` whose guards run before its handlers. */
export function testView(
  resource: Written,
  { shared, own }: Parents,
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
  // A long name would break lines.
  const row = names.variable === "body" || names.variable.length > 12 ? "row" : names.variable;
  const isSync = {
    "async function newThing": `function new${names.type}`,
    "(await newThing())": `new${names.type}()`,
    "await newThing()": `new${names.type}()`,
    "Awaited<ReturnType<typeof newThing>>": `ReturnType<typeof new${names.type}>`,
  };
  const received = columns.filter((column) => !isParent(resource, column));
  const visible = received.filter((column) => !isSecret(column));
  const differing = columns.filter((column) => column.unique && !isOwn(resource, column));
  const isShown = visible.length < received.length || nesting !== undefined;
  const [first] = received;
  // A row that only refers to others keeps what it has.
  const changed = visible.find(({ type }) => !("references" in type)) ?? visible[0];
  const nested: View = nesting
    ? {
        '"{path}"': `\`${path.replace(/<\w+>/, `\${${idOf(nesting.table)}}`)}\``,
        "{missing}": path.replace(/<\w+>/, String(Number.MAX_SAFE_INTEGER)),
      }
    : {};
  const firstText = columns.find(isText);
  const entries = [...received, ...columns.filter((column) => isParent(resource, column))].map(
    (column): View => {
      const view = columnView(resource, column);
      return {
        ...view,
        '"example"': sampleFor(column, idOf),
        '"changed"': "references" in column.type ? `${row}.${column.name}` : otherSample(column.type),
        "body.field": view.received ? `body.${column.name}` : idOf(String(nesting?.table)),
        changed: column === changed,
        differing: differing.includes(column),
        unique: Boolean(view.received) && column.unique,
        references: Boolean(view.received && view.reference),
        searched: column === firstText,
        cleared: Boolean(view.optional && view.sent),
        ...(isOwn(resource, column)
          ? { "{ field: taken } = await newThing()": "{ id: taken } = await create()" }
          : {}),
      };
    },
  );
  return {
    ...wordsOf(resource, row),
    ...(own.length > 0 ? {} : isSync),
    ...(isShown ? {} : { "shown(body)": "body" }),
    ...nested,
    "apps/things": `apps/${names.app}`,
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
    "{differing}": listWords(
      differing.map(({ name }) => `\`${name}\``),
      "or",
    ),
    isShown,
    first: first?.name ?? "id",
    '"wrong"': first ? wrongSample(first.type) : "null",
    columns: entries,
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

/** @example inWords("book_reviews") // "book reviews" */
function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
