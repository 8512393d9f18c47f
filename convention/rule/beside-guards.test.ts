/** Which open routes get a warning because a guard of another folder seems to hold for their path. */

import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCall, createRoute } from "#convention/typed-routes.fixture";
import { processorTime } from "#runtime/processor-time.fixture";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createFolder, type ProjectFiles } from "../folder.fixture.ts";
import { readProject } from "../project.ts";
import { findBesideGuards } from "./beside-guards.ts";

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
const wider = (route: string, file: string, hooks: string, request: string): string =>
  `FW413 ${route} in ${file} is open, and it serves ${request}: ${hooks} guards only its own routes there. ${file} ${hooks}`;

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
    "a method that the guarded file does not have, and a param does",
    {
      ...ADMIN,
      "routes/[area]/reports.ts":
        "export function get(area: string) {}\nexport function put(area: string) {}\n",
    },
    [wider("PUT /<area>/reports", "routes/[area]/reports.ts", HOOKS, "PUT /admin/reports")],
  ],
  [
    "a method beside the guarded param",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": "export function get(id: string) {}\n",
      "routes/[area]/[id].ts": "export function del(area: string, id: number) {}\n",
    },
    [wider("DELETE /<area>/<id>", "routes/[area]/[id].ts", HOOKS, "DELETE /admin/<id>")],
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
    "what a guarded route with a number leaves to another route",
    {
      [HOOKS]: GUARD,
      "routes/admin/users/[id].ts": "export function get(id: number) {}\n",
      "routes/[area]/users/[id].ts": "export function get(area: string, id: string) {}\n",
    },
    [wider("GET /<area>/users/<id>", "routes/[area]/users/[id].ts", HOOKS, "GET /admin/users/<id>")],
  ],
  [
    "what guarded constraints leave to a whole path",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": 'export function get(id: "new" | "old") {}\n',
      "routes/[...path].ts": "export function get(path: string[]) {}\n",
    },
    [wider("GET /*path", "routes/[...path].ts", HOOKS, "GET /admin/<id>")],
  ],
  [
    "a guarded fixed text that only constraints keep another method of the folder from",
    {
      ...ADMIN,
      "routes/admin/[id].ts": 'export function put(id: "new" | "old") {}\n',
      "routes/[...path].ts": "export function put(path: string[]) {}\n",
    },
    [wider("PUT /*path", "routes/[...path].ts", HOOKS, "PUT /admin/reports")],
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
    "the second of two numbers, which the guarded route leaves to another route",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id]/[n].ts": "export function get(id: number, n: number) {}\n",
      "routes/[area]/[id]/[n].ts": "export function get(area: string, id: number, n: string) {}\n",
    },
    [wider("GET /<area>/<id>/<n>", "routes/[area]/[id]/[n].ts", HOOKS, "GET /admin/<id>/<n>")],
  ],
  [
    "what a guarded number leaves beside guarded fixed texts",
    {
      [HOOKS]: GUARD,
      "routes/admin/users/[id].ts": "export function get(id: number) {}\n",
      "routes/admin/users/x.ts": GET,
      "routes/admin/users/x1.ts": GET,
      "routes/[area]/users/[id].ts": "export function get(area: string, id: string) {}\n",
    },
    [wider("GET /<area>/users/<id>", "routes/[area]/users/[id].ts", HOOKS, "GET /admin/users/<id>")],
  ],
  [
    "a number beside guarded fixed numbers",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": "export function put(id: number) {}\n",
      "routes/admin/1.ts": GET,
      "routes/[area]/[id].ts": "export function get(area: string, id: number) {}\n",
    },
    [wider("GET /<area>/<id>", "routes/[area]/[id].ts", HOOKS, "GET /admin/<id>")],
  ],
  [
    "a fixed text that the guarded param takes, by another method",
    {
      [HOOKS]: GUARD,
      "routes/admin/[id].ts": "export function get(id: string) {}\n",
      "routes/[area]/users.ts":
        "export function get(area: string) {}\nexport function put(area: string) {}\n",
    },
    [wider("PUT /<area>/users", "routes/[area]/users.ts", HOOKS, "PUT /admin/<id>")],
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

test("all guarded paths that a route serves by another method are known, below a folder too", () => {
  const root = createFolder({
    "framework.toml": "apps = []\n",
    ...ADMIN,
    "routes/admin/users.ts": `${GET}export function post() {}\n`,
    "routes/[area]/[page].ts": "export function put(area: string, page: string) {}\n",
    "routes/admin.ts": "export function put(page: string) {}\nexport function del(page: string) {}\n",
  });
  const found = findBesideGuards(readProject(root));
  rmSync(root, { recursive: true, force: true });
  assert.equal(
    found.map(({ route, path, requests }) => [`${route.method} ${route.pattern}`, path, ...requests]),
    [
      ["PUT /admin/<page>", "/admin", "PUT /admin/reports", "PUT /admin/users"],
      ["DELETE /admin/<page>", "/admin", "DELETE /admin/reports", "DELETE /admin/users"],
    ],
  );
});

test("a route that [exposure] lists is meant to be open, with its method or without", () => {
  const files = { ...ADMIN, "routes/admin.ts": `${GET}${PUT}` };
  const found = (open: string): string[] =>
    warn(files, `\n[exposure]\nopen = ${open}\n`).map((line) => line.slice(0, "FW413 GET /admin".length));
  assert.equal(found("[]"), ["FW413 GET /admin", "FW413 PUT /admin"]);
  assert.equal(found('["GET /admin"]'), ["FW413 PUT /admin"]);
  assert.equal(found('["/admin"]'), []);
});

test("a thousand open routes beside a hundred guards take no time", () => {
  const guards = Array.from({ length: 100 }, (_, index) =>
    createCall("guard", "guard", `routes/g${index}/_hooks.ts:1`),
  );
  const routes = Array.from({ length: 1000 }, (_, index) => [
    createRoute(`GET /g${index % 200}/${index}`),
    createRoute(`PUT /a/${index}`, { calls: guards.slice(0, 1) }),
  ]).flat();
  const wide = {
    ...createRoute("GET /a"),
    segments: [
      { name: "x", type: "str" as const },
      { name: "y", type: "int" as const },
    ],
  };
  const project = {
    routes: [...routes, wide],
    definitions: {},
    guards,
    apps: [],
    settings: DEFAULT_SETTINGS,
    diagnostics: [],
  };
  const time = processorTime(() => assert.is(findBesideGuards(project).length, 501));
  assert.ok(time < 500, `${time} ms`);
});

test.run();
