import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#runtime/convention/folder.fixture";
import { readProject } from "#runtime/convention/project";
import { planAppRemoval } from "./app/destroy.ts";
import { planApp } from "./app/plan.ts";
import { applyChanges } from "./changes/changes.ts";
import { planHooksRemoval } from "./hooks/destroy.ts";
import { planHooks } from "./hooks/plan.ts";
import type { HooksInput } from "./hooks/target.ts";
import { isNoPlan, type NoPlan, type Plan } from "./plan.ts";
import { planProviderRemoval } from "./provider/destroy.ts";
import { planProvider } from "./provider/plan.ts";
import type { Removal } from "./removal.ts";

const PROVIDER = `import { type Bearer, HttpError } from "framework";

export function current_user(token: Bearer) {
  if (token !== "") throw new HttpError(401, "No");
  return { id: 1 };
}
`;

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["users"]\n',
  "app.ts": 'import { createApp } from "framework";\n\nexport const app = await createApp();\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_all() {\n  return { users: [] };\n}\n",
  "routes/index.ts": "export function get() {\n  return {};\n}\n",
  "routes/admin/index.ts": "export function get() {\n  return {};\n}\n",
  "routes/teams/[team_id].ts":
    'import type { int } from "framework";\n\nexport function get(team_id: int) {\n  return { team_id };\n}\n',
};

const test = suite<{ root: string }>("hooks and providers");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function hooks(folder: string, wanted: Partial<HooksInput>): HooksInput {
  return { folder, guard: undefined, middleware: false, error: false, ...wanted };
}

function apply<Planned extends Plan | Removal>(root: string, planned: Planned | NoPlan): Planned {
  if (isNoPlan(planned)) throw new Error(planned.diagnostics.map(({ message }) => message).join("\n"));
  assert.is(applyChanges(root, planned.changes), undefined);
  return planned;
}

function problemOf(planned: Plan | Removal | NoPlan): string {
  assert.ok(isNoPlan(planned), "it is planned");
  return planned.diagnostics.map(({ code, message, hint }) => `${code} ${message} ${hint}`).join("\n");
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const FOLDERS: readonly (readonly [word: string, file: string])[] = [
  [".", "_hooks.ts"],
  ["apps", "apps/_hooks.ts"],
  ["users", "apps/users/_hooks.ts"],
  ["apps/users", "apps/users/_hooks.ts"],
  ["./apps/users/", "apps/users/_hooks.ts"],
  ["routes", "routes/_hooks.ts"],
  ["admin", "routes/admin/_hooks.ts"],
  ["routes/admin", "routes/admin/_hooks.ts"],
];

for (const [word, file] of FOLDERS) {
  test(`the hooks of ${word} are written to ${file}, read by the project, and taken back without a trace`, ({
    root,
  }) => {
    writeFiles(root, { "providers/current_user.ts": PROVIDER });
    const wanted = hooks(word, { guard: "current_user", middleware: true, error: true });
    const { changes } = apply(root, planHooks(readProject(root), wanted));
    assert.equal(
      changes.map((change) => change.file),
      [file],
    );
    const project = readProject(root);
    assert.equal(project.diagnostics, []);
    assert.ok(
      project.routes.some(({ calls, hooks: [own] }) => calls.length === 2 && own?.middleware && own.error),
    );
    const again = planHooks(project, wanted);
    assert.ok(!isNoPlan(again) && again.changes.length === 0);
    const [gone] = apply(root, planHooksRemoval(project, { folder: word })).changes;
    assert.equal([gone?.file, gone?.after], [file, null]);
  });
}

test("a file of hooks gets only what it lacks, and loses only what was generated", ({ root }) => {
  const own = "// Ours.\nexport const limit = 10;\n";
  writeFiles(root, { "providers/current_user.ts": PROVIDER, "routes/admin/_hooks.ts": own });
  apply(root, planHooks(readProject(root), hooks("admin", { error: true })));
  apply(root, planHooks(readProject(root), hooks("admin", { error: true, guard: "current_user" })));
  assert.is(
    read(root, "routes/admin/_hooks.ts"),
    `import { type From, HttpError, type Request } from "framework";
import type { current_user } from "../../providers/current_user.ts";

${own}
// What it returns is the answer. Any other error goes on to the next folder outside.
export function error(thrown: unknown, request: Request) {
  if (!(thrown instanceof HttpError)) return undefined;
  return { status: thrown.status, path: request.path, ...thrown.body };
}

export function guard(_user: From<typeof current_user>) {}
`,
  );
  apply(root, planHooksRemoval(readProject(root), { folder: "admin" }));
  assert.is(read(root, "routes/admin/_hooks.ts"), own);
});

test("a hook that was edited stays, and so do the others", ({ root }) => {
  apply(root, planHooks(readProject(root), hooks("admin", { middleware: true, error: true })));
  const file = "routes/admin/_hooks.ts";
  const text = read(root, file).replace("Server-Timing", "X-Time");
  writeFiles(root, { [file]: text });
  assert.match(problemOf(planHooksRemoval(readProject(root), { folder: "admin" })), /^FW617 `middleware`/);
});

test("a guard whose param a route of the folder lacks is refused before it is written", ({ root }) => {
  const text =
    'import { HttpError, type int } from "framework";\n\nexport function team(team_id: int) {\n  throw new HttpError(404, String(team_id));\n}\n';
  writeFiles(root, { "providers/team.ts": text });
  const project = readProject(root);
  assert.match(problemOf(planHooks(project, hooks("admin", { guard: "team" }))), /^FW611 /);
  assert.not(isNoPlan(planHooks(project, hooks("teams", { guard: "team" }))));
});

const REFUSED: readonly (readonly [folder: string, guard: string | undefined, problem: RegExp])[] = [
  ["admn", undefined, /^FW629 .* Did you mean `admin`\?$/],
  [
    "elsewhere",
    undefined,
    /^FW629 .* Hooks can be in \., apps, apps\/users, routes, routes\/admin and routes\/teams\.$/,
  ],
  ["apps/admin", undefined, /^FW629 /],
  ["admin", "curent_user", /^FW630 .* Did you mean `current_user`\? /],
  ["admin", "elsewhere.ts#current_user", /^FW630 elsewhere\.ts does not export/],
  [
    "admin",
    "twice",
    /^FW631 .* Choose one: --guard providers\/twice\.ts#twice or apps\/users\/providers\.ts#twice$/,
  ],
];

for (const [folder, guard, problem] of REFUSED) {
  test(`hooks of ${folder}${guard === undefined ? "" : ` with the guard ${guard}`} are refused`, ({
    root,
  }) => {
    const twice = "export function twice() {\n  return 1;\n}\n";
    writeFiles(root, {
      "providers/current_user.ts": PROVIDER,
      "providers/twice.ts": twice,
      "apps/users/providers.ts": twice,
    });
    assert.match(
      problemOf(planHooks(readProject(root), hooks(folder, { guard, middleware: true }))),
      problem,
    );
  });
}

test("a guard that asks for another provider is not said to be there", ({ root }) => {
  writeFiles(root, {
    "providers/current_user.ts": PROVIDER,
    "routes/admin/_hooks.ts": "export function guard() {}\n",
  });
  const planned = planHooks(readProject(root), hooks("admin", { guard: "current_user" }));
  assert.match(problemOf(planned), /^FW632 .*`_user: From<typeof current_user>`$/);
});

test("an app with a guard: its test replaces the guard, and both go with the app", ({ root }) => {
  writeFiles(root, { "providers/current_user.ts": PROVIDER });
  const { changes } = apply(
    root,
    planApp(readProject(root), { name: "orders", prefix: undefined, guard: "current_user" }),
  );
  assert.equal(
    changes.map(({ file }) => file),
    [
      "apps/orders/app.toml",
      "apps/orders/_hooks.ts",
      "apps/orders/views.ts",
      "tests/orders.test.ts",
      "framework.toml",
    ],
  );
  assert.match(read(root, "tests/orders.test.ts"), /providers: \[replace\(guard\)\.with\(\(\) => \{\}\)\]/);
  const { changes: gone } = apply(root, planAppRemoval(readProject(root), { name: "orders" }));
  assert.equal(gone.filter(({ after }) => after === null).length, 4);
});

test("an app with a guard of one's own stays", ({ root }) => {
  apply(root, planApp(readProject(root), { name: "orders", prefix: undefined }));
  writeFiles(root, { "apps/orders/_hooks.ts": "export function guard() {\n  check();\n}\n" });
  assert.match(problemOf(planAppRemoval(readProject(root), { name: "orders" })), /^FW617 `guard`/);
});

test("the tests of a guarded app need its guard no longer when the hooks go", ({ root }) => {
  writeFiles(root, { "providers/current_user.ts": PROVIDER });
  apply(root, planApp(readProject(root), { name: "plain", prefix: undefined }));
  apply(root, planApp(readProject(root), { name: "orders", prefix: undefined, guard: "current_user" }));
  apply(root, planHooksRemoval(readProject(root), { folder: "orders" }));
  const [own, plain] = ["orders", "plain"].map((name) => read(root, `tests/${name}.test.ts`));
  assert.is(own, plain?.replaceAll("/plain/", "/orders/"));
});

for (const app of [undefined, "users"]) {
  test(`a provider ${app === undefined ? "of the project" : "of an app"} is written with its test once, guards, and is taken back`, ({
    root,
  }) => {
    for (const name of ["current_user", "currentTeam"]) {
      const made = apply(root, planProvider(readProject(root), { name, app }));
      assert.is(made.changes.length, 2);
      const again = planProvider(readProject(root), { name, app });
      assert.ok(!isNoPlan(again) && again.changes.length === 0);
      assert.not(isNoPlan(planHooks(readProject(root), hooks("admin", { guard: name }))));
    }
    for (const name of ["current_user", "currentTeam"])
      apply(root, planProviderRemoval(readProject(root), { name, app }));
    assert.throws(() =>
      read(root, app === undefined ? "providers/current_user.ts" : "apps/users/providers.ts"),
    );
    const absent = planProviderRemoval(readProject(root), { name: "current_user", app });
    assert.ok(!isNoPlan(absent) && absent.changes.length === 0);
  });
}

test("a provider that a guard asks for, or that was edited, stays", ({ root }) => {
  apply(root, planProvider(readProject(root), { name: "current_user", app: undefined }));
  apply(root, planHooks(readProject(root), hooks("admin", { guard: "current_user" })));
  const input = { name: "current_user", app: undefined };
  assert.match(
    problemOf(planProviderRemoval(readProject(root), input)),
    /^FW619 .*routes\/admin\/_hooks\.ts uses it/,
  );
  apply(root, planHooksRemoval(readProject(root), { folder: "admin" }));
  const file = "providers/current_user.ts";
  writeFiles(root, { [file]: read(root, file).replace("401", "403") });
  assert.match(problemOf(planProviderRemoval(readProject(root), input)), /^FW617 `current_user`/);
});

const BAD_NAMES: readonly (readonly [name: string, problem: RegExp])[] = [
  ["current-user", /^FW601 .* Did you mean `current_user`\?$/],
  ["1user", /^FW601 /],
  ["class", /^FW601 `class` is a reserved word\. .*`current_class`/],
  ["guard", /^FW601 `guard` is the name of a hook\. .*--guard <provider>$/],
  ["error", /^FW601 .*--error$/],
  ["get_user", /^FW601 `get_user` is the name of a handler\. Did you mean `current_user`\?$/],
  ["post", /^FW601 `post` is the name of a handler/],
  ["HttpError", /^FW601 /],
  ["x".repeat(101), /^FW601 /],
];

for (const [name, problem] of BAD_NAMES) {
  test(`a provider can't be named ${name}`, ({ root }) => {
    assert.match(problemOf(planProvider(readProject(root), { name, app: undefined })), problem);
  });
}

test("a provider for an app that is not there is refused", ({ root }) => {
  assert.match(problemOf(planProvider(readProject(root), { name: "user", app: "user" })), /^FW602 .*`users`/);
});

test.run();
