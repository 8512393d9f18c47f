/** Which open routes get a warning because a guard of another folder seems to hold for their path. */

import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, type ProjectFiles } from "../folder.fixture.ts";
import { readProject } from "../project.ts";

const test = suite("routes beside guards");

const GUARD = 'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n';
const GET = "export function get() {}\n";
const PUT = "export function put() {}\n";
const APP = (prefix: string): string => `[app]\nprefix = "${prefix}"\n`;

/** @param exposure the lines below `[exposure]`. */
function warn(files: ProjectFiles, exposure = ""): readonly string[] {
  const apps = ["admin", "shop"].filter((app) => files[`apps/${app}/views.ts`] !== undefined);
  const root = createFolder({
    "framework.toml": `apps = ${JSON.stringify(apps)}\n${exposure}`,
    ...Object.fromEntries(apps.map((app) => [`apps/${app}/app.toml`, ""])),
    ...files,
  });
  try {
    const { diagnostics } = readProject(root);
    return diagnostics.map(({ code, message, locations }) =>
      [code, message, ...locations.map(({ file }) => file)].join(" "),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const below = (route: string, file: string, hooks: string, path: string): string =>
  `FW413 ${route} in ${file} is open: ${hooks} guards ${path} only for the files of its folder. ${file} ${hooks}`;
const HOOKS = "routes/admin/_hooks.ts";
const ADMIN = { [HOOKS]: GUARD, "routes/admin/reports.ts": GET };

const CASES: readonly [what: string, files: ProjectFiles, warnings: readonly string[]][] = [
  [
    "a file beside the folder",
    { [HOOKS]: GUARD, "routes/admin.ts": GET },
    [below("GET /admin", "routes/admin.ts", HOOKS, "/admin")],
  ],
  [
    "a handler of the folder that the file re-exports",
    { ...ADMIN, "routes/admin.ts": 'export { get } from "./admin/reports.ts";\n' },
    [
      below("GET /admin", "routes/admin.ts", HOOKS, "/admin").replace(
        /routes\/admin\.ts (?=\S+$)/,
        "routes/admin/reports.ts ",
      ),
    ],
  ],
  [
    "an app whose prefix is below the folder",
    {
      ...ADMIN,
      "apps/shop/app.toml": APP("/admin/shop"),
      "apps/shop/views.ts": "export function get_index() {}\nexport function get_$id(id: number) {}\n",
    },
    [
      below("GET /admin/shop/", "apps/shop/views.ts", HOOKS, "/admin"),
      below("GET /admin/shop/<id>", "apps/shop/views.ts", HOOKS, "/admin"),
    ],
  ],
  [
    "a file below a guarded app's prefix",
    {
      "apps/admin/_hooks.ts": GUARD,
      "apps/admin/views.ts": "export function get_index() {}\n",
      "routes/admin/x.ts": GET,
    },
    [below("GET /admin/x", "routes/admin/x.ts", "apps/admin/_hooks.ts", "/admin")],
  ],
  [
    "a file below the prefix of an app, where all apps are guarded",
    {
      "apps/_hooks.ts": GUARD,
      "apps/shop/views.ts": "export function get_index() {}\n",
      "routes/shop/all.ts": GET,
    },
    [below("GET /shop/all", "routes/shop/all.ts", "apps/_hooks.ts", "/shop")],
  ],
  [
    "a param, below a folder of a param",
    {
      "routes/orgs/[org_id]/_hooks.ts": GUARD,
      "routes/orgs/[org_id]/members.ts": "export function get(org_id: number) {}\n",
      "routes/orgs/[id].ts": "export function get(id: number) {}\n",
    },
    [below("GET /orgs/<id>", "routes/orgs/[id].ts", "routes/orgs/[org_id]/_hooks.ts", "/orgs/<org_id>")],
  ],
  [
    "the innermost of two folders",
    {
      [HOOKS]: GUARD,
      "routes/admin/x/_hooks.ts": GUARD,
      "apps/shop/app.toml": APP("/admin/x"),
      "apps/shop/views.ts": "export function get_y() {}\n",
    },
    [below("GET /admin/x/y", "apps/shop/views.ts", "routes/admin/x/_hooks.ts", "/admin/x")],
  ],
  [
    "a page of any name beside a guarded index",
    {
      [HOOKS]: GUARD,
      "routes/admin/index.ts": GET,
      "routes/[page].ts": "export function get(page: string) {}\n",
    },
    [],
  ],
  [
    "a page of any name beside a guarded folder",
    { ...ADMIN, "routes/[page].ts": "export function get(page: string) {}\n" },
    [],
  ],
  [
    "a fixed text beside a guarded param",
    {
      "routes/[org]/_hooks.ts": GUARD,
      "routes/[org]/x.ts": "export function get(org: string) {}\n",
      "routes/login.ts": GET,
    },
    [],
  ],
  [
    "a param with the constraints of the guarded one",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": 'export function get(id: "new" | "old") {}\n',
      "routes/[area]/[id].ts": 'export function get(area: string, id: "new" | "old") {}\n',
    },
    [],
  ],
  [
    "a fixed text that the guarded number does not take",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": "export function get(id: number) {}\n",
      "routes/[area]/users.ts": "export function get(area: string) {}\n",
    },
    [],
  ],
  ["a longer name", { ...ADMIN, "routes/administrators.ts": GET }, []],
  [
    "apps beside guarded files",
    {
      "routes/_hooks.ts": GUARD,
      "routes/x.ts": GET,
      "apps/shop/views.ts": "export function get_index() {}\n",
    },
    [],
  ],
  [
    "an app at the root",
    {
      "apps/shop/_hooks.ts": GUARD,
      "apps/shop/app.toml": APP("/"),
      "apps/shop/views.ts": "export function get_x() {}\n",
      "routes/y.ts": GET,
    },
    [],
  ],
  [
    "another method of the same fixed path",
    {
      "routes/_hooks.ts": GUARD,
      "routes/items.ts": PUT,
      "apps/shop/app.toml": APP("/"),
      "apps/shop/views.ts": "export function get_items() {}\n",
    },
    [],
  ],
  [
    "a route that another guard or a credential guards",
    {
      ...ADMIN,
      "routes/admin.ts": 'import type { Bearer } from "framework";\nexport function get(token: Bearer) {}\n',
      "apps/shop/_hooks.ts": GUARD,
      "apps/shop/app.toml": APP("/admin/shop"),
      "apps/shop/views.ts": "export function get_index() {}\n",
    },
    [],
  ],
  [
    "a folder with middleware",
    {
      [HOOKS]: "export const middleware = (_request, next) => next();\n",
      "routes/admin/x.ts": GET,
      "routes/admin.ts": GET,
    },
    [],
  ],
];

for (const [what, files, warnings] of CASES)
  test(`${what}: ${warnings.length}`, () => {
    assert.equal(warn(files), warnings);
  });

test("a route that [exposure] lists is meant to be open, with its method or without", () => {
  const files = { ...ADMIN, "routes/admin.ts": `${GET}${PUT}` };
  const found = (open: string): string[] =>
    warn(files, `\n[exposure]\nopen = ${open}\n`).map((line) => line.slice(0, "FW413 GET /admin".length));
  assert.equal(found("[]"), ["FW413 GET /admin", "FW413 PUT /admin"]);
  assert.equal(found('["GET /admin"]'), ["FW413 PUT /admin"]);
  assert.equal(found('["/admin"]'), []);
});

test.run();
