/** What a database needs in files that somebody may have edited: printed, to be added by hand. `npm create` writes the same. */

import { MAIN_FILE } from "#convention/layout";
import { README_FILE } from "../readme.ts";
import { DEFAULT_URLS, type Engine, OLDEST_NODE } from "./engine.ts";

export interface Addition {
  readonly file: string;
  /** The text has it already. */
  readonly has: RegExp;
  readonly where: string;
  readonly text: string;
}

/** @param read gives the text of a section of the template, by its file. The most needed additions come last. */
export function additions(engine: Engine, read: (name: string) => string): readonly Addition[] {
  const isPostgres = engine === "postgres";
  const all: readonly (readonly [file: string, has: RegExp, where: string, text: string])[] = [
    [".gitignore", /^\/?data\/?$/m, "Add to .gitignore:", "/data/"],
    [".dockerignore", /^\/?data\/?$/m, "Add to .dockerignore:", "data"],
    ["AGENTS.md", /^## The database/m, "Add to AGENTS.md:", read("AGENTS.section.md")],
    [README_FILE, /^## The database/m, "Add to README.md:", read("README.section.md")],
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
    // The pattern that every text has leaves one out that the engine does not need.
    [
      WORKFLOW,
      isPostgres ? /postgres/ : /^/,
      `Add to ${WORKFLOW}, above \`steps:\`:`,
      read("ci.section.txt"),
    ],
    [
      "Dockerfile",
      isPostgres ? /^/ : /mkdir data/,
      "Add to Dockerfile, above `USER node`:",
      read("Dockerfile.section.txt"),
    ],
    [MAIN_FILE, /prepareDatabase/, "Add to app.ts, below the imports:", read("app.section.txt")],
    [MAIN_FILE, /db\.destroy/, "In app.ts, in place of `await app.listen();`:", CLOSE],
  ];
  return all.map(([file, has, where, text]) => ({ file, has, where, text }));
}

const WORKFLOW = ".github/workflows/ci.yml";

const CLOSE = `const server = await app.listen();

// After the last request.
void server.closed.then(() => db.destroy());`;
