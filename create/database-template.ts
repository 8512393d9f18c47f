/**
 * What a database changes in the template's own files, as Handlebars text: a project that is there gets the same printed by
 * `framework generate database`. The files of the database itself are in `template/_database/`.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const PREPARE: readonly string[] = [
  'import { prepareDatabase } from "framework/database";',
  'import { db } from "#database/connection.ts";',
  'import { migrations } from "#database/migrations/index.ts";',
  "",
  "// In development it applies new migrations. Otherwise it refuses a database that lacks some.",
  "await prepareDatabase(db, migrations);",
];

/** In files of the template: a line, and what a project with a database has in its place. `$&` is the line itself. */
const LINES: Readonly<Record<string, readonly (readonly [line: RegExp, text: string])[]>> = {
  "app.ts": [
    [/^import .*\n/m, `$&${PREPARE.join("\n")}\n`],
    [
      /^await app\.listen\(\);\n/m,
      `const server = $&
// After the last request.
server.closed.then(() => db.destroy());
`,
    ],
  ],
  Dockerfile: [
    [
      /^# The build makes one file.*\n/m,
      "# The build makes dist/server.js and dist/migrate.js. The image has these and Node, nothing else.\n",
    ],
    [
      /^COPY --from=build \/app\/dist\/server\.js .*\n/m,
      `COPY --from=build /app/dist/server.js /app/dist/migrate.js ./
{{#if database.sqlite}}
# The database. Mount a volume here, or it ends with the container.
RUN mkdir data && chown node:node data
{{/if}}
`,
    ],
  ],
  ".env.example": [
    [
      /^HOST=.*\n/m,
      "$&# Where the database is: a sqlite: or a postgres: URL.\nDATABASE_URL={{database.url}}\n",
    ],
  ],
  ".github/workflows/ci.yml": [
    [/^ *node: \["20\.19", "24"\]\n/m, '        node: ["22.13", "24"]\n'],
    [
      /^ {4}steps:\n/m,
      `{{#unless database.sqlite}}
    services:
      postgres:
        image: postgres:18-alpine
        env:
          POSTGRES_DB: app
          POSTGRES_PASSWORD: postgres
        ports: ["5432:5432"]
        options: --health-cmd pg_isready --health-interval 2s --health-timeout 3s --health-retries 15
{{/unless}}
$&`,
    ],
  ],
  "README.md": [
    [
      /^Those need no packages.*\n/m,
      "Run `{{pm}} install` first: the database needs packages. The rest needs them, too:\n",
    ],
    [/^\| GET \| `\/items\/<item_id>`.*\n/m, "$&| GET | `/readyz` |  | `get` |\n"],
    [/^## The rule\n/m, "[README.section.md]\n$&"],
    [/^routes\/ {13}.*\n/m, "$&database/           the tables, the migrations, and the providers\n"],
  ],
  "AGENTS.md": [[/^## The contract\n/m, "[AGENTS.section.md]\n$&"]],
};

/** The files of the template that a database changes. */
export const CHANGED_BY_DATABASE: readonly string[] = Object.keys(LINES);

const SQLITE_URL = "sqlite:data/app.db";

/** What Handlebars sees. */
export function toDatabaseView(database: "sqlite" | "postgres" | undefined): object | undefined {
  if (database === undefined) return undefined;
  const isSqlite = database === "sqlite";
  return { sqlite: isSqlite, url: isSqlite ? SQLITE_URL : "postgres://postgres:postgres@localhost:5432/app" };
}

/**
 * @param text of a file of the template, as Handlebars text.
 * @param template absolute path of the template.
 * @throws if a line is no longer there.
 */
export function withDatabase(text: string, file: string, template: string): string {
  return (LINES[file] ?? []).reduce((edited, [line, lines]) => {
    const [found] = line.exec(edited) ?? [];
    if (found === undefined)
      throw new Error(`the template's ${file} no longer has a line like ${line.source}`);
    const added = lines
      .replace(/^\[(.*)\]$/m, (_, section: string) => readSection(template, section))
      .replace("$&", () => found);
    return edited.replace(found, () => `{{#if database}}\n${added}{{else}}\n${found}{{/if}}\n`);
  }, text);
}

function readSection(template: string, file: string): string {
  return readFileSync(join(template, "_database", file), "utf8").replace(SQLITE_URL, "{{database.url}}");
}
