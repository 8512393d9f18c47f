/** That the marks vanish: the type checker sees in a handler's signature what the handler is given, and nothing of ours. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

const root = fileURLToPath(new URL("../..", import.meta.url));

const HEAD = `
import { Body, Cookie, Credential, Form, From, Header, HttpError, Query, ApiKey, Basic, Bearer, type ValidationIssue } from "${root}runtime/index.ts";
import { Body as Same, Email, ExclusiveMax, ExclusiveMin, Max, Min, MinItems, MinLength, MultipleOf, Pattern, UniqueItems, int } from "${root}runtime/http.ts";
interface NewUser { name: string; age?: number }
type Theme = "dark" | "light";
interface Schema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => { readonly value: Output } | { readonly issues: readonly [] };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
declare const Given: Schema<{ born: string }, { born: Date }>;
type Json<T> = Body<T>;
declare class Connection { close(): void }
declare function plain(token: Bearer): NewUser;
declare function promised(id: int, request: Request): Promise<NewUser | undefined>;
declare function yielded(): Generator<Connection, void, unknown>;
declare function yieldedLater(user: From<typeof promised>): AsyncGenerator<Connection>;
declare function nothing(): void;
declare const never: () => Promise<never>;
declare function overloaded(id: int): number;
declare function overloaded(id: string): string;
const inferred = async (page: Query<int> = 1) => ({ page });
type User<F extends (...args: never[]) => unknown> = From<F>;
/** True for two types that are one. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<_Equal extends true>(): void {}
function post_index(user: Body<NewUser>, page: Query<int & Min<1>> = 1, tag?: Header<string[]>): string { return user.name + page + tag; }
`;

const equals = (types: readonly (readonly [string, string])[]): readonly string[] =>
  types.map(([one, other]) => `same<Equal<${one}, ${other}>>();`);

/** What the editor shows of a type. */
const SHOWN: readonly (readonly [type: string, text: string])[] = [
  ["Body<NewUser>", "NewUser"],
  ["Header<string & MinLength<1>>", "string"],
  ["Query<int & Min<1>>", "number"],
  ["Query<string[]>", "string[]"],
  ["{ name: string & MinLength<1> }", "{ name: string; }"],
  ["Body<typeof Given>", "{ born: Date; }"],
  ["Bearer", "string"],
];

const STATEMENTS = {
  inner: equals([
    ["Body<NewUser>", "NewUser"],
    ["Same<NewUser>", "NewUser"],
    ["Json<NewUser>", "NewUser"],
    ["Form<{ title: string; image: File }>", "{ title: string; image: File }"],
    ["Query<int>", "number"],
    ["Query<string[]>", "string[]"],
    ["Query<boolean>", "boolean"],
    ["Cookie<Theme>", "Theme"],
    ["Body<NewUser | undefined>", "NewUser | undefined"],
    ["Body<unknown>", "unknown"],
    ["Body<Record<string, number>>", "Record<string, number>"],
    ["Body<typeof Given>", "{ born: Date }"],
    ["Json<typeof Given>", "{ born: Date }"],
    ["Body<typeof Given | undefined>", "{ born: Date } | undefined"],
    ["Bearer", "string"],
    ["Basic['username']", "string"],
    ['ApiKey<"x-key">', "string"],
    ['ApiKey<"session", "cookie">', "string"],
    ['Credential<"Token">', "string"],
    ['HttpError["body"]["issues"]', "readonly ValidationIssue[] | undefined"],
    ['HttpError["body"]["error"]', "string | undefined"],
    ['ValidationIssue["pointer"]', "string"],
    ['HttpError["credential"]', '"missing" | "malformed" | "wrong_scheme" | undefined'],
    ["string & MinLength<1>", "string"],
    ["string & Email & Pattern<'^a'>", "string"],
    ["int & Min<0> & Max<9> & MultipleOf<2>", "number"],
    ["number & ExclusiveMin<0> & ExclusiveMax<9>", "number"],
    ["string[] & MinItems<1> & UniqueItems", "string[]"],
  ]),
  provided: equals([
    ["From<typeof plain>", "NewUser"],
    ["From<typeof promised>", "NewUser | undefined"],
    ["From<typeof yielded>", "Connection"],
    ["From<typeof yieldedLater>", "Connection"],
    ["From<typeof nothing>", "void"],
    ["From<typeof never>", "never"],
    ["From<typeof inferred>", "{ page: number }"],
    ["From<typeof overloaded>", "string"],
    ["User<typeof plain>", "NewUser"],
  ]),
  wrongProvider: [
    "((value: From<typeof plain>): never => value);",
    "type NoFunction = From<typeof Given>;",
    "function get_x(plain: From<typeof plain>): void { void plain; }",
  ],
  shown: SHOWN.map(([type]) => `((value: ${type}): never => value);`),
  called: [
    'post_index({ name: "Ada" });',
    'post_index({ name: "Ada", age: 36 }, 2, ["a"]);',
    "post_index({});",
    "post_index({ name: 5 });",
    'post_index({ name: "Ada" }, "2");',
    "type NoNumber = MinLength<'a'>;",
  ],
};

/** What tsc reports about all the statements, by their lines in the file: what it calls the types. */
const reported = check(Object.values(STATEMENTS).flat());

function check(statements: readonly string[]): ReadonlyMap<number, string> {
  const folder = mkdtempSync(join(tmpdir(), "marks-"));
  const file = join(folder, "statements.mts");
  const head = HEAD.replaceAll("\n", " ").replaceAll("/** True for two types that are one. */", "");
  writeFileSync(file, `${head}\n${statements.join("\n")}\n`);
  const project = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noUnusedLocals: false,
      rewriteRelativeImportExtensions: false,
      declaration: false,
      isolatedDeclarations: false,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: [file],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const found = stdout.matchAll(/\((\d+),\d+\): error TS\d+: (.*)$/gm);
  return new Map([...found].map(([, line, message = ""]) => [Number(line) - 2, message]));
}

/** As in `2: Type …`, for the second of the statements of a group. */
function reportedOf(group: keyof typeof STATEMENTS): readonly string[] {
  const groups = Object.keys(STATEMENTS);
  const before = Object.values(STATEMENTS).slice(0, groups.indexOf(group)).flat().length;
  return STATEMENTS[group].flatMap((_, index) => {
    const message = reported.get(before + index);
    return message === undefined ? [] : [`${index + 1}: ${message}`];
  });
}

test("a mark is the type in it, and of a Standard Schema the output", () => {
  assert.equal(reportedOf("inner"), []);
});

test("`From` is what the provider returns, awaited, and of a generator what it yields", () => {
  assert.equal(reportedOf("provided"), []);
  assert.equal(
    reportedOf("wrongProvider").map((line) => line.slice(0, 55)),
    [
      "1: Type 'NewUser' is not assignable to type 'never'.",
      "2: Type 'Schema<{ born: string; }, { born: Date; }>' do",
      "3: 'plain' is referenced directly or indirectly in its ",
    ],
  );
});

test("what the editor shows is the type in it, by its name", () => {
  assert.equal(
    reportedOf("shown"),
    SHOWN.map(([, text], index) => `${index + 1}: Type '${text}' is not assignable to type 'never'.`),
  );
});

test("a handler is called with plain values, and a missing or wrong field is an error", () => {
  assert.equal(reportedOf("called"), [
    "3: Property 'name' is missing in type '{}' but required in type 'NewUser'.",
    "4: Type 'number' is not assignable to type 'string'.",
    "5: Argument of type 'string' is not assignable to parameter of type 'number'.",
    "6: Type 'string' does not satisfy the constraint 'number'.",
  ]);
});

test("each mark is a value, too, because type stripping keeps an import without the word `type`", async () => {
  const marks: Readonly<Record<string, unknown>> = await import("./marks.ts");
  for (const [name, value] of Object.entries(marks)) assert.is(value, name);
});

test.run();
