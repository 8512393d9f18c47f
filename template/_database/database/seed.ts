import { seedDatabase } from "framework/database";
import { db } from "./connection.ts";

// `npm run seed` fills each of these tables that is still empty.
await seedDatabase(db, {});
