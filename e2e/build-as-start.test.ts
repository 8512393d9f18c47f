/** That `framework start` from source and `framework build` take the same projects, and that these then answer alike. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildableCopy } from "./harness/build.ts";
import { ask } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { START, serve } from "./harness/server.ts";

type Files = Readonly<Record<string, string>>;

const BUILT = [process.execPath, "dist/server.js"];

const NATIVE: Files = {
  "node_modules/fast/package.json": '{ "name": "fast", "main": "index.js" }',
  "node_modules/fast/index.js": 'module.exports = require("./build/fast.node");\n',
  "node_modules/fast/build/fast.node": "compiled",
};

/** What GET /a answers in both. */
const TAKEN: readonly [what: string, files: Files, answer: unknown][] = [
  [
    "JSON with its attribute",
    {
      "data.json": '{ "word": 1 }',
      "routes/a.ts":
        'import data from "../data.json" with { type: "json" };\nexport { default as again } from "../data.json" with { type: "json" };\nexport const get = async () => [data.word, (await import("../data.json", { with: { type: "json" } })).default.word];\n',
    },
    [1, 1],
  ],
  [
    "an optional import, in try and with catch()",
    {
      "routes/a.ts": `// @ts-nocheck
let found = "no";
try { await import("not-there"); found = "yes"; } catch { found = "caught"; }
const late = await import("../lib/not-there.ts").catch((error) => error.code);
const other = await import("not-there").then(() => "yes", () => "told");
export const get = () => ({ found, late, other });
`,
    },
    { found: "caught", late: "ERR_MODULE_NOT_FOUND", other: "told" },
  ],
  [
    "a module that imports what is missing, imported in try",
    {
      "lib/optional.ts": '// @ts-nocheck\nimport { parse } from "not-there";\nexport const word = parse();\n',
      "routes/a.ts": `let word = "none";
try { word = (await import("../lib/optional.ts")).word; } catch {}
export const get = () => ({ word });
`,
    },
    { word: "none" },
  ],
  [
    "a CommonJS file of TypeScript",
    {
      "lib/old.cts":
        "const word: string = require('node:path').basename('lib/old');\nmodule.exports = { word };\n",
      "routes/a.ts":
        '// @ts-nocheck\nimport old from "../lib/old.cts";\nexport const get = () => ({ word: old.word });\n',
    },
    { word: "old" },
  ],
  [
    "a package with exports for bundlers, which Node does not look at,",
    {
      "node_modules/both/package.json":
        '{ "name": "both", "exports": { "module": "./module.mjs", "node": "./node.mjs", "default": "./default.mjs" } }',
      ...Object.fromEntries(
        ["module", "node", "default"].map((name) => [
          `node_modules/both/${name}.mjs`,
          `export default "${name}";\n`,
        ]),
      ),
      "routes/a.ts": '// @ts-nocheck\nimport both from "both";\nexport const get = () => ({ both });\n',
    },
    { both: "node" },
  ],
  [
    "imports for their effect, and one that only types are used of, in a project with sideEffects: false",
    {
      "lib/effect.ts": "(globalThis as any).effects = ['effect'];\n",
      "lib/typed.ts":
        "(globalThis as any).effects.push('typed');\nexport type Word = string;\nexport const word = 1;\n",
      "routes/a.ts":
        'import "../lib/effect.ts";\nimport { word } from "../lib/typed.ts";\nexport const get = () => (globalThis as any).effects;\n',
    },
    ["effect", "typed"],
  ],
  [
    "two classes of one name",
    {
      "lib/item.ts": "export class Item {}\n",
      "routes/a.ts":
        'import { Item as Other } from "../lib/item.ts";\nclass Item {}\nexport const get = () => [new Item(), new Other()].map((item) => item.constructor.name);\n',
    },
    ["Item", "Item"],
  ],
];
for (const [what, files, answer] of TAKEN) {
  test(`${what}: start and build take it, and answer alike`, async () => {
    const project = await buildableCopy(files);
    project.edit("package.json", '"type"', '"sideEffects": false,\n  "type"');
    const { status, stderr } = await project.framework(["build", "--minify"]);
    assert.is(status, 0, stderr);
    assert.is(stderr, "");
    const built = await serve(project.folder, BUILT);
    assert.equal((await ask(built.url, "GET /a")).json, answer, "built");
    await built.stop();
    assert.equal(await askSource(project.folder), answer, "from source");
  });
}

/** What can be loaded in Node, and not be in a file of JavaScript. */
test("a native part behind try is left out with a warning, and the fallback is taken", async () => {
  const project = await buildableCopy({
    ...NATIVE,
    "node_modules/mask/package.json": '{ "name": "mask", "main": "index.js" }',
    "node_modules/mask/index.js":
      'try { exports.way = require("fast"); } catch (error) { exports.way = "plain"; }\n',
    "routes/a.ts":
      '\n// @ts-nocheck\nimport mask from "mask";\nexport const get = () => ({ way: mask.way });\n',
  });
  const { status, stderr } = await project.framework(["build"]);
  assert.is(status, 0, stderr);
  assert.match(stderr, /^warning FW706 `fast` has a native part[^\n]*\n {2}routes\/a\.ts:3:18/);
  assert.is(stderr.match(/FW\d/g)?.length, 1, stderr);
  const built = await serve(project.folder, BUILT);
  assert.equal((await ask(built.url, "GET /a")).json, { way: "plain" });
  await built.stop();
});

test("a native part that one of two ways needs is refused", async () => {
  const project = await buildableCopy({
    ...NATIVE,
    "routes/a.ts":
      '// @ts-nocheck\nlet fast;\ntry { fast = await import("fast"); } catch {}\nexport const get = () => ({ fast });\n',
    "routes/b.ts": '// @ts-nocheck\nimport fast from "fast";\nexport const get = () => ({ fast });\n',
  });
  const { status, stderr } = await project.framework(["build"]);
  assert.is(status, 1);
  assert.match(stderr, /error FW701/);
});

const REFUSED: readonly [what: string, files: Files, says: RegExp][] = [
  [
    "a path of tsconfig.json",
    {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
      "lib/word.ts": "export const word = 1;\n",
      "routes/a.ts": '// @ts-nocheck\nimport { word } from "@lib/word.ts";\nexport const get = () => word;\n',
    },
    /@lib\/word/,
  ],
  [
    "an import from the web",
    {
      "routes/a.ts": '// @ts-nocheck\nimport a from "https://a.example/a.js";\nexport const get = () => a;\n',
    },
    /https:/,
  ],
];
for (const [what, files, says] of REFUSED) {
  test(`${what} is refused by start and by build`, async () => {
    const project = await buildableCopy(files);
    for (const words of [["build"], ["start"]]) {
      const { status, stderr } = await project.framework(words);
      assert.is(status, 1, words.join(" "));
      assert.match(stderr, says);
      assert.match(stderr, /error FW\d{3}[\s\S]*routes\/a\.ts:/);
      assert.not.match(stderr, /\n\s+at /);
    }
  });
}

test("an import() that leads nowhere fails when it runs, in start and in a build, which warns of it", async () => {
  const project = await buildableCopy({
    "routes/a.ts":
      '// @ts-nocheck\nexport async function get() {\n  const load = () => import("not-there");\n  try { return await load(); } catch (error) { return { code: error.code }; }\n}\n',
  });
  const { status, stderr } = await project.framework(["build"]);
  assert.is(status, 0, stderr);
  assert.match(stderr, /^warning FW707 [^\n]*`not-there`[^\n]*\n {2}routes\/a\.ts:3:29/);
  const built = await serve(project.folder, BUILT);
  const code = { code: "ERR_MODULE_NOT_FOUND" };
  assert.equal((await ask(built.url, "GET /a")).json, code);
  await built.stop();
  assert.equal(await askSource(project.folder), code);
});

/** Without a build, which would be served. */
async function askSource(folder: string): Promise<unknown> {
  await run(["rm", "-r", "dist"], { cwd: folder, env: isolatedEnvironment() });
  const server = await serve(folder, START);
  const { json } = await ask(server.url, "GET /a");
  await server.stop();
  return json;
}

test.run();
