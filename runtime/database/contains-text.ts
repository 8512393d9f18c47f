/** A search for text that finds the same on each engine. */

import { type Expression, expressionBuilder, type SqlBool } from "kysely";

/**
 * True where a column contains the text, in upper or lower case. `%`, `_` and `\` of the text are plain characters.
 *
 * @param column an expression, as `ref("title")`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return expressionBuilder()(column, "ilike", pattern);
}
