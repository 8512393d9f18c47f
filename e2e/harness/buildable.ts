/** What a built server holds, to be added to a created project: its routes answer alike when they are served from source. */

export type Files = Readonly<Record<string, string>>;

/** A package with a part that Node can load, and that can't be in a file of JavaScript. */
export const NATIVE: Files = {
  "node_modules/fast/package.json": '{ "name": "fast", "main": "index.js" }',
  "node_modules/fast/index.js": 'module.exports = require("./build/fast.node");\n',
  "node_modules/fast/build/fast.node": "compiled",
};

export interface Held {
  readonly what: string;
  readonly files: Files;
  /** What each path answers. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The warnings of a build, each with its place. */
  readonly warnings?: readonly string[];
}

export const HELD: readonly Held[] = [
  {
    what: "packages of both kinds, one of which requires what is not there",
    files: {
      "node_modules/common/package.json": '{ "name": "common", "main": "main.js" }',
      "node_modules/common/main.js":
        'const { join } = require("path");\nexports.place = join("x", { __dirname: "y" }.__dirname, typeof __filename);\ntry { require("not-there"); } catch { exports.isAlone = true; }\n',
      "node_modules/modern/package.json": '{ "name": "modern", "type": "module", "exports": "./index.js" }',
      "node_modules/modern/index.js": 'export { place, isAlone } from "common";\n',
      "routes/dependency.ts":
        '// @ts-nocheck\nimport { isAlone, place } from "modern";\nexport const get = () => ({ isAlone, place: typeof place });\n',
    },
    answers: { "/dependency": { isAlone: true, place: "string" } },
  },
  {
    what: "JSON with its attribute",
    files: {
      "data/words.json": '{ "word": "from JSON" }',
      "routes/json.ts":
        'import words from "#data/words.json" with { type: "json" };\nexport { default as again } from "../data/words.json" with { type: "json" };\nexport const get = async () => [words.word, (await import("../data/words.json", { with: { type: "json" } })).default.word];\n',
    },
    answers: { "/json": ["from JSON", "from JSON"] },
  },
  {
    what: "a module that is loaded late",
    files: {
      "routes/_late.ts": 'export const word = "late";\n',
      "routes/lazy.ts": 'export const get = async () => ({ word: (await import("./_late.ts")).word });\n',
    },
    answers: { "/lazy": { word: "late" } },
  },
  {
    what: "an optional import, in try and with catch()",
    files: {
      "lib/optional.ts": '// @ts-nocheck\nimport { parse } from "not-there";\nexport const word = parse();\n',
      "routes/optional.ts": `// @ts-nocheck
let found = "no";
let word = "none";
try { await import("not-there"); found = "yes"; } catch { found = "caught"; }
try { word = (await import("../lib/optional.ts")).word; } catch {}
const late = await import("../lib/not-there.ts").catch((error) => error.code);
const other = await import("not-there").then(() => "yes", () => "told");
export const get = () => ({ found, late, other, word });
`,
    },
    answers: {
      "/optional": { found: "caught", late: "ERR_MODULE_NOT_FOUND", other: "told", word: "none" },
    },
  },
  {
    what: "an import() that leads nowhere, which fails when it runs",
    files: {
      "routes/nowhere.ts":
        '// @ts-nocheck\nexport async function get() {\n  const load = () => import("not-there");\n  try { return await load(); } catch (error) { return { code: error.code }; }\n}\n',
    },
    answers: { "/nowhere": { code: "ERR_MODULE_NOT_FOUND" } },
    warnings: ["FW707 routes/nowhere.ts:3:29"],
  },
  {
    what: "a native part behind try, which is left out, so that the fallback is taken",
    files: {
      ...NATIVE,
      "node_modules/mask/package.json": '{ "name": "mask", "main": "index.js" }',
      "node_modules/mask/index.js":
        'try { exports.way = require("fast"); } catch (error) { exports.way = "plain"; }\n',
      "routes/mask.ts":
        '\n// @ts-nocheck\nimport mask from "mask";\nexport const get = () => ({ way: mask.way });\n',
    },
    answers: { "/mask": { way: "plain" } },
    warnings: ["FW706 routes/mask.ts:3:18"],
  },
  {
    what: "a CommonJS file of TypeScript, and modules that ask for their own place",
    files: {
      "lib/old.cts":
        "const word: string = require('node:path').basename('lib/old');\nmodule.exports = { word, place: __dirname };\n",
      "routes/old.ts":
        '// @ts-nocheck\nimport old from "../lib/old.cts";\nexport const get = () => ({ word: old.word, place: typeof old.place });\n',
      "routes/place.ts":
        'export const get = () => ({ url: typeof import.meta.url, note: "import.meta.url" });\n',
    },
    answers: {
      "/old": { word: "old", place: "string" },
      "/place": { url: "string", note: "import.meta.url" },
    },
    warnings: ["FW704 lib/old.cts:2:33", "FW704 routes/place.ts:1:41"],
  },
  {
    what: "packages that read files beside themselves, each at the line that imports it, and none whose code is not used",
    files: {
      "node_modules/views/package.json": '{ "name": "views", "main": "index.js" }',
      "node_modules/views/index.js": `const { readFileSync } = require("fs");
exports.read = (name) => readFileSync(__dirname + "/" + name);
exports.again = (name) => readFileSync(__filename + name);
`,
      "node_modules/placed/package.json": '{ "name": "placed", "type": "module", "exports": "./index.js" }',
      "node_modules/placed/index.js":
        'import views from "views";\nexport const place = () => views && import.meta.url;\n',
      "node_modules/unused/package.json": '{ "name": "unused", "type": "module", "exports": "./index.js" }',
      "node_modules/unused/index.js": "export const place = () => import.meta.url;\nexport const word = 1;\n",
      "routes/placed.ts":
        '// @ts-nocheck\nimport * as placed from "placed";\nimport { word } from "unused";\nexport const get = () => [typeof placed.place, word];\n',
    },
    answers: { "/placed": ["function", 1] },
    warnings: ["FW704 routes/placed.ts:2:25", "FW704 routes/placed.ts:2:25"],
  },
  {
    what: "a package with exports for bundlers, which Node does not look at",
    files: {
      "node_modules/both/package.json":
        '{ "name": "both", "exports": { "module": "./module.mjs", "node": "./node.mjs", "default": "./default.mjs" } }',
      "node_modules/both/module.mjs": 'export default "module";\n',
      "node_modules/both/node.mjs": 'export default "node";\n',
      "node_modules/both/default.mjs": 'export default "default";\n',
      "routes/both.ts": '// @ts-nocheck\nimport both from "both";\nexport const get = () => ({ both });\n',
    },
    answers: { "/both": { both: "node" } },
  },
  {
    what: "imports for their effect, and one that only types are used of, in a project with sideEffects: false",
    files: {
      "lib/effect.ts": "(globalThis as any).effects = ['effect'];\n",
      "lib/typed.ts":
        "(globalThis as any).effects.push('typed');\nexport type Word = string;\nexport const word = 1;\n",
      "vendor/framework/own.js": "globalThis.effects.push('own');\n",
      "routes/effects.ts":
        'import "../lib/effect.ts";\nimport { word } from "../lib/typed.ts";\nimport "../vendor/framework/own.js";\nexport const get = () => (globalThis as any).effects;\n',
    },
    answers: { "/effects": ["effect", "typed", "own"] },
  },
  {
    what: "two classes of one name, and names with a dollar sign",
    files: {
      "lib/item.ts": "export class Item {}\n",
      "routes/named.ts":
        'import { Item as Other } from "../lib/item.ts";\nclass Item {}\nexport const get = () => [new Item(), new Other()].map((item) => item.constructor.name);\n',
      "apps/users/views.ts": `import type { int } from "framework";
export const get_$id_$name$ = (id: int, name$: string) => ({ id, name$ });
export function get_by_id(user_id: int) { return { user: { id: user_id, name: 'Ada' } }; }
export function get_by_username(username: string) { return { user: { username } }; }
`,
    },
    answers: { "/named": ["Item", "Item"], "/users/7/ada": { id: 7, name$: "ada" } },
  },
  {
    what: "a file of the project that is called like one of ours, and the check of health",
    files: {
      "framework.toml": 'apps = ["products", "users"]\n[server]\nhealth = "/healthz"\n',
      "routes/own.ts": 'export { get } from "../toolchain/load.js";\n',
      "toolchain/load.js": 'export const get = () => ["its own"];\n',
    },
    answers: { "/own": ["its own"], "/healthz": { status: "ok" } },
  },
  {
    what: "a guard that two folders export",
    files: {
      "lib/guard.ts": 'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n',
      "routes/guarded/_hooks.ts": 'export { guard } from "#lib/guard.ts";\n',
      "routes/guarded/admin/_hooks.ts": 'export { guard } from "#lib/guard.ts";\nexport const limit = 5;\n',
      "routes/guarded/admin/x.ts": "export const get = () => 1;\n",
    },
    answers: { "/guarded/admin/x": { error: "A bearer token is missing." } },
  },
  {
    what: "packages that are left out by name, where that is asked for",
    files: {
      "node_modules/kept/package.json": '{ "name": "kept", "version": "1.2.3", "main": "index.js" }',
      "node_modules/kept/index.js": 'exports.word = "from outside";\n',
      "node_modules/@also/kept/package.json": '{ "name": "other", "version": "2.0.0", "main": "index.js" }',
      "node_modules/@also/kept/index.js": 'exports.word = "from far outside";\n',
      "node_modules/last/package.json": '{ "name": "last", "version": "3.0.0", "main": "index.js" }',
      "node_modules/last/index.js": "",
      "routes/kept.ts":
        '// @ts-nocheck\nimport { word } from "kept";\nimport * as also from "@also/kept";\nexport const get = () => [word, also.word];\n',
    },
    answers: { "/kept": ["from outside", "from far outside"] },
  },
];

/** A line of the project that is refused, with the code and what is said. */
export type Refused = readonly [place: string, files: Files, says: RegExp];

/** What one file can't hold. All of it is refused at once. */
export const REFUSED: readonly Refused[] = [
  [
    "routes/native.ts:2:18",
    { ...NATIVE, "routes/native.ts": '\nimport fast from "fast";\nexport const get = () => fast;\n' },
    /FW701 `fast` has a native part \(node_modules\/fast\/build\/fast\.node\)[\s\S]*external = \["fast"\]/,
  ],
  [
    "apps/users/store.ts:1:16",
    {
      "node_modules/quick/package.json": '{ "name": "quick", "main": "index.js" }',
      "node_modules/quick/index.js": 'module.exports = require("./quick.node");\n',
      "node_modules/quick/quick.node": "",
      "node_modules/@scope/db/package.json": '{ "name": "@scope/db", "main": "index.js" }',
      "node_modules/@scope/db/index.js": 'module.exports = require("quick");\n',
      "apps/users/store.ts": 'import db from "@scope/db";\nexport const store = db;\n',
      "routes/store.ts": 'import { store } from "../apps/users/store.ts";\nexport const get = () => store;\n',
    },
    /FW701 `quick`/,
  ],
  [
    "routes/sqlite.ts:1:20",
    {
      "node_modules/bindings/package.json": '{ "name": "bindings", "main": "bindings.js" }',
      "node_modules/bindings/bindings.js": "module.exports = (name) => require(name);\n",
      "node_modules/sqlite/package.json":
        '{ "name": "sqlite", "main": "index.js", "dependencies": { "bindings": "1.5.0" } }',
      "node_modules/sqlite/index.js": 'module.exports = require("bindings")("sqlite.node");\n',
      "routes/sqlite.ts": 'import sqlite from "sqlite";\nexport const get = () => sqlite;\n',
    },
    /FW701 `sqlite` has a native part \(bindings\)/,
  ],
  [
    "routes/text.ts:1:18",
    {
      "routes/_a.sql": "select 1",
      "routes/text.ts": 'import text from "./_a.sql";\nexport const get = () => text;\n',
    },
    /FW702 routes\/_a\.sql/,
  ],
  [
    "routes/late-text.ts:2:33",
    {
      "routes/_b.sql": "select 1",
      "routes/late-text.ts": '// @ts-nocheck\nexport const get = () => import("./_b.sql");\n',
    },
    /FW702 routes\/_b\.sql/,
  ],
  [
    "routes/pg.ts:1:16",
    { "routes/pg.ts": 'import pg from "pg";\nexport const get = () => pg;\n' },
    /FW703 `pg` can't be found[\s\S]*npm install/,
  ],
  [
    "lib/all.ts:1:15",
    {
      "lib/sizes.ts": "export const sizes = [1];\n",
      "lib/all.ts": 'export * from "./sizes";\n',
      "routes/all.ts": 'import { sizes } from "../lib/all.ts";\nexport const get = () => sizes;\n',
    },
    /FW703 `\.\/sizes` can't be found\.[\s\S]*hint: Correct the path\. It has to name a file with its ending/,
  ],
  [
    "routes/alias.ts:1:23",
    { "routes/alias.ts": 'import { sizes } from "#lib/none.ts";\nexport const get = () => sizes;\n' },
    /FW703 `#lib\/none\.ts` can't be found\.[\s\S]*hint: Correct the path/,
  ],
  [
    "lib/db.ts:1:18",
    {
      "lib/db.ts": 'import nope from "node:nope";\nexport const db = nope;\n',
      "routes/a.ts": 'import { db } from "#lib/db.ts";\nexport const get = () => db;\n',
      "routes/b.ts": 'import { db } from "#lib/db.ts";\nexport const get = () => db;\n',
    },
    /FW703 `node:nope` can't be found\.\n(?:(?!`node:nope`)[\s\S])*$/,
  ],
  [
    "framework.toml:3:13",
    { "framework.toml": 'apps = ["products", "users"]\n[build]\nexternal = ["rolldwon"]\n' },
    /FW703 `rolldwon` can't be found[\s\S]*Correct the name/,
  ],
  [
    "lib/decorated.ts:2:1",
    {
      "lib/decorated.ts": "const once = (it: unknown): unknown => it;\n@once\nexport class Size {}\n",
      "routes/decorated.ts":
        'import { Size } from "../lib/decorated.ts";\nexport const get = () => typeof Size;\n',
    },
    /FW318 This is a decorator/,
  ],
  [
    "lib/size.ts:2:8",
    {
      "lib/size.ts": "\nexport enum Size { Small }\n",
      "routes/size.ts": 'import { Size } from "../lib/size.ts";\nexport const get = () => Size.Small;\n',
    },
    /FW318 This is an enum[\s\S]*hint: Write an object with `as const`/,
  ],
];

/** Packages that npm publishes, in short: the first four find a native part only when they run, and are refused. */
export const LOADERS: Files = {
  // better-sqlite3 13
  "node_modules/by-path/package.json":
    '{ "name": "by-path", "main": "index.js", "dependencies": { "node-addon-api": "8.0.0" } }',
  "node_modules/by-path/index.js":
    'const file = require("path").join(__dirname, "prebuilds", process.platform + ".node");\nmodule.exports = () => require(file);\n',
  // @node-rs/argon2, and all that napi-rs makes
  "node_modules/by-trying/package.json":
    '{ "name": "by-trying", "type": "module", "exports": "./index.js", "napi": { "binaryName": "part" } }',
  "node_modules/by-trying/index.js":
    'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nlet part;\ntry {\n  part = require("./part.node");\n} catch {}\n' +
    'if (!part) throw new Error("No part for this machine");\nexport default part;\n',
  // sharp, libsql, esbuild
  "node_modules/by-package/package.json":
    '{ "name": "by-package", "main": "index.js", "optionalDependencies": { "@by/linux-x64-gnu": "1.0.0" } }',
  "node_modules/by-package/index.js":
    'module.exports = require("@by/" + process.platform + "-" + process.arch + "-gnu");\n',
  // canvas, before its install script has run
  "node_modules/not-compiled/package.json": '{ "name": "not-compiled", "main": "index.js" }',
  "node_modules/not-compiled/index.js": 'module.exports = require("./build/Release/part.node");\n',
  // bufferutil
  "node_modules/does-without/package.json": '{ "name": "does-without", "main": "index.js" }',
  "node_modules/does-without/index.js":
    'exports.place = __dirname;\ntry { exports.part = require("./build/Release/part.node"); } catch {}\n',
  "node_modules/knows-endings/package.json": '{ "name": "knows-endings", "main": "index.js" }',
  "node_modules/knows-endings/index.js":
    'exports.endings = [".js", ".json", ".node"];\nexports.load = (name) => require(name);\n',
};
