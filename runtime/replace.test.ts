import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "./app.ts";
import { Replacement, replace } from "./replace.ts";
import { bindServed, type CalledProvider, type Served, take } from "./served.fixture.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { FunctionInputs } from "./wire/inputs.ts";

interface User {
  readonly name: string;
}

const called: string[] = [];
test.before.each(() => {
  called.length = 0;
});

function database(): { readonly url: string } {
  called.push("database");
  return { url: "real" };
}

async function currentUser(_token: string, _db: { readonly url: string }): Promise<User> {
  called.push("currentUser");
  return { name: "real" };
}

function guard(_user: User, key: string): void {
  called.push(`guard ${key}`);
}

async function* transaction(_db: { readonly url: string }): AsyncGenerator<number, void> {
  called.push("transaction");
  yield 1;
}

function page(value: string): string {
  return value;
}

const readUser: FunctionInputs["read"] = (reader) => [reader.credential("bearer"), reader.results[0]];
const readGuard: FunctionInputs["read"] = (reader) => [reader.results[1], reader.raw("query", "key")];
const readPage: FunctionInputs["read"] = (reader) => {
  const value = reader.raw("query", "page");
  return value === undefined ? undefined : [value];
};

const CALLS: readonly CalledProvider[] = [
  { run: database, isEarly: true },
  { run: currentUser, isEarly: true, needs: [0], takes: [take("bearer")], read: readUser },
  { run: guard, kind: "guard", needs: [1], takes: [take("query", { key: "key" })], read: readGuard },
  { run: transaction, needs: [0] },
  { run: page, takes: [take("query", { key: "page" })], read: readPage },
];

const served: Served = { calls: CALLS, needs: [1, 3, 4], handler: (...args: unknown[]) => ({ args }) };
const WITH_TOKEN = { headers: { authorization: "Bearer a" } };

async function ask(replacements: readonly Replacement[], path = "/", init = {}): Promise<[number, unknown]> {
  const routes = bindServed(served);
  const replaced = replacements[0]?.["~apply"](routes, replacements) ?? routes;
  const app = createCoreApp(replaced, { settings: DEFAULT_SETTINGS, log: { info() {}, error() {} } });
  const response = await app.fetch(path, init);
  return [response.status, await response.json()];
}

const ada: User = { name: "Ada" };
const asAda = (): Replacement => replace(currentUser).with(() => ada);
const unguarded = (): Replacement => replace(guard).with(() => {});

const SUBSTITUTES: readonly [what: string, replacement: () => Replacement, resumed: readonly string[]][] = [
  ["returns", asAda, []],
  ["returns a promise", () => replace(currentUser).with(async () => ada), []],
  [
    "yields",
    () =>
      replace(currentUser).with(function* () {
        yield ada;
        called.push("resumed");
      }),
    ["resumed"],
  ],
  [
    "yields later",
    () =>
      replace(currentUser).with(async function* () {
        yield ada;
        called.push("resumed");
      }),
    ["resumed"],
  ],
];

for (const [what, replacement, resumed] of SUBSTITUTES) {
  test(`a substitute that ${what} gives the provider's value, and its credential is not asked for`, async () => {
    assert.equal(await ask([replacement()], "/?key=k&page=2"), [200, { args: [ada, 1, "2"] }]);
    // The transaction still needs the database.
    assert.equal(called, ["database", "guard k", "transaction", ...resumed]);
  });
}

test("a substitute is called without arguments, once a request", async () => {
  const given: unknown[][] = [];
  const substitute = (...args: unknown[]): User => {
    given.push(args);
    return ada;
  };
  await ask([replace(currentUser).with(substitute)], "/?key=k&page=2");
  assert.equal(given, [[]]);
});

test("a provider that nobody needs any more is not called, and several replacements work together", async () => {
  const both = [asAda(), replace(transaction).with(() => 2)];
  assert.equal(await ask(both, "/?key=k&page=2"), [200, { args: [ada, 2, "2"] }]);
  assert.equal(called, ["guard k"]);
  // What is needed by nobody can be replaced as well.
  const all = [...both, replace(database).with(() => ({ url: "test" }))];
  assert.equal(await ask(all, "/?key=k&page=2"), [200, { args: [ada, 2, "2"] }]);
});

test("a replaced guard takes nothing, and what the handler needs is still called", async () => {
  const answer = [200, { args: [{ name: "real" }, 1, "2"] }];
  assert.equal(await ask([unguarded()], "/?page=2", WITH_TOKEN), answer);
  assert.equal(called, ["database", "currentUser", "transaction"]);
  assert.is((await ask([unguarded()], "/?page=2"))[0], 401);
});

test("the issues of a 422 are not those of what is replaced", async () => {
  const [status, body] = await ask([unguarded()], "/", WITH_TOKEN);
  const { issues } = body as { issues: readonly { pointer: string }[] };
  assert.equal([status, issues.map(({ pointer }) => pointer)], [422, ["/page"]]);
  const all = [unguarded(), replace(page).with(() => "7"), asAda()];
  assert.equal(await ask(all), [200, { args: [ada, 1, "7"] }]);
});

test("the routes of the project stay as they are", async () => {
  const routes = bindServed(served);
  const replacement = asAda();
  replacement["~apply"](routes, [replacement]);
  const app = createCoreApp(routes, { settings: DEFAULT_SETTINGS });
  assert.is((await app.fetch("/?key=k&page=2")).status, 401);
});

test("a replaced function that no route calls is an error that names it", async () => {
  const unused = (): number => 1;
  const makeUnnamed = () => () => 1;
  for (const [replaced, name] of [
    [replace(unused).with(() => 2), "unused"],
    [replace(makeUnnamed()).with(() => 2), "a function without a name"],
  ] as const) {
    const error = await ask([unguarded(), replaced]).catch((thrown: unknown) => thrown);
    assert.match(String(error), `can't replace ${name}: no route calls it`);
  }
});

test("a substitute gives what the provider gives, or the type checker refuses it", () => {
  const generator = function* (): Generator<number, User> {
    yield 1;
    return ada;
  };
  const role = (): { role: "admin" | "member" } => ({ role: "admin" });
  const replacements = [
    // @ts-expect-error not a user
    replace(currentUser).with(() => ({ nam: "Ada" })),
    // @ts-expect-error not a user
    replace(currentUser).with(async () => 7),
    // @ts-expect-error it yields no user
    replace(currentUser).with(generator),
    // @ts-expect-error it takes an argument, and gets none
    replace(currentUser).with((token: string) => ({ name: token })),
    // @ts-expect-error the value itself, and not a function that gives it
    replace(database).with({ url: "test" }),
    // @ts-expect-error not a text
    replace(page).with(() => 1),
    // @ts-expect-error a guard that returns nothing has a substitute that returns nothing
    replace(guard).with(() => 7),
    replace(guard).with(async () => {}),
    replace(role).with(() => ({ role: "member" })),
    replace(transaction).with(generator),
    replace(transaction).with(transaction as () => AsyncGenerator<number>),
    replace(database).with(() => ({ url: "test", more: 1 })),
  ];
  assert.ok(replacements.every((one) => one instanceof Replacement));
});

test.run();
