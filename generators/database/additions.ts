/** What a database needs in files that somebody may have edited: printed, to be added by hand. `npm create` writes the same. */

import { MAIN_FILE } from "#convention/layout";
import { README_FILE } from "../source/route-table.ts";
import { DEFAULT_URLS, type Engine, OLDEST_NODE } from "./engine.ts";

export interface Addition {
  readonly file: string;
  /** The text has it already. */
  readonly has: RegExp;
  readonly where: string;
  readonly text: string;
}

/** @param pages the sections of README.md and AGENTS.md. The most needed additions come last. */
export function additions(
  engine: Engine,
  pages: Readonly<Record<"readme" | "agents", string>>,
): readonly Addition[] {
  const isPostgres = engine === "postgres";
  const all: readonly (readonly [file: string, has: RegExp, where: string, text: string])[] = [
    [".gitignore", /^\/?data\/?$/m, "Add to .gitignore:", "/data/"],
    [".dockerignore", /^\/?data\/?$/m, "Add to .dockerignore:", "data"],
    ["tsconfig.json", /"database"/, "Add to `include` in tsconfig.json:", '"database"'],
    ["AGENTS.md", /^## The database/m, "Add to AGENTS.md:", pages.agents],
    [README_FILE, /^## The database/m, "Add to README.md:", pages.readme],
    [README_FILE, /\| `\/readyz` \|/, "Add to the routes in README.md:", "| GET | `/readyz` |  | `get` |"],
    [
      README_FILE,
      /^(?![\s\S]*Those need no packages)/,
      "In README.md, in place of the line that begins with `Those need no packages`:",
      "Run `npm install` first: the database needs packages. The rest needs them, too:",
    ],
    [
      ".env.example",
      /DATABASE_URL=/,
      "Add to .env.example:",
      `# Where the database is: a sqlite: or a postgres: URL.\nDATABASE_URL=${DEFAULT_URLS[engine]}`,
    ],
    [
      WORKFLOW,
      /^(?![\s\S]*"20\.19")/,
      `In ${WORKFLOW}, in place of the line \`node:\`:`,
      `        node: ["${OLDEST_NODE}", "24"]`,
    ],
    ...(isPostgres
      ? ([[WORKFLOW, /postgres/, `Add to ${WORKFLOW}, above \`steps:\`:`, POSTGRES_SERVICE]] as const)
      : []),
    [
      "Dockerfile",
      /migrate\.js|dist\/\*\.js/,
      "In Dockerfile, in place of the line that copies server.js:",
      isPostgres ? COPY : `${COPY}\n${DATA_FOLDER}`,
    ],
    [MAIN_FILE, /prepareDatabase/, "Add to app.ts, below the imports:", PREPARE],
    [MAIN_FILE, /db\.destroy/, "In app.ts, in place of `await app.listen();`:", CLOSE],
  ];
  return all.map(([file, has, where, text]) => ({ file, has, where, text }));
}

const WORKFLOW = ".github/workflows/ci.yml";

const POSTGRES_SERVICE = `    services:
      postgres:
        image: postgres:18-alpine
        env:
          POSTGRES_DB: app
          POSTGRES_PASSWORD: postgres
        ports: ["5432:5432"]
        options: --health-cmd pg_isready --health-interval 2s --health-timeout 3s --health-retries 15`;

const COPY = "COPY --from=build /app/dist/server.js /app/dist/migrate.js ./";

const DATA_FOLDER = `# The database. Mount a volume here, or it ends with the container.
RUN mkdir data && chown node:node data`;

const PREPARE = [
  'import { prepareDatabase } from "framework/database";',
  'import { db } from "#database/connection.ts";',
  'import { migrations } from "#database/migrations/index.ts";',
  "",
  "// In development it applies new migrations. Otherwise it refuses a database that lacks some.",
  "await prepareDatabase(db, migrations);",
].join("\n");

const CLOSE = `const server = await app.listen();

// After the last request.
server.closed.then(() => db.destroy());`;
