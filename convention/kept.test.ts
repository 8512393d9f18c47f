import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { createFolder, type ProjectFiles, writeFiles } from "./folder.fixture.ts";
import { createKept, type Kept, type Project, readSources } from "./project.ts";
import { createFiles } from "./source/files.ts";
import { restore, type Stored, toStored } from "./stored.ts";

const test = suite<{ root: string }>("what readings keep");

test.before.each((context) => {
  context.root = createFolder(FILES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

const FILES: ProjectFiles = {
  "framework.toml": 'apps = ["shop", "users", "typed", "shared"]\n\n[server]\nhealth = "/health"\n',
  "package.json": '{ "imports": { "#*": "./*" } }',
  "apps/shop/app.toml": '[app]\nprefix = "/shop"\n',
  "apps/shop/views.ts": `import type { Request, int } from "framework";
import type { Id } from "../../lib/types.ts";
export function get_index(request: Request) {}
export function get_item(id: Id) {}
export function post_item(id: int) {}
`,
  "apps/users/app.toml": "",
  "apps/users/views.ts": `import type { Id } from "#lib/types.ts";
export const get_index = () => ({});
export const get_$id_posts = (id: Id) => ({ id });
export * from "../../lib/more.ts";
`,
  "apps/typed/app.toml": '[app]\nprefix = "/typed"\n',
  "apps/typed/views.ts": `import type { Body, Query } from "framework";
import type { Item, Page } from "../../lib/types.ts";
export interface Own { item: Item; note?: string }
export function post_own(body: Body<Own>) {}
export function get_list(page: Query<Page>) {}
`,
  "apps/shared/app.toml": "",
  "apps/shared/views.ts": `import type { Body, From } from "framework";
import type { Own } from "../typed/views.ts";
import type { user } from "../../lib/providers.ts";
export function get_me(me: From<typeof user>) {}
export function post_own(body: Body<Own>, me: From<typeof user>) {}
`,
  "lib/types.ts": `import type { int, Min } from "framework";
export type Id = int;
export interface Item { id: int & Min<1>; tags: string[] }
export interface Page { at?: int }
`,
  "lib/more.ts": "export function get_more() {}\n",
  "lib/providers.ts": `import type { Bearer } from "framework";
import { check } from "./check.ts";
export function user(token: Bearer) { return check(token); }
`,
  "lib/check.ts": "export function check(token: string) { return { token }; }\n",
  "routes/index.ts": "export const get = () => ({});\n",
  "routes/[id]/index.ts": 'import type { Id } from "#lib/types.ts";\nexport function get(id: Id) {}\n',
  "routes/[id]/_hooks.ts": "export function middleware(request, next) { return next(); }\n",
};

function readWarm(root: string, kept: Kept): Project {
  return readSources(root, undefined, undefined, kept).project;
}

function readCold(root: string): Project {
  return readSources(root, createFiles(root, undefined, new Map()), undefined, createKept()).project;
}

/** The names of the routes that are other objects than before. */
function changedRoutes(before: Project, after: Project): string[] {
  const known = new Set(before.routes);
  return after.routes
    .filter((route) => !known.has(route))
    .map(({ method, pattern }) => `${method} ${pattern}`)
    .sort();
}

test("after a change of one handler, only the routes of its file are new objects", ({ root }) => {
  const kept = createKept();
  const before = readWarm(root, kept);
  assert.equal(before.diagnostics, []);
  edit(root, "apps/shop/views.ts", (text) => text.replace("get_item", "get_thing"));
  const after = readWarm(root, kept);
  assert.equal(changedRoutes(before, after), ["GET /shop/", "GET /shop/thing/<id>", "POST /shop/item/<id>"]);
  for (const [name, shape] of Object.entries(after.definitions)) assert.is(shape, before.definitions[name]);
});

test("without a change all routes and definitions are the same objects, those with types, providers and hooks included", ({
  root,
}) => {
  const kept = createKept();
  const before = readWarm(root, kept);
  const after = readWarm(root, kept);
  assert.equal(changedRoutes(before, after), []);
  assert.ok(Object.keys(after.definitions).length > 0);
  for (const [name, shape] of Object.entries(after.definitions)) assert.is(shape, before.definitions[name]);
});

test("a change of a type changes the routes and definitions that use it, and no others", ({ root }) => {
  const kept = createKept();
  const before = readWarm(root, kept);
  edit(root, "lib/types.ts", (text) => text.replace("at?: int", "at?: string"));
  const after = readWarm(root, kept);
  assert.equal(changedRoutes(before, after), []);
  const changed = Object.keys(after.definitions).filter(
    (name) => after.definitions[name] !== before.definitions[name],
  );
  assert.ok(changed.includes("Page"));
  assert.not.ok(changed.includes("Own"));
});

test("a provider in another file that begins to throw changes the routes that need it", ({ root }) => {
  const kept = createKept();
  writeFiles(root, {
    "lib/clock.ts": "export function now() {\n  return 1;\n}\n",
    "routes/now.ts": `import type { From } from "framework";
import type { now } from "../lib/clock.ts";
export function get(at: From<typeof now>) {}
`,
  });
  const before = readWarm(root, kept);
  writeFiles(root, { "lib/clock.ts": 'export function now() {\n  throw new Error("no");\n}\n' });
  const after = readWarm(root, kept);
  assert.equal(after, readCold(root));
  assert.equal(changedRoutes(before, after), ["GET /now"]);
});

test("of two apps with one handler at one path, the one that is listed first has the route", ({ root }) => {
  const kept = createKept();
  const views = 'export * from "../../lib/more.ts";\n';
  const config = '[app]\nprefix = "/x"\n';
  for (const app of ["one", "other"])
    writeFiles(root, { [`apps/${app}/app.toml`]: config, [`apps/${app}/views.ts`]: views });
  for (const apps of ['["one", "other"]', '["other", "one"]']) {
    writeFiles(root, { "framework.toml": `apps = ${apps}\n` });
    assert.equal(readWarm(root, kept), readCold(root));
  }
});

test("a save of the same size in the same instant is seen", ({ root }) => {
  const kept = createKept();
  for (const name of ["get_aaaa", "get_bbbb", "get_cccc"]) {
    writeFileSync(join(root, "lib/more.ts"), `export function ${name}() {}\n`);
    const patterns = readWarm(root, kept).routes.map(({ pattern }) => pattern);
    assert.ok(patterns.includes(`/users/${name.slice(4)}`), name);
  }
});

type Pick = (most: number) => number;

/** Each leaves a project that may be whole, broken or odd, whatever it was before. */
const EDITS: Readonly<Record<string, (root: string, pick: Pick) => void>> = {
  "a handler more": (root, pick) =>
    edit(root, pickViews(pick), (text) => `${text}export function get_new${pick(3)}() {}\n`),
  "a handler renamed": (root, pick) =>
    edit(root, pickViews(pick), (text) => text.replace(/(get|post)_(\w+)/, `$1_renamed${pick(3)}`)),
  "a handler's param": (root, pick) =>
    edit(root, pickViews(pick), (text) =>
      text.replace(/: Id\b/, [": string", ": number", ": Other"][pick(3)] ?? ""),
    ),
  "a method of the wrong kind": (root, pick) =>
    edit(root, pickViews(pick), (text) => text.replace("post_", "get_")),
  "lines above": (root, pick) => edit(root, pickSource(root, pick), (text) => `// ${pick(9)}\n${text}`),
  "a broken file": (root, pick) => edit(root, pickSource(root, pick), (text) => `${text}export function (\n`),
  "a repaired file": (root, pick) =>
    edit(root, pickSource(root, pick), (text) => text.replaceAll("export function (\n", "")),
  "the files of the beginning": (root) => writeFiles(root, FILES),
  "one file of the beginning": (root, pick) => {
    const [file, content] = Object.entries(FILES)[pick(Object.keys(FILES).length)] ?? [];
    if (file !== undefined && content !== undefined) writeFiles(root, { [file]: content });
  },
  "a file gone": (root, pick) => rmSync(join(root, pickSource(root, pick)), { force: true }),
  "no text": (root, pick) => writeFileSync(join(root, pickSource(root, pick)), ""),
  "bytes that are not UTF-8": (root, pick) =>
    writeFileSync(join(root, pickSource(root, pick)), Buffer.from([0xff, 0xfe, 0x41])),
  "another prefix": (root, pick) =>
    writeFileSync(
      join(root, `apps/${pickApp(pick)}/app.toml`),
      `[app]\nprefix = "/${["shop", "users", "x"][pick(3)]}"\n`,
    ),
  "an app renamed": (root, pick) => {
    const [from, to] = [pickApp(pick), `renamed${pick(2)}`];
    rmSync(join(root, "apps", to), { recursive: true, force: true });
    renameSync(join(root, "apps", from), join(root, "apps", to));
    edit(root, "framework.toml", (text) => text.replace(`"${from}"`, `"${to}"`));
  },
  "apps in another order": (root) =>
    edit(root, "framework.toml", (text) => text.replace(/"(\w+)", "(\w+)"/, '"$2", "$1"')),
  "an app unlisted": (root) => edit(root, "framework.toml", (text) => text.replace(/"\w+", /, "")),
  "the path of the probe": (root, pick) =>
    edit(root, "framework.toml", (text) =>
      text.replace(/health = .*/, `health = "${["/health", "/shop", "/"][pick(3)]}"`),
    ),
  "a type of other name": (root, pick) =>
    edit(root, "lib/types.ts", (text) =>
      text.replace(/interface (Item|Page|Own)/, `interface ${["Item", "Page", "Own"][pick(3)]}`),
    ),
  "a type's field": (root, pick) =>
    edit(root, "lib/types.ts", (text) =>
      text.replace(/at\?: \w+/, `at?: ${["int", "string", "boolean", "Item"][pick(4)]}`),
    ),
  "an id of another type": (root, pick) =>
    edit(root, "lib/types.ts", (text) =>
      text.replace(/type Id = \w+/, `type Id = ${["int", "string", "Item"][pick(3)]}`),
    ),
  "a type of the same name": (root, pick) =>
    edit(
      root,
      pickViews(pick),
      (text) =>
        `${text}export interface Item { other: string }\nexport function post_same${pick(2)}(body: import("framework").Body<Item>) {}\n`,
    ),
  "an import of another file": (root, pick) =>
    edit(root, pickViews(pick), (text) =>
      text.replace(
        /"[^"]*lib\/types.ts"/,
        ['"../../lib/types.ts"', '"#lib/types.ts"', '"../../lib/gone.ts"'][pick(3)] ?? "",
      ),
    ),
  "aliases that lead elsewhere": (root, pick) =>
    writeFileSync(
      join(root, "package.json"),
      ['{ "imports": { "#*": "./*" } }', '{ "imports": { "#lib/*": "./other/*" } }', "{"][pick(3)] ?? "",
    ),
  "a folder that an alias leads to": (root) =>
    writeFiles(root, { "other/types.ts": "export type Id = string;\n" }),
  "a guard": (root, pick) =>
    writeFiles(root, {
      [`${["apps", "apps/shop", "routes", "."][pick(4)]}/_hooks.ts`]: `import type { From } from "framework";
import type { user } from "#lib/providers.ts";
export function guard(me: From<typeof user>) { if (!me.token) throw new Error("no"); }
`,
    }),
  "no hooks": (root, pick) =>
    rmSync(join(root, `${["apps", "apps/shop", "routes", ".", "routes/[id]"][pick(5)]}/_hooks.ts`), {
      force: true,
    }),
  "a provider that takes something else": (root, pick) =>
    edit(root, "lib/providers.ts", (text) =>
      text.replace(/token: \w+/, `token: ${["Bearer", "Basic", "Lost"][pick(3)]}`),
    ),
  "what a provider calls": (root) =>
    edit(root, "lib/check.ts", (text) =>
      text.includes("throw")
        ? "export function check(token: string) { return { token }; }\n"
        : "export function check(token: string) { throw new Error(token); }\n",
    ),
  "what a file re-exports": (root, pick) =>
    edit(
      root,
      "lib/more.ts",
      (text) => `${text}export function ${["get_index", "get_more2", "fetch_all"][pick(3)]}() {}\n`,
    ),
  "a route file": (root, pick) =>
    writeFiles(root, {
      [`routes/${["a", "shop/item/[id]", "[name]", "users/more"][pick(4)]}.ts`]: "export function get() {}\n",
    }),
  "a folder in the place of a file": (root, pick) => {
    const file = pickSource(root, pick);
    rmSync(join(root, file), { force: true });
    mkdirSync(join(root, file));
  },
  "a link to a file": (root, pick) => {
    const [file, target] = [pickSource(root, pick), pickSource(root, pick)];
    rmSync(join(root, file), { force: true });
    symlinkSync(join(root, target), join(root, file));
  },
  "a link to a folder": (root, pick) => {
    const link = join(root, "routes", `link${pick(2)}`);
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(root, ["lib", "routes", "gone"][pick(3)] ?? ""), link);
  },
  "a file that differs by case": (root, pick) =>
    writeFiles(root, { [`apps/${["shop", "users"][pick(2)]}/Views.ts`]: "" }),
  "an app that is not there": (root, pick) =>
    edit(root, "framework.toml", (text) => text.replace("[", `["${["gone", "late"][pick(2)]}", `)),
  "an app that comes late": (root) =>
    writeFiles(root, { "apps/late/app.toml": "", "apps/late/views.ts": "export function get_late() {}\n" }),
};

function edit(root: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(root, file), change(readFileSync(join(root, file), "utf8")));
}

function pickApp(pick: Pick): string {
  return ["shop", "users", "typed", "shared"][pick(4)] ?? "";
}

function pickViews(pick: Pick): string {
  return `apps/${pickApp(pick)}/views.ts`;
}

function pickSource(root: string, pick: Pick): string {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
  return files[pick(files.length)] ?? "";
}

const PLACES = 6;
/** An edit, and what it picks. */
const anyEdit = fc.tuple(
  fc.constantFrom(...Object.keys(EDITS)),
  fc.array(fc.nat(), { minLength: PLACES, maxLength: PLACES }),
);
/** Some edits before each reading. */
const anySession = fc.array(fc.array(anyEdit, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});

/** As the next command reads, with what was stored for it. */
function readStored(root: string, stored: Stored): { readonly project: Project; readonly after: Stored } {
  const kept = createKept();
  restore(deserialize(serialize(stored)), kept);
  return {
    project: readWarm(root, kept),
    after: toStored(kept, (file) => existsSync(join(root, file)), stored),
  };
}

test("whatever was edited, warm and stored readings deep-equal a cold one, and only what changed is a new object", () => {
  const done = new Set<string>();
  fc.assert(
    fc.property(anySession, (session) => {
      const root = createFolder(FILES);
      const kept = createKept();
      let stored = toStored(createKept(), () => true);
      try {
        for (const edits of session) {
          for (const [name, picks] of edits) {
            const left = [...picks];
            const pick: Pick = (most) => (left.pop() ?? 0) % Math.max(most, 1);
            if (isDone(() => EDITS[name]?.(root, pick))) done.add(name);
          }
          const warm = readWarm(root, kept);
          assert.equal(warm, readCold(root), JSON.stringify(edits));
          assert.is(JSON.stringify(warm), JSON.stringify(readCold(root)));
          const { project, after } = readStored(root, stored);
          assert.is(JSON.stringify(project), JSON.stringify(warm), JSON.stringify(edits));
          // Not each time: what is stored may be of long before.
          if (edits.length !== 2) stored = after;
          assert.equal(changedRoutes(warm, readWarm(root, kept)), []);
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 40 },
  );
  assert.equal(
    Object.keys(EDITS).filter((name) => !done.has(name)),
    [],
    "no edit is idle",
  );
});

/** Not where an edit before it left nothing of what it changes. */
function isDone(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

test.run();
