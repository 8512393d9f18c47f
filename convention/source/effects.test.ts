// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are modules.

/** Which modules only declare, so that they may be loaded at any time. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseModule } from "./reader.ts";

const DECLARING: readonly string[] = [
  "",
  "// nothing\n'use strict';",
  "export function get() { start(); }",
  "export default function () { start(); }",
  "export const get = async () => { await start(); };",
  "export interface A { b: string }\nexport type B = A;\ndeclare const c: A;",
  "import { a } from './a.ts';\nimport type { B } from './b.ts';\nexport { a };\nexport * from './c.ts';\nexport type * from './d.ts';",
  "const items = new Map<number, { id: number }>([[1, { id: 1 }]]);",
  "export const a = 1, b = -a, c = `${a}`, d = [a, ...[b]], e = { a, b: { c }, ...d }, f = a ? b : c ?? d, g = /x/u;",
  "export const ROLES = ['admin'] as const satisfies string[];\nconst first = ROLES[0]!.length;",
  "const { a, b: [c = 1], ...rest } = { a: 1, b: [] };",
  "const limit = Number('10'), most = Number.MAX_SAFE_INTEGER, none = undefined, here = import.meta.url;",
  "const key = Symbol('key'), data = Buffer.from('a'), home = new URL('/a', import.meta.url);",
  "const words = 'a b'.split(' '), names = Object.keys({ a: 1 }), set = new Set(words);",
  "import { user } from './user.ts';\nexport const table = { user }, all = [user], again = user, text = `${user}`;",
  "import { Base } from './base.ts';\nexport class Item extends Base {}",
  "import { fileURLToPath } from 'node:url';\nconst here = fileURLToPath(import.meta.url);",
  "import { AsyncLocalStorage } from 'node:async_hooks';\nexport const current = new AsyncLocalStorage();",
  "import { z } from 'zod';\nimport { name } from './name.ts';\nexport const item = z.object({ name }).refine((one) => check(one));",
  "export class Items extends Map { static most = 3; #all = start(); all = start(); add() { start(); } get one() { return start(); } }",
  "export class Conflict extends Error { override name = 'Conflict'; }",
  "import { openDatabase } from 'framework/database';\nexport const db = openDatabase({ url: 'sqlite:a' });",
  "import { EventEmitter } from 'node:events';\nexport const bus = new EventEmitter();",
  "import { z } from 'zod';\nexport const item = z.object({ name: z.string().min(1) }).strict();",
  "const handlers = { get() { start(); }, post: () => start(), async put() {} };",
];

const ACTING: readonly string[] = [
  "start();",
  "bus.on('order', send);",
  "items.size = 3;",
  "if (a) b();",
  "for (const a of b) c(a);",
  "try { a(); } catch {}",
  "{ start(); }",
  "throw new Error('no');",
  "await ready;",
  "const ready = await open();",
  "export const ready = await open();",
  "export default start();",
  "const a = start();",
  "const a = [1, start()];",
  "const a = { b: { [start()]: 1 } };",
  "const a = `${start()}`;",
  "const a = (b = 1);",
  "let a = 0;\nconst b = a++;",
  "const stop = setInterval(() => {}, 1000);",
  "import { bus } from './bus.ts';\nconst off = bus.on('order', () => {});",
  "import pino from 'pino';\nexport const log = pino();",
  "import mongoose from 'mongoose';\nexport const User = mongoose.model('User', {});",
  "import './listeners.ts';",
  "import 'dotenv/config';",
  "import frameworks from 'frameworks';\nconst a = frameworks();",
  "import { sql } from './sql.ts';\nconst a = sql`select`;",
  "const Map = () => start();\nconst a = new Map();",
  "class A { static { start(); } }",
  "class A { static all = start(); }",
  "class A extends start() {}",
  "class A { [start()]() {} }",
  "const lazy = import('./a.ts');",
  "const a = delete b.c;",
  "const a = (() => start())();",
  "import { readFileSync } from 'node:fs';\nconst text = readFileSync('a', 'utf8');",
  "import { createServer } from 'node:http';\nconst server = createServer().listen(9001);",
  "import { resolve } from 'node:path';\nconst here = resolve('a');",
  "import { resolve as absolute } from 'node:path';\nconst here = absolute('a');",
  "import path from 'node:path';\nconst here = path.resolve('a');",
  "const { a = start() } = {};",
  "const names = ['a'].map((name) => start(name));",
  "const create = (name) => start(name);\nconst all = 'a b'.split(' ').map(create);",
  "const create = (name) => start(name);\nconst all = 'a'.replace('a', create);",
  "const all = Array.from([1], (one) => start(one));",
  "const all = Object.keys({ a: 1 }).map((one) => start(one));",
  "const all = JSON.parse('[]', (key, value) => start(value));",
  "const all = Object.assign(shared, { a: 1 });",
  "const limit = process.env.LIMIT ?? 10;",
  "const { LIMIT } = process.env;",
  "const mode = globalThis.mode ?? 'none';",
  "const started = Date.now();",
  "const now = new Date();",
  "const id = Math.random();",
  "import { plugins } from './plugins.ts';\nconst names = [...plugins];",
  "import { plugins } from './plugins.ts';\nconst names = new Set(plugins);",
  "import { plugins } from './plugins.ts';\nconst names = Object.keys(plugins);",
  "import { settings } from './settings.ts';\nconst limit = settings.limit;",
  "import { settings } from './settings.ts';\nconst { limit } = settings;",
  "import * as settings from './settings.ts';\nexport const limit = settings.limit;",
  "import { createApp } from 'framework';\nconst app = createApp();",
  "import { z } from 'zod';\nconst before = z.setErrorMap(map);",
  "import { z } from 'zod';\nconst list = z.array(items.shape);",
  "const text = String.raw`a`;",
];

for (const text of DECLARING) {
  test(`a module only declares: ${JSON.stringify(text)}`, () => {
    assert.is(parseModule(text, "a.ts").hasEffects, false);
  });
}

for (const text of ACTING) {
  test(`a module acts: ${JSON.stringify(text)}`, () => {
    assert.is(parseModule(text, "a.ts").hasEffects, true);
  });
}

test.run();
