/** The messages of refusals, for all engines. */

import { DatabaseError, type DatabaseErrorKind, type DatabaseErrorOptions } from "./error.ts";

type RefusalKind = Exclude<DatabaseErrorKind, "unavailable" | "broken">;

type Place = Pick<DatabaseErrorOptions, "table" | "columns">;

const MESSAGES: Readonly<Record<RefusalKind, (place: Place) => string>> = {
  unique: (place) => `Another row${ofTable(place)} has the same ${columnsOf(place, "value")}.`,
  missing_reference: (place) =>
    `The row that ${columnsOf(place, "a column")}${ofTable(place)} refers to does not exist.`,
  still_referenced: () => "Other rows still refer to this row.",
  not_null: (place) => `${columnsOf(place, "A column")}${ofTable(place)} needs a value.`,
  check: (place) => `A check${ofTable(place)} refuses the row.`,
  bad_value: () => "A value does not fit the type of its column.",
  conflict: () => "Another transaction changed the same rows first.",
};

/** @example createRefusal("unique", { table: "books", columns: ["isbn"] }) // "Another row of books has the same isbn." */
export function createRefusal(kind: RefusalKind, options: DatabaseErrorOptions): DatabaseError {
  return new DatabaseError(kind, MESSAGES[kind](options), options);
}

function ofTable({ table }: Place): string {
  return table === undefined ? "" : ` of ${table}`;
}

function columnsOf({ columns = [] }: Place, unknown: string): string {
  return columns.length === 0 ? unknown : columns.join(" and ");
}
