/** What a database needs in files that somebody may have edited: printed, to be added by hand. `npm create` writes the same. */

import { MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import { tryText } from "../edit/text.ts";
import { DEFAULT_URLS, type Engine, OLDEST_NODE } from "./engine.ts";

const README_FILE = "README.md";
const WORKFLOW = ".github/workflows/ci.yml";
const OLD_README = "Those need no packages";

const CLOSE = `const server = await app.listen();

// After the last request.
void server.closed.then(() => db.destroy());`;

/** What a file has that needs no addition, where the addition goes, and its text or the section of the template that has it. */
type Addition = readonly [file: string, has: RegExp, where: string, text: string];

/** The most needed ones come last. */
const ADDITIONS: readonly Addition[] = [
  [".gitignore", /^\/?data\/?$/m, "Add to .gitignore:", "/data/"],
  [".dockerignore", /^\/?data\/?$/m, "Add to .dockerignore:", "data"],
  ["AGENTS.md", /^## The database/m, "Add to AGENTS.md:", "AGENTS.section.md"],
  [README_FILE, /^## The database/m, "Add to README.md:", "README.section.md"],
  [README_FILE, /\| `\/readyz` \|/, "Add to the routes in README.md:", "| GET | `/readyz` |  | `get` |"],
  [
    README_FILE,
    new RegExp(`^(?![\\s\\S]*${OLD_README})`),
    `In README.md, in place of the line that begins with \`${OLD_README}\`:`,
    "Run `npm install` first: the database needs packages. The rest needs them, too:",
  ],
  [
    ".env.example",
    /DATABASE_URL=/,
    "Add to .env.example:",
    `# Where the database is: a sqlite: or a postgres: URL.\nDATABASE_URL=${DEFAULT_URLS.sqlite}`,
  ],
  [
    WORKFLOW,
    /^(?![\s\S]*"20\.19")/,
    `In ${WORKFLOW}, in place of the line \`node:\`:`,
    `        node: ["${OLDEST_NODE}", "24"]`,
  ],
];

const OF_ENGINE: Readonly<Record<Engine, Addition>> = {
  sqlite: ["Dockerfile", /mkdir data/, "Add to Dockerfile, above `USER node`:", "Dockerfile.section.txt"],
  postgres: [WORKFLOW, /postgres/, `Add to ${WORKFLOW}, above \`steps:\`:`, "ci.section.txt"],
};

const IN_MAIN: readonly Addition[] = [
  [MAIN_FILE, /prepareDatabase/, "Add to app.ts, below the imports:", "app.section.txt"],
  [MAIN_FILE, /db\.destroy/, "In app.ts, in place of `await app.listen();`:", CLOSE],
];

/** @param template has the sections. @returns those that the project lacks; a file that is not there needs nothing. */
export function printAdditions(
  { root }: Project,
  engine: Engine,
  template: ReadonlyMap<string, string>,
): readonly string[] {
  return [...ADDITIONS, OF_ENGINE[engine], ...IN_MAIN].flatMap(([file, has, where, text]) => {
    const found = tryText(root, file);
    const added = (template.get(text) ?? text).replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]).trimEnd();
    return typeof found !== "string" || has.test(found) ? [] : [`${where}\n\n${added}`];
  });
}
