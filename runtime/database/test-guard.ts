/** Keeps tests away from the database of development. */

import { Problem } from "#runtime/problem";

/** @throws {Problem} in a test. */
export function forbidInTests(): void {
  if (process.env.NODE_ENV === "test")
    throw new Problem(
      "A test opens a database of its own: createTestApp() of tests/_database.ts.",
      "Pass its app or its db on, and import no db of database/connection.ts.",
    );
}
