import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import type { RouteMethod, Segment } from "#runtime/routing/route";
import { applyChanges } from "../changes/changes.ts";
import { nameBody } from "../code/body-names.ts";
import { formatFieldType } from "../code/fields.ts";
import { PLAINLY } from "../edit/code.ts";
import type { Plan } from "../plan.ts";
import { accept, plan, refusal } from "../planned.fixture.ts";
import { orRefused, Refused } from "../refused.ts";
import { parseFields } from "./fields.ts";

const VIEWS = "apps/products/views.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["products"]\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  [VIEWS]: "export function get_all() {\n  return { products: [] };\n}\n",
};

const test = suite<{ root: string }>("what a generated handler takes");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

/** Each field as TypeScript has it. */
function format(place: "body" | "query", text: string): string {
  const fields = orRefused(() => parseFields(place, text));
  if (fields instanceof Refused) return `${fields.message} ${fields.diagnostics[0]?.hint}`;
  const texts = fields.map(({ name, type, optional }) => {
    return `${name}${optional ? "?" : ""}: ${formatFieldType(type, PLAINLY)}`;
  });
  return texts.join("; ");
}

const FIELDS: [text: string, fields: string][] = [
  ["name:string price:number", "name: string; price: number"],
  ["name", "name: string"],
  ["name?", "name?: string"],
  ["tags:string[]? ids:int[]", "tags?: string[]; ids: int[]"],
  ["tags?:string[]", "tags?: string[]"],
  ["on:boolean since:Date", "on: boolean; since: Date"],
  [`role:"admin"|"user"`, `role: "admin" | "user"`],
  [`role?: 'admin' | "it's"`, `role?: "admin" | "it's"`],
  ["stars:1|2|3|2", "stars: 1 | 2 | 3"],
  [`kind:"a, b|c: d"?`, `kind?: "a, b|c: d"`],
  ["name : string, price: number;", "name: string; price: number"],
  ["class:string $id_2:int naïve", "class: string; $id_2: int; naïve: string"],
];

for (const [text, fields] of FIELDS) {
  test(`${text}: is read as ${fields}`, () => assert.is(format("body", text), fields));
}

const BAD_FIELDS: [text: string, says: string][] = [
  [
    " ",
    '--body names no field. As in: --body \'name:string price:number tags:string[]? role:"admin"|"user"\'',
  ],
  [":int", "`:int` has no name. As in: --body"],
  ["price:float", "`float` is not a type that a field can have. Did you mean `price:number`?"],
  ["on:bool[]", "`bool[]` is not a type that a field can have. Did you mean `on:boolean[]`?"],
  ["price:nubmer", "Did you mean `price:number`?"],
  ["a:date", "Did you mean `a:Date`?"],
  ["a:string[][]", "Did you mean `a:string[]`?"],
  ["a:Map", "The types are string, number, int, boolean, Date, each also with []"],
  ["role:admin|user", '\'role:"one"|"two"\', with both kinds of quotes.'],
  ['role:"admin"|user', '\'role:"one"|"two"\''],
  ["a:int b a", "`a` is given twice."],
  ["first-name:string", "`first-name` can't be the name of a field. Use letters, digits and `_`."],
  ["1d:int", "`1d` can't be the name of a field. Use letters, digits and `_`."],
  ["__proto__", "`__proto__` can't be the name of a field."],
];

for (const [text, says] of BAD_FIELDS) {
  test(`--body "${text}" is refused with the right form`, () => {
    const told = format("body", text);
    assert.match(told, "FW601 ");
    assert.ok(told.includes(says), told);
  });
}

test("a value of the query has a name that a parameter can have", () => {
  assert.match(format("query", "class"), /`class` is a reserved word.*Choose another name\.$/s);
  assert.match(
    format("query", "request"),
    /A value of the query can't be named `request`.*Choose another name\.$/s,
  );
  assert.match(format("query", "if-match"), /no handler could receive it/);
  assert.match(format("query", " "), "As in: --query 'q:string page:int?'");
});

const id = { name: "id", type: "int" } as const;
const NAMES: [method: RouteMethod, segments: readonly Segment[], name: string | undefined][] = [
  ["POST", ["products"], "NewProduct"],
  ["PUT", ["products", id], "ProductUpdate"],
  ["PATCH", ["products", "by", "id", id], "ProductPatch"],
  ["DELETE", ["shop", "feature-flags"], "FeatureFlagDeletion"],
  ["POST", ["products", id, "comments"], "NewComment"],
  ["POST", ["products", "new"], "NewProduct"],
  ["POST", ["categories"], "NewCategory"],
  ["POST", ["movies"], "NewMovie"],
  ["POST", ["status"], "NewStatus"],
  ["POST", ["news"], "NewNews"],
  ["POST", ["by", id], "NewBy"],
  ["POST", [id], "NewItem"],
  ["PUT", ["2024"], "Item2024Update"],
  ["GET", ["products"], undefined],
];

for (const [method, segments, name] of NAMES) {
  const path = segments.map((segment) => (typeof segment === "string" ? segment : "<id>")).join("/");
  test(`the body of ${method} /${path} is ${name === undefined ? "none" : `called ${name}`}`, () => {
    assert.is(nameBody(method, segments), name);
  });
}

/** @param line as `plan` reads it. */
function make(root: string, line: string, body: string, query = ""): Plan {
  const planned = accept(plan(root, `${line} --body ${body} --query ${query}`));
  assert.is(applyChanges(root, planned.changes), undefined);
  return planned;
}

const ALL = `name:string price:number? on:boolean ids:int[] since:Date? days:Date[] role:"admin"|"user" n:2|1`;

for (const line of [
  "handler POST /products/",
  "handler PATCH /products/by/id/<id:int>",
  "handler DELETE /products/<slug>",
  "route reviews GET POST PUT",
]) {
  test(`${line}: with a body and query of each type is made without an error, and is there when asked again`, ({
    root,
  }) => {
    const query = ALL.replace(/(^| )/g, "$1q_");
    const made = make(root, line, ALL, query);
    assert.equal(readProject(root).diagnostics, []);
    const again = make(root, line, ALL, query);
    assert.equal([again.changes.length, again.present.length], [0, made.made.length]);
    const shuffled = ALL.split(" ").toReversed().join(" ").replace("2|1", "1|2");
    assert.is(make(root, line, shuffled).present.length, made.made.length);
    assert.is(make(root, line, "").present.length, made.made.length);
  });
}

test("a handler that takes something else is another handler, and both signatures are shown", ({ root }) => {
  make(root, "handler POST /products/", "name:string");
  for (const [body, query] of [
    ["name:string?", ""],
    ["name:string price:int", ""],
    ["", "page:int"],
  ] as const)
    assert.match(refusal(plan(root, `handler POST /products/ --body ${body} --query ${query}`)), "FW608");
  const other = refusal(plan(root, "handler POST /products/ --body name:int? --query page:int"));
  assert.match(other, "signature: (body: NewProduct)");
  assert.match(other, "(body: { name?: int }, page: int)");
});

test("a type that says the same in other words, or more of a value, is the same", ({ root }) => {
  writeFiles(root, {
    [VIEWS]: `import type { Body, MinLength } from "framework";

type Name = string & MinLength<1>;
interface Named {
  name: Name;
}
interface Own extends Named {
  role?: Role;
}
type Role = "b" | "a";

export function post_index(own: Body<Own>) {
  return [{ own }, 201];
}
`,
  });
  assert.is(make(root, "handler POST /products/", `name:string role:"a"|"b"?`).present.length, 1);
});

test("an interface does not take a name that the file has", ({ root }) => {
  const own = `${SAMPLE[VIEWS]}\nexport type NewProduct = string;\nclass NewProduct2 {}\n`;
  writeFiles(root, { [VIEWS]: own });
  make(root, "handler POST /products/", "name:string");
  const text = readFileSync(join(root, VIEWS), "utf8");
  assert.match(text, "interface NewProduct3 {\n  name: string;\n}\n");
  assert.match(text, "export function post_index(body: Body<NewProduct3>) {");
});

test("a body is refused for a method without one, and a param's name for the query", ({ root }) => {
  for (const line of [
    "handler GET /products/x --body name",
    "route x GET OPTIONS --body name",
    "handler GET /products/<id:int> --query id",
  ])
    assert.match(refusal(plan(root, line)), "FW601", line);
});

test.run();
