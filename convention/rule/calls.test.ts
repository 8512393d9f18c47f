/** In which order the functions of a route are called, with what, and what a guard needs of it. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Param, Route } from "#runtime/routing/route";
import type { FunctionValue } from "../source/module.ts";
import { parseModule } from "../source/reader.ts";
import { NOTHING_TYPED } from "../wire/typed-route.ts";
import { bindCalls, checkGuards } from "./calls.ts";
import type { FoundCall, SignatureParameter } from "./signature.ts";

const file = parseModule("export function f() {}", "f.ts");
const declared = { module: file, value: file.values.get("f") as FunctionValue };

let line = 0;

function place(): { file: string; line: number; column: number } {
  return { file: "f.ts", line: ++line, column: 1 };
}

/** @param parameters providers, and params by their names: those of a number begin with `n`. */
function call(name: string, ...parameters: (FoundCall | string)[]): FoundCall {
  const isGuard = name.startsWith("guard");
  return {
    kind: isGuard ? "guard" : "provider",
    name,
    module: isGuard ? "apps/a/_hooks.ts" : "f.ts",
    exported: name,
    location: place(),
    parameters: parameters.map(toParameter),
    source: declared,
  };
}

function toParameter(written: FoundCall | string): SignatureParameter {
  const location = place();
  if (typeof written !== "string") return { kind: "provided", name: "x", provider: written, location };
  if (written === "request") return { kind: "request", name: written, location };
  if (written !== "token")
    return { kind: "param", name: written, type: written.startsWith("n") ? "int" : "str", location };
  const take = { in: "bearer", name: written, shape: { kind: "string" }, optional: false } as const;
  return { kind: "take", name: written, take, location };
}

/** `0 guard!(token); 1 f(#0)`: each call with its index, early ones with `!`, and at last what the handler gets. */
function summarize(
  handler: readonly (FoundCall | string)[],
  guards: readonly FoundCall[],
  params: readonly Param[] = [],
): string {
  const { calls, ...own } = bindCalls(handler.map(toParameter), guards, params);
  const shown = [...calls, { ...own, kind: "handler", name: "handler", isEarly: false }].map(
    ({ kind, name, isEarly, arguments: passed, provided, takes }, index) => {
      const [made, taken] = [[...provided], [...takes]];
      const parts = passed.map((argument) => {
        if (argument === "provided") return `#${made.shift()}`;
        return argument === "taken" ? taken.shift()?.name : argument;
      });
      const start = kind === "handler" ? name : `${index} ${kind === "guard" ? "guard " : ""}${name}`;
      return `${start}${isEarly ? "!" : ""}(${parts.join(", ")})`;
    },
  );
  return shown.join("; ");
}

const ID: Param = { name: "id", type: "str" };

test("a handler that needs nothing has no calls, whatever it takes", () => {
  assert.is(summarize(["request", "id", "token"], [], [ID]), "handler(request, 0, token)");
});

test("a provider runs after those that it needs, each once, in the order in which they are declared", () => {
  const session = call("session", "token");
  const user = call("user", session, "id");
  const admin = call("admin", user, session);
  assert.is(
    summarize([admin, "request", session], [], [ID]),
    "0 session(token); 1 user(#0, 0); 2 admin(#1, #0); handler(#2, request, #0)",
  );
  assert.is(
    summarize([call("page"), admin], [], [ID]),
    "0 page(); 1 session(token); 2 user(#1, 0); 3 admin(#2, #1); handler(#0, #3)",
  );
});

test("guards run first, the outer before the inner, and what they need is early, too", () => {
  const session = call("session", "token");
  const user = call("user", session);
  const [outer, inner] = [call("guard", session), call("guard2", user, "request")];
  assert.is(
    summarize([user, call("page")], [outer, inner]),
    "0 session!(token); 1 guard guard!(#0); 2 user!(#0); 3 guard guard2!(#2, request); 4 page(); handler(#2, #4)",
  );
});

test("a handler that names a guard is given what the guard returned", () => {
  const guard = call("guard", "token");
  const provider = { ...guard, kind: "provider", module: "auth.ts", exported: "requireUser" } as const;
  assert.is(summarize([provider], [guard]), "0 guard guard!(token); handler(#0)");
  assert.is(summarize([provider], []), "0 guard(token); handler(#0)");
});

test("a guard that another guard needs runs once", () => {
  const inner = call("guard", "token");
  assert.is(
    summarize([], [call("guard2", inner), inner]),
    "0 guard guard!(token); 1 guard guard2!(#0); handler()",
  );
});

test("a guard takes params that the route has, by name and type, and has a diagnostic for those that it lacks", () => {
  const route: Route = {
    ...NOTHING_TYPED,
    method: "GET",
    pattern: "/x/<id>",
    segments: ["x", ID],
    arguments: [],
    handler: "get_x",
    module: "apps/a/views.ts",
    app: "a",
    convention: "views",
    location: place(),
  };
  const check = (...guards: FoundCall[]) => checkGuards(route, guards).map(({ message }) => message);
  assert.equal(check(call("guard", "id", "request"), call("guard", call("f", "id"))), []);
  assert.equal(check(call("guard", "number")), [
    "`guard` needs the param `number: int`, but in GET /x/<id> there is none.",
  ]);
  const [found] = checkGuards({ ...route, segments: [{ name: "n", type: "str" }] }, [
    call("guard", call("f", "n")),
  ]);
  assert.is(found?.message, "`guard -> f` needs the param `n: int`, but in GET /x/<id> it is `string`.");
  assert.match(found?.hint ?? "", /^The guard of apps\/a\/ holds for each route/);
  assert.is(found?.locations[1], route.location);
});

test.run();
