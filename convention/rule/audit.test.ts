import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCall, createRoute } from "#convention/typed-routes.fixture";
import { processorTime } from "#runtime/processor-time.fixture";
import type { Method } from "#runtime/routing/route";
import { type Exposure, formatEntry, type OpenEntry } from "../config/exposure.ts";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Call, TypedRoute } from "../wire/typed-route.ts";
import { type Audit, type Audited, auditRoutes, checkRoutes, listOwnPaths } from "./audit.ts";

/** @param listed as in `open`: "GET /", "/docs". */
function createExposure(listed: readonly string[]): Exposure {
  const open = listed.map((text, index): OpenEntry => {
    const [, method = null, pattern = ""] = /^(?:([A-Z]+) )?(.*)$/.exec(text) ?? [];
    const location = { file: "framework.toml", line: index + 2, column: 3 };
    return { method: method as Method | null, pattern, location };
  });
  return { open, location: startOf("framework.toml") };
}

function audit(
  routes: readonly TypedRoute[],
  listed?: readonly string[],
  more: Partial<Audited> = {},
): Audit {
  const exposure = listed && createExposure(listed);
  return auditRoutes({
    routes,
    definitions: {},
    exposure,
    settings: { health: "/healthz", docs: true },
    diagnostics: [],
    ...more,
  });
}

/** What guards the route, with a ? for what a request may leave out. */
function guardsOf(route: TypedRoute): string[] {
  const [audited] = audit([route]).routes;
  return (audited?.guardedBy ?? []).map(
    ({ kind, name, optional }) => `${kind} ${name}${optional ? "?" : ""}`,
  );
}

function codesOf({ diagnostics }: Pick<Audit, "diagnostics">): string[] {
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const user = createCall("provider", "requireUser", "lib/auth.ts:3", { takes: ["bearer"], canRefuse: true });
const guard = createCall("guard", "guard", "routes/_hooks.ts:2");

test("a route is guarded by guards, providers that require a credential, and its own credentials", () => {
  const cases: [what: string, route: Parameters<typeof createRoute>[1], guards: string[]][] = [
    ["nothing", {}, []],
    ["a guard", { calls: [guard] }, ["guard guard"]],
    ["two guards", { calls: [guard, guard] }, ["guard guard", "guard guard"]],
    ["a provider with a credential", { calls: [user] }, ["provider requireUser"]],
    ["a provider without one", { calls: [createCall("provider", "database", "data.ts:1")] }, []],
    [
      "a provider with a query",
      { calls: [createCall("provider", "page", "a.ts:1", { takes: ["query p"] })] },
      [],
    ],
    ["a guard after its provider", { calls: [user, guard] }, ["provider requireUser", "guard guard"]],
    ["middleware", { hooks: [{ folder: "", middleware: guard }] }, []],
    ["a handler's own token", { takes: ["bearer"] }, ["credential bearer"]],
    ["its own password", { takes: ["basic"] }, ["credential basic"]],
    ["its own key", { takes: ["api-key x-key"] }, ["credential api-key x-key"]],
    ["its own optional token", { takes: ["bearer?"] }, []],
    ["its own cookie", { takes: ["cookie session"] }, []],
    ["its own body", { takes: ["body"] }, []],
  ];
  for (const [what, route, guards] of cases)
    assert.equal(guardsOf(createRoute("GET /x", route)), guards, what);
});

test("a provider guards if it can refuse and takes what may say who calls, by itself or by what it needs", () => {
  const named = (name: string, inside: Parameters<typeof createCall>[3]): Call =>
    createCall("provider", name, "lib/auth.ts:1", inside);
  const cases: [calls: Call[], guards: string[]][] = [
    [[named("user", { takes: ["bearer?"], canRefuse: true })], ["provider user?"]],
    [[named("user", { takes: ["cookie session?"], canRefuse: true })], ["provider user?"]],
    [[named("user", { takes: ["cookie session"], canRefuse: true })], ["provider user"]],
    [[named("user", { takes: ["cookie session"] })], []],
    [[named("user", { takes: ["bearer?"] })], []],
    [[named("item", { canRefuse: true })], []],
    [
      [named("user", { takes: ["bearer?"] }), named("admin", { provided: [0], canRefuse: true })],
      ["provider admin?"],
    ],
    [
      [
        named("user", { takes: ["bearer"], canRefuse: true }),
        named("admin", { provided: [0], canRefuse: true }),
      ],
      ["provider user", "provider admin"],
    ],
    [
      [named("user", { takes: ["bearer"], canRefuse: true }), named("name", { provided: [0] })],
      ["provider user"],
    ],
  ];
  for (const [calls, guards] of cases) assert.equal(guardsOf(createRoute("GET /x", { calls })), guards);
});

test("a route that a provider with an optional credential guards may be listed, and is open then", () => {
  const optional = createCall("provider", "user", "lib/auth.ts:1", { takes: ["bearer?"], canRefuse: true });
  const route = createRoute("GET /feed", { calls: [optional] });
  const opened = ({ routes, diagnostics }: Audit): unknown[] => [routes[0]?.open, diagnostics];
  assert.equal(opened(audit([route], ["GET /feed"])), [true, []]);
  assert.equal(opened(audit([route], [])), [false, []]);
});

test("what guards a route has the place where it is declared", () => {
  const [audited] = audit([createRoute("GET /x", { calls: [user] })]).routes;
  assert.equal(audited?.guardedBy[0]?.location, { file: "lib/auth.ts", line: 3, column: 17 });
});

const open = createRoute("GET /");
const post = createRoute("POST /");
const guarded = createRoute("GET /admin", { calls: [guard] });

test("without [exposure] nothing is wrong, and what nothing guards is open", () => {
  const { routes, diagnostics } = audit([open, guarded]);
  assert.equal(
    routes.map((one) => one.open),
    [true, false],
  );
  assert.equal(diagnostics, []);
});

test("with [exposure] a route has to be guarded or listed, and an entry has to be needed", () => {
  const cases: [listed: string[], diagnostics: string[]][] = [
    [["GET /", "POST /"], []],
    [["/"], []],
    [["GET /"], ["FW410 Nothing guards POST /, and `open` under `[exposure]` does not list it."]],
    [
      [],
      [
        "FW410 Nothing guards GET /, and `open` under `[exposure]` does not list it.",
        "FW410 Nothing guards POST /, and `open` under `[exposure]` does not list it.",
      ],
    ],
    [["/", "GET /nowhere"], ["FW411 `open` lists GET /nowhere, but there is no such route."]],
    [["/", "DELETE /"], ["FW411 `open` lists DELETE /, but there is no such route."]],
    [["/", "GET /admin"], ["FW411 `open` lists GET /admin, but `guard` guards it."]],
    [["/", "/admin"], ["FW411 `open` lists /admin, but `guard` guards GET /admin."]],
    [["/", "GET /healthz", "/healthz"], []],
    [["/", "POST /healthz"], ["FW411 `open` lists POST /healthz, but there is no such route."]],
    [["/", "GET /docs", "/openapi.json"], []],
    [["/", "POST /docs"], ["FW411 `open` lists POST /docs, but there is no such route."]],
  ];
  for (const [listed, diagnostics] of cases)
    assert.equal(codesOf(audit([open, post, guarded], listed)), diagnostics, listed.join());
});

test("the framework's own paths are open where a setting turns them on and no route of the project answers", () => {
  const own = (settings: Audited["settings"], ...lines: string[]): string[] =>
    listOwnPaths({ routes: lines.map((line) => createRoute(line)), definitions: {}, settings }).map(
      ({ setting, path }) => `${setting} ${path}`,
    );
  assert.equal(own({ health: "", docs: false }), []);
  assert.equal(own({ health: "/up", docs: true }), ["health /up", "docs /docs", "docs /openapi.json"]);
  assert.equal(own({ health: "", docs: true }, "GET /docs"), ["docs /openapi.json"]);
  assert.equal(own({ health: "", docs: true }, "POST /docs"), ["docs /docs", "docs /openapi.json"]);
});

test("an entry without a route suggests what was meant", () => {
  const routes = ["GET /users/<id>", "POST /login", "GET /login", "GET /products/"].map((line) =>
    createRoute(line),
  );
  const cases: [entry: string, hint: string][] = [
    ["GET /users/<user_id>", 'Did you mean "GET /users/<id>"?'],
    ["/users/<user_id>", 'Did you mean "/users/<id>"?'],
    ["GET /products", 'Did you mean "GET /products/"?'],
    ["POST /lgoin", 'Did you mean "POST /login"?'],
    ["PUT /login", 'Did you mean "POST /login"?'],
    ["GET /something/else", "Remove the entry."],
  ];
  for (const [entry, hint] of cases) {
    const stale = audit(routes, [entry]).diagnostics.find(({ code }) => code === "FW411");
    assert.is(stale?.hint, hint);
  }
});

test("an entry for all methods of which one is guarded shows which to list", () => {
  const routes = [createRoute("GET /docs"), createRoute("POST /docs", { takes: ["bearer"] })];
  const [diagnostic] = audit(routes, ["/docs"]).diagnostics;
  assert.is(diagnostic?.message, "`open` lists /docs, but `bearer` guards POST /docs.");
  assert.is(diagnostic?.hint, 'List only what is open: "GET /docs".');
});

test("in a project with errors no entry is called stale, and no route open: its handler or its guard may be what is wrong", () => {
  const diagnostics = [diagnose("FW101", {})];
  assert.equal(audit([], ["GET /"], { diagnostics }).diagnostics, []);
  assert.equal(audit([open], [], { diagnostics }).diagnostics, []);
});

test("a check has what is wrong with the project and what the audit finds, by place", () => {
  const project = {
    routes: [open, guarded],
    definitions: {},
    exposure: createExposure(["POST /", "GET /admin"]),
    settings: { health: "", docs: false },
    diagnostics: [diagnose("FW113", { file: "lib/a.ts", why: "it is locked" }, startOf("lib/a.ts"))],
  };
  assert.equal(
    checkRoutes({ ...project, diagnostics: [] }).map(({ code }) => code),
    ["FW411", "FW411", "FW410"],
  );
  assert.equal(
    checkRoutes(project).map(({ code }) => code),
    ["FW411", "FW113"],
  );
});

test("the lines that open a route are what the audit takes", () => {
  const routes = [open, post, guarded];
  const listed = audit(routes).routes.filter((one) => one.open);
  assert.equal(
    codesOf(
      audit(
        routes,
        listed.map(({ route }) => formatEntry(route)),
      ),
    ),
    [],
  );
});

test("a thousand routes with as many entries take no time", () => {
  const routes = Array.from({ length: 1000 }, (_, index) => createRoute(`GET /a/${index}`, { calls: [] }));
  const time = processorTime(() => assert.is(audit(routes, routes.map(formatEntry)).diagnostics.length, 0));
  assert.ok(time < 500, `${time} ms`);
});

test.run();
