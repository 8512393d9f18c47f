/** Finds which foreign key has failed. SQLite says only that one has. */

import { quoteName } from "../engine/names.ts";
import type { Session } from "./session.ts";
import type { Row } from "./statement.ts";
import type { Written } from "./written.ts";

/** @returns the columns whose value names a row that does not exist. Not those of keys with several columns. */
export function findMissingReferences(session: Session, { table, values }: Written): readonly string[] {
  if (table === undefined) return [];
  const keys = session.all(`pragma foreign_key_list(${quoteName(table)})`);
  const isSingle = ({ id }: Row): boolean => keys.filter((key) => key.id === id).length === 1;
  return keys.filter(isSingle).flatMap(({ from, table: parent, to }) => {
    const written = values.get(String(from)) ?? [];
    const target = { table: String(parent), column: to === null ? undefined : String(to) };
    return written.some((value) => !exists(session, target, value)) ? [String(from)] : [];
  });
}

interface Target {
  readonly table: string;
  /** Undefined for the primary key. */
  readonly column: string | undefined;
}

function exists(session: Session, { table, column }: Target, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const key = column ?? primaryKey(session, table);
  if (key === undefined) return true;
  return (
    session.all(`select 1 from ${quoteName(table)} where ${quoteName(key)} = ? limit 1`, value).length > 0
  );
}

function primaryKey(session: Session, table: string): string | undefined {
  const found = session.all(`pragma table_info(${quoteName(table)})`).find(({ pk }) => pk === 1);
  return found && String(found.name);
}

/** Whether a table has a foreign key in one of the columns that are written. */
export function writesReference(session: Session, { table, values }: Written): boolean {
  if (table === undefined) return true;
  const keys = session.all(`pragma foreign_key_list(${quoteName(table)})`);
  return keys.some(({ from }) => values.has(String(from)));
}
