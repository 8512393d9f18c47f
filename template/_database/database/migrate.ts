import { runMigrations } from "framework/database";
import { db } from "./connection.ts";
import { migrations } from "./migrations/index.ts";

// `npm run migrate` applies what is new, and `npm run migrate:down` reverts the last one. In production: `node dist/migrate.js`.
await runMigrations(db, migrations);
