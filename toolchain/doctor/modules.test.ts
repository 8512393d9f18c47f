import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#convention/folder.fixture";
import { createFiles } from "#convention/source/files";
import { checkModules } from "./modules.ts";

const test = suite("modules");

const MIGRATION = "database/migrations/20260101120000_create_books.ts";
const LIST = "database/migrations/index.ts";
const WHOLE = {
  "app.ts": 'import { createApp } from "framework";\nimport "./lib/words.ts";\nimport "not-installed";\n',
  "lib/words.ts": "",
  "database/migrations/notes.md": "",
  [MIGRATION]: 'import type { Kysely } from "kysely";\nexport async function up(db: Kysely<unknown>) {}\n',
  [LIST]:
    'import * as create_books from "./20260101120000_create_books.ts";\nexport const migrations = { create_books };\n',
};

const CASES: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string | undefined>>,
  found: readonly string[],
])[] = [
  ["a whole project", {}, []],
  ["a project without a database", { [MIGRATION]: undefined, [LIST]: undefined }, []],
  ["no main file", { "app.ts": undefined }, ["error FW828"]],
  ["a main file that imports what is not there", { "lib/words.ts": undefined }, ["error FW503 app.ts:2:8"]],
  ["a main file that is not TypeScript", { "app.ts": "this = = x;\n" }, ["error FW301 app.ts:1:8"]],
  ["a list of migrations with one that is gone", { [MIGRATION]: undefined }, [`error FW503 ${LIST}:1:31`]],
  [
    "a migration that imports what is gone",
    { [MIGRATION]: 'import "../lost.ts";\n' },
    [`error FW503 ${MIGRATION}:1:8`],
  ],
  ["a migration with an enum", { [MIGRATION]: "enum Mode {}\n" }, [`error FW318 ${MIGRATION}:1:1`]],
  [
    "a list that has a migration by an alias",
    { [LIST]: `export * as create_books from '#${MIGRATION}';\n` },
    [],
  ],
  [
    "a migration that the list lacks",
    { [LIST]: "export const migrations = {};\n" },
    [`warning FW827 ${MIGRATION}:1:1`],
  ],
];

for (const [what, changed, found] of CASES) {
  test(`${what}: ${found.length === 0 ? "nothing to say" : found.join(", ")}`, async () => {
    const files = Object.entries({ ...WHOLE, ...changed }).filter(([, text]) => text !== undefined);
    const root = createFolder(Object.fromEntries(files) as Record<string, string>);
    const diagnostics = await checkModules(createFiles(root));
    rmSync(root, { recursive: true });
    const shown = diagnostics.map(({ severity, code, locations: [place] }) =>
      [severity, code, ...(place ? [`${place.file}:${place.line}:${place.column}`] : [])].join(" "),
    );
    assert.equal(shown, found);
  });
}

test.run();
