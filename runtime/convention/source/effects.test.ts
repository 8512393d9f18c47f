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
  "const limit = Number(process.env.LIMIT ?? 10), started = Date.now(), here = import.meta.url;",
  "const key = Symbol('key'), data = Buffer.from('a'), home = new URL('/a', import.meta.url);",
  "export class Items extends Map { static most = 3; #all = start(); all = start(); add() { start(); } get one() { return start(); } }",
  "export class Conflict extends Error { override name = 'Conflict'; }",
  "import { openDatabase } from 'framework/database';\nexport const db = openDatabase({ url: 'sqlite:a' });",
  "import { EventEmitter } from 'node:events';\nexport const bus = new EventEmitter();",
  "import { readFileSync } from 'node:fs';\nconst text = readFileSync('a', 'utf8').trim().split('\\n');",
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
