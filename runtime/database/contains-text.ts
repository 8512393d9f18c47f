/** A search for text, which is the same on each engine. */

import { type Expression, type SqlBool, sql } from "kysely";

/**
 * True where a column contains the text, in upper or lower case. `%`, `_` and `\` of the text are plain characters.
 *
 * @param column an expression, as `eb.ref("title")` or `sql.ref("title")`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`;
}
