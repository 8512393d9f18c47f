/** The names of types in the contract: they depend on the declarations alone. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatAnswers, readTexts } from "./reading.fixture.ts";

type Texts = Readonly<Record<string, string>>;

const USER = "export interface User { id: number }";
const OTHER = "export interface User { name: string }";
const PAGE = "export interface Page<T> { items: T[] }";

/** @param types where each route takes its type from. @param others the files with the types. */
function name(types: readonly (readonly [type: string, file: string])[], others: Texts): readonly string[] {
  const routes = types.map(([type, file], index) => {
    const names = [...new Set(type.match(/[A-Z]\w*/g))].join(", ");
    return [
      `routes/${"abc"[index]}.ts`,
      `import type { Body } from "framework"; import type { ${names} } from "../${file}"; export function post(body: Body<${type}>): ${type} { return body; }`,
    ] as const;
  });
  const { operations } = readTexts({ ...Object.fromEntries(routes), ...others });
  return operations.map(({ answers }) => formatAnswers(answers.slice(0, 1)).replace(/^200 #/, ""));
}

const TWO: Texts = { "lib/accounts.ts": USER, "lib/user-profiles.ts": OTHER };

test("two types of one name have the names of their files before theirs, in whatever order they are read", () => {
  const [accounts, profiles] = [
    ["User", "lib/accounts.ts"],
    ["User", "lib/user-profiles.ts"],
  ] as const;
  assert.equal(name([accounts, profiles], TWO), ["Accounts_User", "UserProfiles_User"]);
  assert.equal(name([profiles, accounts], TWO), ["UserProfiles_User", "Accounts_User"]);
  assert.equal(name([profiles], TWO), ["User"]);
});

const FILES: readonly (readonly [files: readonly string[], names: readonly string[]])[] = [
  [
    ["apps/users/views.ts", "apps/orders/views.ts"],
    ["Users_User", "Orders_User"],
  ],
  [
    ["lib/index.ts", "lib/users/index.ts"],
    ["Lib_User", "Users_User"],
  ],
  [
    ["lib/a/user.ts", "lib/b/user.ts"],
    ["LibAUser_User", "LibBUser_User"],
  ],
  [
    ["lib/a-b.ts", "lib/a_b.ts"],
    ["LibAB_User", "LibAB_User2"],
  ],
];

for (const [files, names] of FILES)
  test(`the type User of ${files.join(" and of ")} is ${names.join(" and ")}`, () => {
    const text = (file: string): string => (file === files[0] ? USER : OTHER);
    const texts = Object.fromEntries(
      files.map((file) => [
        file,
        `import type { Body } from "framework"; ${text(file)} ${file.startsWith("apps/") ? "export function post_index(body: Body<User>): User { return body; }" : ""}`,
      ]),
    );
    const apps = {
      "framework.toml": 'apps = ["users", "orders"]',
      "apps/users/app.toml": "[app]",
      "apps/orders/app.toml": "[app]",
    };
    if (files[0]?.startsWith("apps/")) {
      const { operations } = readTexts({ ...apps, ...texts });
      const found = operations.map(({ answers }) => formatAnswers(answers.slice(0, 1)).replace(/^200 #/, ""));
      assert.equal(found.sort(), [...names].sort());
      return;
    }
    const types = files.map((file) => ["User", file] as const);
    assert.equal(name(types, texts), names);
    assert.equal(name([...types].reverse(), texts), [...names].reverse());
  });

test("a generic type has the names of what it is given", () => {
  const lib = { "lib/page.ts": `${PAGE} ${USER}`, "lib/other.ts": OTHER };
  assert.equal(name([["Page<User>", "lib/page.ts"]], lib), ["Page<User>"]);
  assert.equal(
    name(
      [
        ["Page<User>", "lib/page.ts"],
        ["User", "lib/other.ts"],
      ],
      lib,
    ),
    ["Page<Page_User>", "Other_User"],
  );
});

test("a long name is shortened, and told from another by a number that does not depend on the order", () => {
  const long = (last: string): string =>
    `{ ${"abcdefghijklmnop"
      .split("")
      .map((one) => `${one}: string`)
      .join("; ")}; z: ${last} }`;
  const types = ["number", "string"].map((last) => [`Page<${long(last)}>`, "lib/page.ts"] as const);
  const read = (order: typeof types): readonly string[] => name(order, { "lib/page.ts": PAGE });
  const [one = "", other = ""] = read(types);
  assert.equal([one, other], ["Page<…>", "Page<…>2"]);
  assert.equal(read([...types].reverse()), [other, one]);
});

test("the project's types keep the names Error and ValidationError, and the framework's have others", () => {
  const own = "interface Error { code: int } interface ValidationError { of: Error }";
  const { operations, definitions } = readTexts({
    "routes/a.ts": `import type { Body, int } from "framework"; ${own}\nexport function post(body: Body<ValidationError>): string { return ""; }`,
  });
  const names = ["Error", "Framework.Error", "Framework.ValidationError", "ValidationError"];
  assert.equal(Object.keys(definitions).sort(), names);
  assert.match(
    formatAnswers(operations[0]?.answers ?? []),
    /400 #Framework.Error .* 422 #Framework.ValidationError /,
  );
});

test("a type with a file in it is another one in a result", () => {
  const { operations, definitions } = readTexts({
    "routes/a.ts":
      'import type { Form } from "framework"; interface Upload { file: File; name: string }\nexport function post(form: Form<Upload>): Upload { return form; }',
  });
  assert.equal(
    Object.keys(definitions).filter((one) => one.startsWith("Upload")),
    ["Upload", "Upload.result"],
  );
  assert.is(formatAnswers((operations[0]?.answers ?? []).slice(0, 1)), "200 #Upload.result");
});

test("a type that has the name of one of TypeScript's keeps it", () => {
  const own = "export interface Partial { id: number }";
  assert.equal(name([["Partial", "lib/a.ts"]], { "lib/a.ts": own }), ["Partial"]);
});

test.run();
