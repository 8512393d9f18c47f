import type { Migrations } from "framework/database";

/** In the order in which they are applied, that of their names. */
export const migrations: Migrations = {};
