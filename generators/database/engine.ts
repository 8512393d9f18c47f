/** The engines that a project's database can have. The code of the project is the same for each; only where the database is differs. */

export const ENGINES = ["sqlite", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/** Where the database is unless DATABASE_URL says otherwise. The server is that of the project's compose.yaml. */
export const DEFAULT_URLS: Readonly<Record<Engine, string>> = {
  sqlite: "sqlite:data/app.db",
  postgres: "postgres://postgres:postgres@localhost:5432/app",
};

/** Kysely and node:sqlite need it. */
export const OLDEST_NODE = "22.13";
