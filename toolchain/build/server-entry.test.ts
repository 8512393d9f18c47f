import { rmSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#convention/folder.fixture";
import type { Project } from "#convention/project";
import { callOf, routeOf } from "#convention/wire/code/wire.fixture";
import type { FolderHooks, Shared, TypedRoute } from "#convention/wire/typed-route";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { createServerModules } from "./server-entry.ts";

/** The module with the table, and no folder of this machine in it. */
function tableOf(changes: Partial<Project>): string {
  const root = createFolder({ "app.ts": "" });
  const project: Project = {
    root,
    settings: DEFAULT_SETTINGS,
    apps: [],
    routes: [],
    guards: [],
    definitions: {},
    diagnostics: [],
    files: [],
    ...changes,
  };
  const { sources } = createServerModules(root, project);
  rmSync(root, { recursive: true });
  const [, text = ""] = Object.entries(sources).find(([name]) => name.endsWith(":project")) ?? [];
  return text.replaceAll(`${root}/`, "");
}

const guard = callOf("guard", { kind: "guard", module: "_hooks.ts", isEarly: true });
const middleware: Shared = { ...pick("middleware"), module: "_hooks.ts" };
const HOOKS: FolderHooks = { folder: "", middleware };

function pick(name: string): Shared {
  const { module, exported, location } = callOf(name);
  return { name, module, exported, location };
}

function routesOf(count: number): TypedRoute[] {
  return Array.from({ length: count }, (_, index) =>
    routeOf([], {
      pattern: `/${index}`,
      segments: [String(index)],
      handler: `get_${index}`,
      arguments: ["provided"],
      provided: [1],
      calls: [guard, callOf("user")],
      hooks: [HOOKS],
    }),
  );
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

test("what 1,000 routes share is imported, written and bound once", () => {
  const files = ["_hooks.ts", "lib/shared.ts"];
  const text = tableOf({ routes: routesOf(1_000), files, unmatched: HOOKS });
  assert.equal(text.match(/^import \{.*(?:_hooks|lib\/shared)\.ts";$/gm), [
    'import { guard as shared1000, middleware as shared1001 } from "_hooks.ts";',
    'import { user as shared1002 } from "lib/shared.ts";',
  ]);
  for (const part of ["run: shared1000", "run: shared1002", "= [call", "= chainHooks(["])
    assert.is(count(text, part), 1, part);
  const [one = "", two = ""] = [1_000, 2_000].map((routes) => tableOf({ routes: routesOf(routes), files }));
  assert.ok((two.length - one.length) / 1_000 < 450, "what each route adds");
});

test("hooks are imported before handlers, and what has only providers after them", () => {
  const text = tableOf({ routes: routesOf(1), files: ["apps/things/views.ts", "_hooks.ts"] });
  assert.equal(
    [...text.matchAll(/\} from "([\w/]+\.ts)"/g)].map(([, file]) => file),
    ["_hooks.ts", "apps/things/views.ts", "lib/shared.ts"],
  );
});

test("a route shows in a request what it did before anything was shared", () => {
  const [, route = ""] = /\{ route: (.*?), handler/.exec(tableOf({ routes: routesOf(1) })) ?? [];
  const shown = ["method", "pattern", "segments", "arguments", "handler", "module", "app", "convention"];
  assert.equal(Object.keys(JSON.parse(route)), [...shown, "location"]);
});

test("a route whose param has a constraint has its check, and shows the param without it", () => {
  const id = { name: "id", type: "int", shape: { kind: "number", max: 9 } } as const;
  const route = routeOf([], { method: "GET", pattern: "/x/<id>", segments: ["x", id], arguments: [0] });
  const text = tableOf({ routes: [route] });
  assert.match(text, 'fits: pathChecks["GET /x/<id:int>"]');
  assert.match(text, '"segments":["x",{"name":"id","type":"int"}]');
});

test("a route has the limits of its folders with it", () => {
  const [route] = routesOf(1);
  const routes = route ? [{ ...route, limits: { bodyLimit: 20_000_000, handlerTimeout: 0 } }] : [];
  assert.match(tableOf({ routes }), /limits: \{"bodyLimit":20000000,"handlerTimeout":0\} \}/);
  assert.not.match(tableOf({ routes: routesOf(1) }), /limits/);
});

test.run();
