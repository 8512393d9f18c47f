import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { auditRoutes } from "#convention/rule/audit";
import { UsageError } from "../command.ts";
import { type Printed, type } from "../typed.fixture.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["users", "admin"]\n',
  "package.json": '{ "imports": { "#*": "./*" } }\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_index() {\n  return { users: [] };\n}\n",
  "apps/admin/app.toml": '[app]\nprefix = "/admin"\n',
  "apps/admin/views.ts": "export function get_index() {\n  return {};\n}\n",
  "routes/admin/reports.ts": "export function get() {\n  return {};\n}\n",
  "routes/orders/[id].ts": "export function get(id: string) {\n  return { id };\n}\n",
  "tests/users.ts": "export function test_user() {}\n",
  "packages/a/node_modules/b/index.ts": "export function admin() {}\n",
  "lib/auth.ts": `import { type Bearer, type From, HttpError } from "framework";

export function currentUser(token: Bearer) {
  if (token !== "ada") throw new HttpError(401, "The token is not valid");
  return { id: 1 };
}

export function admin(user: From<typeof currentUser>) {
  if (user.id !== 1) throw new HttpError(403, "Only an admin may do this");
  return user;
}

export function order(id: string) {
  return { id };
}

export function visitor() {
  return {};
}
`,
};

const HOOKS = `import { type From, HttpError, type Next, type Request } from "framework";
import type { admin } from "../../lib/auth.ts";

// The provider refuses a request, so the guard only has to ask for it.
export function guard(value: From<typeof admin>) {
  void value;
}

// Browsers show the header with the times of a request.
export async function middleware(_request: Request, next: Next) {
  const start = performance.now();
  const response = await next();
  const duration = (performance.now() - start).toFixed(1);
  response.headers.set("Server-Timing", \`app;dur=\${duration}\`);
  return response;
}

// What it returns is the answer. Any other error goes on to the next folder outside.
export function error(thrown: unknown, request: Request) {
  if (!(thrown instanceof HttpError)) return undefined;
  return { status: thrown.status, path: request.path, ...thrown.body };
}
`;

const test = suite<{ root: string }>("framework generate hooks");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function generate(root: string, line: string): Promise<Printed> {
  return type(root, `generate hooks ${line}`);
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** The guards of each route, as the audit has them. */
function guards(root: string): Record<string, string[]> {
  const { routes } = auditRoutes(readProject(root));
  return Object.fromEntries(
    routes.map(({ route, guardedBy }) => [
      `${route.module} ${route.method}`,
      guardedBy.flatMap(({ kind, module }) => (kind === "guard" ? module : [])),
    ]),
  );
}

test("all hooks of a folder: what was written, and what that means for tests", async ({ root }) => {
  const { status, out } = await generate(root, "routes/admin --guard admin --middleware --error");
  assert.is(status, 0);
  assert.is(
    out,
    `created  routes/admin/_hooks.ts

GET /admin/ in apps/admin/views.ts is open: routes/admin/_hooks.ts guards /admin only for the files of its folder. Move it into the folder, or guard it as well. If anyone may call it, add "GET /admin/" to \`open\` under \`[exposure]\`.
The guard runs before the routes in routes/admin/. \`npx framework routes audit\` shows them.
A test that calls them without credentials needs: createApp({ providers: [replace(guard).with(() => {})] })`,
  );
  assert.is(read(root, "routes/admin/_hooks.ts"), HOOKS);
});

const FOLDERS: readonly (readonly [word: string, file: string])[] = [
  [".", "_hooks.ts"],
  ["./", "_hooks.ts"],
  ["apps", "apps/_hooks.ts"],
  ["users", "apps/users/_hooks.ts"],
  ["apps/users/", "apps/users/_hooks.ts"],
  ["./apps/users", "apps/users/_hooks.ts"],
  ["apps\\users\\", "apps/users/_hooks.ts"],
  ["admin", "apps/admin/_hooks.ts"],
  ["routes", "routes/_hooks.ts"],
  ["routes/admin", "routes/admin/_hooks.ts"],
  ["orders", "routes/orders/_hooks.ts"],
];

for (const [word, file] of FOLDERS) {
  test(`the folder ${word} has its hooks in ${file}, and they guard its routes and no others`, async ({
    root,
  }) => {
    await generate(root, `${word} --guard currentUser`);
    const folder = file.slice(0, -"_hooks.ts".length);
    for (const [route, guarding] of Object.entries(guards(root)))
      assert.equal(guarding, route.startsWith(folder) ? [file] : [], route);
  });
}

test("an app and a folder in routes/ of one name: it is the app", async ({ root }) => {
  const { out } = await generate(root, "admin --guard admin --error");
  assert.match(out, "The guard runs before the routes in apps/admin/.");
});

test("only what is missing is added to a file, and what is there is said", async ({ root }) => {
  const own = "export const middleware = (_: unknown, next: () => unknown) => next();\n";
  writeFiles(root, { "routes/admin/_hooks.ts": own });
  const { out } = await generate(root, "routes/admin --guard currentUser --middleware");
  assert.match(
    out,
    /^changed {2}routes\/admin\/_hooks\.ts\n\nGET \/admin\/ .+\n`middleware` is there already/,
  );
  assert.match(read(root, "routes/admin/_hooks.ts"), own);
  const before = readFiles(root);
  const again = await generate(root, "routes/admin --guard currentUser --middleware");
  assert.is(again.status, 0);
  assert.match(again.out, "`guard` is there already: routes/admin/_hooks.ts");
  assert.equal(readFiles(root), before);
});

test("a guard that takes the provider by another one is there already; without it, nothing is written", async ({
  root,
}) => {
  await generate(root, "orders --guard admin");
  assert.match((await generate(root, "orders --guard currentUser")).out, "`guard` is there already");
  const before = readFiles(root);
  const { status, err } = await generate(root, "orders --guard order --error");
  assert.is(status, 1);
  assert.match(err, "FW608 routes/orders/_hooks.ts already has a guard, and it does not ask for `order`.");
  assert.match(err, "Add the parameter there by hand: `value: From<typeof order>`");
  assert.equal(readFiles(root), before);
});

test("a guard may take a param that each route of the folder has", async ({ root }) => {
  await generate(root, "orders --guard order");
  assert.match(read(root, "routes/orders/_hooks.ts"), "guard(value: From<typeof order>)");
});

test("of several providers with one name, the command names one with its file", async ({ root }) => {
  writeFiles(root, { "apps/users/providers.ts": "export function admin() {}\n" });
  const { status, err } = await generate(root, "users --guard admin");
  assert.is(status, 2);
  assert.match(err, "FW602 Several files export a function `admin`.");
  await generate(root, "users --guard apps/users/providers.ts#admin");
  assert.match(read(root, "apps/users/_hooks.ts"), 'import type { admin } from "./providers.ts";');
});

test("a file that re-exports a provider is not a second one", async ({ root }) => {
  writeFiles(root, { "lib/all.ts": 'export { admin } from "./auth.ts";\n' });
  await generate(root, "users --guard admin");
  assert.match(read(root, "apps/users/_hooks.ts"), "../../lib/auth.ts");
});

test("where the file has the provider's name for something else, the import gives it another one", async ({
  root,
}) => {
  writeFiles(root, { "routes/admin/_hooks.ts": "const admin = 1;\nexport const limits = { admin };\n" });
  await generate(root, "routes/admin --guard admin");
  const text = read(root, "routes/admin/_hooks.ts");
  assert.match(text, 'import type { admin as admin2 } from "../../lib/auth.ts";');
  assert.match(text, "guard(value: From<typeof admin2>)");
});

const REFUSED: readonly (readonly [line: string, status: 1 | 2, says: string])[] = [
  [
    "admn --error",
    2,
    "FW602 `admn` is neither an app nor a folder of routes.\n  hint: Did you mean `admin`?",
  ],
  ["routes/order --error", 2, "Did you mean `routes/orders`?"],
  [
    "lib --error",
    2,
    "Hooks can be in ., apps, apps/users, apps/admin, routes, routes/admin and routes/orders.",
  ],
  ["../x --error", 2, "FW602"],
  ["users --guard curentUser", 2, "FW602 No file of the project exports a function `curentUser`."],
  ["users --guard curentUser", 2, "Did you mean `currentUser`?"],
  ["users --guard lib/auth.ts#admn", 2, "Did you mean `admin`?"],
  ["users --guard lib/nothing.ts#admin", 2, "generate provider admin"],
  ["users --guard session", 2, "Make it with: npx framework generate provider session"],
  ["users --guard ../auth.ts#admin", 2, "FW602 ../auth.ts does not export a function `admin`."],
  ["users --guard test_user", 2, "FW602 No file of the project exports a function `test_user`."],
  ["users --guard order", 1, "needs the param `id: string`"],
  ["users --guard get_index", 2, "FW602"],
  ["users --guard apps/users/views.ts#get_index", 1, "`get_index` is a handler"],
];

for (const [line, status, says] of REFUSED) {
  test(`"generate hooks ${line}" is refused: ${says.slice(0, 40)}`, async ({ root }) => {
    const refused = await generate(root, line);
    assert.is(refused.status, status, refused.out);
    assert.match(refused.err, says);
    assert.equal(readFiles(root), SAMPLE);
  });
}

const MISUSED: readonly (readonly [line: string, words: string])[] = [
  ["generate hooks users", "--guard <provider>, --middleware or --error"],
  ["generate hooks", "As in: framework generate hooks users --guard current_user"],
  ["generate hooks users orders --error", 'Unexpected argument "orders"'],
  ["generate hooks users --guard", "Give it as --guard <provider>"],
];

for (const [line, words] of MISUSED) {
  test(`"${line}" is wrong usage`, async ({ root }) => {
    const error = await type(root, line).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UsageError)) throw error ?? new Error("It was accepted.");
    assert.match(`${error.message} ${error.hint}`, words);
  });
}

test("a dry run writes nothing, and --json gives a program what was made", async ({ root }) => {
  assert.match((await generate(root, "users --error --dry-run")).out, "+++ b/apps/users/_hooks.ts");
  assert.equal(readFiles(root), SAMPLE);
  assert.equal(JSON.parse((await generate(root, "users --error --json")).out), {
    made: [],
    present: [],
    notes: [],
    files: [{ file: "apps/users/_hooks.ts", change: "created" }],
  });
});

test("an entry of [exposure] that the guard makes wrong is reported", async ({ root }) => {
  const open = ["/users/", "/admin/", "/admin/reports", "/orders/<id>"];
  writeFiles(root, {
    "framework.toml": `${SAMPLE["framework.toml"]}[exposure]\nopen = ${JSON.stringify(open)}\n`,
  });
  assert.match((await generate(root, "users --guard currentUser")).out, "`open` lists /users/, but");
});

test("an app with a guard: its tests replace the guard", async ({ root }) => {
  const { out } = await type(root, "generate app orders --guard currentUser");
  assert.match(out, "created  apps/orders/_hooks.ts\n");
  assert.equal(guards(root)["apps/orders/views.ts GET"], ["apps/orders/_hooks.ts"]);
  assert.match(
    read(root, "tests/orders.test.ts"),
    "createApp({ providers: [replace(guard).with(() => {})] })",
  );
});

test("of an app that is there, the guard is another command", async ({ root }) => {
  const { status, out } = await type(root, "generate app users --guard admin");
  assert.is(status, 0);
  assert.match(out, "Add it with: npx framework generate hooks users --guard admin");
  await generate(root, "users --guard admin");
  assert.not.match((await type(root, "generate app users --guard admin")).out, "Add it with");
});

test("an app whose guard has no provider is refused, and no file changes", async ({ root }) => {
  const { status, err } = await type(root, "generate app orders --guard nobody");
  assert.is(status, 2);
  assert.match(err, "FW602");
  assert.equal(readFiles(root), SAMPLE);
});

test.run();
