/** For tests: the files of a project with a database, as far as generators read them. */

export const DATABASE_PROJECT: Readonly<Record<string, string>> = {
  "framework.toml": '# The apps.\napps = ["products"]\n',
  "package.json": '{ "type": "module", "imports": { "#*": "./*" } }\n',
  "apps/products/app.toml": '[app]\nname = "products"\nprefix = "/products"\n',
  "apps/products/views.ts": `import type { Request } from "framework";

// GET /products/
export function get_index(request: Request) {
  return { path: request.path };
}
`,
  "database/connection.ts": `import { openDatabase } from "framework/database";
import type { Tables } from "./tables.ts";

export const db = openDatabase<Tables>({ url: "sqlite:data/shop.db" });

export type Database = typeof db;
`,
  "database/providers.ts": `import type { From } from "framework";
import { type Database, db } from "./connection.ts";

export function connection(): Database {
  return db;
}

export function* database(db: From<typeof connection>): Generator<Database> {
  yield db;
}
`,
  "database/tables.ts": `/** The tables and the types of their columns. */
export interface Tables {}
`,
  "database/migrations/index.ts": `import type { Migrations } from "framework/database";

/** In the order of their names. */
export const migrations: Migrations = {};
`,
  "database/seed.ts": `import { seedDatabase } from "framework/database";
import { db } from "./connection.ts";

await seedDatabase(db, {});
`,
  "tests/_database.ts": "export {};\n",
};
