/**
 * What a database changes in the template's own files. For a project that is there, `framework generate database` prints the same. The
 * files of the database itself are in `template/_database/`.
 */

import type { Values } from "./template.ts";

const URLS = {
  sqlite: "sqlite:data/app.db",
  postgres: "postgres://postgres:postgres@localhost:5432/app",
} as const;

export interface DatabaseTexts extends Pick<Values, "pm"> {
  readonly database: keyof typeof URLS;
  /** Gives the text of a section of the template, by its file. */
  readonly read: (name: string) => string;
}

/** A line of the template, and what a project with a database has in its place. `$&` is the line. */
export type LineEdit = readonly [line: RegExp, other: string];

/** By file. */
export function databaseEdits(texts: DatabaseTexts): Readonly<Record<string, readonly LineEdit[]>> {
  const { database, pm, read } = texts;
  const isSqlite = database === "sqlite";
  const url = URLS[database];
  return {
    "app.ts": [
      [/^import .*\n/m, `$&${read("app.section.txt")}`],
      [
        /^await app\.listen\(\);\n/m,
        "const server = $&\n// After the last request.\nvoid server.closed.then(() => db.destroy());\n",
      ],
    ],
    Dockerfile: isSqlite ? [[/^COPY --from=build .*\n/m, `$&${read("Dockerfile.section.txt")}`]] : [],
    ".env.example": [
      [/^HOST=.*\n/m, `$&# Where the database is: a sqlite: or a postgres: URL.\nDATABASE_URL=${url}\n`],
    ],
    ".github/workflows/ci.yml": [
      [/"20\.19"/, '"22.13"'],
      [/^ {4}steps:\n/m, isSqlite ? "$&" : `${read("ci.section.txt")}$&`],
    ],
    "README.md": [
      [
        /^Those need no packages.*$/m,
        `Run \`${pm} install\` first: the database needs packages. The rest needs them, too:`,
      ],
      [/^\| GET \| `\/items\/<item_id>`.*\n/m, "$&| GET | `/readyz` |  | `get` |\n"],
      [/^## The rule\n/m, `${read("README.section.md").replace(URLS.sqlite, url)}\n$&`],
      [/^routes\/ {13}.*\n/m, "$&database/           the tables, the migrations, and the providers\n"],
    ],
    "AGENTS.md": [[/^## The contract\n/m, `${read("AGENTS.section.md")}\n$&`]],
  };
}

/** A line that the project does not have, as of a sample, is left out. */
export function applyLineEdits(text: string, edits: readonly LineEdit[]): string {
  return edits.reduce((edited, [line, other]) => edited.replace(line, other), text);
}
