import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readBody } from "./bodies.ts";
import type { SourceModule } from "./module.ts";
import { packModule, unpackModule } from "./packed-module.ts";
import { parseModule } from "./reader.ts";
import { sourceOf } from "./syntax.ts";
import { readThing } from "./things.ts";

const file = "apps/shop/views.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "nothing at all": "",
  "handlers with types, defaults and a wide text":
    'import { HttpError, type int } from "framework";\nexport function get_item(id: int, ö = "❤") { if (id > 1) throw new HttpError(404, "Ü"); }\nexport const post_item = async (id: int): Promise<{ id: int }> => ({ id });\n',
  overloads:
    "export function get_a(x: string): 1;\nexport function get_a(x: number): 2;\nexport function get_a(x: any): any { return check(x); }\n",
  "classes and enums":
    "export class User { id = 1; toJSON(): { a: string } { return { a: '' }; } }\nexport enum Role { Admin = 'a', Guest = 'g' }\n",
  "interfaces that merge, aliases and generics": `interface A<T> { a: T }\ninterface A<T> { b?: T[] }\nexport type B = A<1> & { readonly c: \`x\${string}\` };\n`,
  constants:
    "export const ROLES = ['a', 'b'] as const;\nexport const limits = { most: 1n, least: -1, on: true };\n",
  "re-exports":
    "export * from './more.ts';\nexport { a as get_a, type B } from '#lib/b.ts';\nexport default function () {}\n",
  "statements, calls and comments":
    "// one\ntest('a', () => {});\nexport const x = load(); /* two */\ntest.run();\n",
  "what can't be erased": "namespace N { export const a = 1; }\nexport enum E { A }\n",
};

for (const [what, text] of Object.entries(TEXTS))
  test(`${what}: unpacked, it is what parsing gives`, () => compare(text, file));

test("of our own sources, too", () => {
  const folder = new URL(".", import.meta.url);
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".ts")))
    compare(readFileSync(new URL(name, folder), "utf8"), name);
});

function compare(text: string, name: string): void {
  const parsed = parseModule(text, name);
  const unpacked = unpackModule(packModule(parsed), { text, file: name });
  assert.equal(facts(unpacked), facts(parsed));
  assert.equal(sourceOf(unpacked), { text, file: name });
}

/** All that a module tells, and all that is told of what is in it. */
function facts(module: SourceModule): object {
  const { typeOfConstant, typeOfValue, ...data } = module;
  const names = [...module.values.keys()];
  return {
    ...data,
    constants: names.map(typeOfConstant),
    initial: names.map(typeOfValue),
    bodies: [...module.values.values()].map((value) => value.kind === "function" && readBody(value)),
    things: [...module.types.values()].map((one) => readThing(one, [])),
  };
}

test.run();
