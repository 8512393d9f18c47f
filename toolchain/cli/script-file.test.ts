import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#convention/folder.fixture";
import { Problem } from "#runtime/problem";
import { requireScript } from "./script-file.ts";

const FILES = [
  "app.ts",
  "data.json",
  "database/migrate.ts",
  "database/seed.ts",
  "lib/types.d.ts",
  "node_modules/kysely/seeds.js",
  "scripts/import.mjs",
  "vendor/framework/reset.js",
];

const test = suite<{ root: string }>("script file");
test.before.each((context) => {
  context.root = createFolder(Object.fromEntries(FILES.map((file) => [file, ""])));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

const FOUND: readonly [cwd: string, word: string, file: string][] = [
  ["", "database/seed.ts", "database/seed.ts"],
  ["", "./scripts/import.mjs", "scripts/import.mjs"],
  ["database", "seed.ts", "database/seed.ts"],
  ["scripts", "../app.ts", "app.ts"],
];
for (const [cwd, word, file] of FOUND) {
  test(`${word} in ${cwd || "the root"} is ${file}`, ({ root }) => {
    assert.is(requireScript(root, join(root, cwd), word), join(root, file));
  });
}

const REFUSED: readonly [cwd: string, word: string, message: RegExp, hint: string | undefined][] = [
  ["", "database/sede.ts", /^There is no file "database\/sede\.ts" in /, "Did you mean database/seed.ts?"],
  ["", "database/seed", /^There is no file/, "Did you mean database/seed.ts?"],
  ["", "database/seed.js", /^There is no file/, "Did you mean database/seed.ts?"],
  ["", "seed.ts", /^There is no file/, "Did you mean database/seed.ts?"],
  ["scripts", "database/migrate.ts", /^There is no file/, "Did you mean ../database/migrate.ts?"],
  ["", "seeds.js", /^There is no file/, undefined],
  ["", "reset.js", /^There is no file/, undefined],
  ["", "database", /^"database" is not a file\.$/, undefined],
  ["", "data.json", /^"data\.json" is not a TypeScript or JavaScript file\.$/, undefined],
  ["", "lib/types.d.ts", /^"lib\/types\.d\.ts" is not a TypeScript or JavaScript file\.$/, undefined],
];
for (const [cwd, word, message, hint] of REFUSED) {
  test(`${word} in ${cwd || "the root"} is refused: ${hint ?? "nothing is near it"}`, ({ root }) => {
    try {
      requireScript(root, join(root, cwd), word);
    } catch (error) {
      assert.instance(error, Problem);
      const problem = error as Problem;
      assert.match(problem.message, message);
      assert.is(problem.hint, hint);
      return;
    }
    assert.unreachable();
  });
}

test.run();
