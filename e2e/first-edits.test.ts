/** The tests that generators write: they stay green when their handlers get real code, and turn red when these fail. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Outcome } from "./harness/command.ts";
import { linkModules } from "./harness/modules.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { runTests } from "./harness/project-tests.ts";

interface Edit {
  readonly what: string;
  /** After `generate`. */
  readonly commands: readonly (readonly string[])[];
  /** The text that replaces all of a file from the last comment or interface on. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** What the output of a test that fails has in it. */
  readonly fails?: RegExp;
}

const VIEWS = "apps/orders/views.ts";
const APP = ["app", "orders"];
const GET_BY_ID = [APP, ["handler", "get_by_id", "order_id:int", "--app", "orders"]];
const POST = [APP, ["handler", "post_index", "--app", "orders"]];
const BODY = "customer:string items:int[]";
const DECLARED = [APP, ["handler", "post_index", "--app", "orders", "--body", BODY]];
const GUARDED = [
  ["provider", "currentUser"],
  ["app", "orders", "--guard", "currentUser"],
];
const LIST = "return { items: [] };";
const ECHO = "return { order_id };";
const READ = "const item = await request.json();";
const CREATED = "return [{ customer: body.customer, items: body.items }, 201];";

const EDITS: readonly Edit[] = [
  { what: "another object", commands: [APP], edits: [[VIEWS, LIST, "return { orders: [{ id: 1 }] };"]] },
  { what: "a text", commands: [APP], edits: [[VIEWS, LIST, 'return "no orders";']] },
  { what: "nothing", commands: [APP], edits: [[VIEWS, LIST, ""]] },
  { what: "another status", commands: [APP], edits: [[VIEWS, LIST, "return [{ items: [] }, 206];"]] },
  {
    what: "a stream",
    commands: [APP],
    edits: [
      [VIEWS, "function get_index", "async function* get_index"],
      [VIEWS, LIST, 'yield "one";'],
    ],
  },
  {
    what: "a promise, with its type written",
    commands: [APP],
    edits: [
      [VIEWS, "function get_index()", "async function get_index(): Promise<{ orders: string[] }>"],
      [VIEWS, LIST, 'return { orders: ["lamp"] };'],
    ],
  },
  {
    what: "an optional value of the query",
    commands: [APP],
    edits: [
      [VIEWS, "get_index()", 'get_index(page: import("framework").Query<number> = 1)'],
      [VIEWS, LIST, "return { page };"],
    ],
  },
  {
    what: "404 for an unknown id",
    commands: GET_BY_ID,
    edits: [
      [VIEWS, "import type { int }", "import { HttpError, type int }"],
      [
        VIEWS,
        ECHO,
        'const order = new Map([[1, "lamp"]]).get(order_id);\n  if (order === undefined) throw new HttpError(404, "There is no such order");\n  return { order };',
      ],
    ],
  },
  {
    what: "204 after a DELETE",
    commands: [APP, ["handler", "delete_by_id", "order_id:int", "--app", "orders"]],
    edits: [[VIEWS, "return { deleted: true, order_id };", ""]],
  },
  {
    what: "200 after a POST, of what it was sent",
    commands: POST,
    edits: [[VIEWS, "return [{ item }, 201];", "return { order: item.name };"]],
  },
  {
    what: "400 for a body without what it needs",
    commands: POST,
    edits: [[VIEWS, READ, `${READ}\n  if (!item.customer) return [{ error: "customer is required" }, 400];`]],
  },
  {
    what: "a declared body",
    commands: POST,
    edits: [
      [VIEWS, "request: Request", 'item: import("framework").Body<{ customer: string }>'],
      [VIEWS, READ, ""],
    ],
  },
  {
    what: "what was made of a declared body, with a header",
    commands: DECLARED,
    edits: [
      [VIEWS, "import type { Body", "import { reply, type Body"],
      [VIEWS, CREATED, 'return reply({ id: 7, ...body }, 201, { location: "/orders/7" });'],
    ],
  },
  {
    what: "one more optional field of a declared body",
    commands: DECLARED,
    edits: [[VIEWS, "customer: string;", "customer: string;\n  note?: string;"]],
  },
  {
    what: "the user of a provider, behind a param",
    commands: [["provider", "currentUser"], ...GET_BY_ID],
    edits: [
      [
        VIEWS,
        "order_id: int",
        'order_id: int, user: import("framework").From<typeof import("#providers/currentUser.ts").currentUser>',
      ],
      [VIEWS, ECHO, "return { order_id, user };"],
    ],
  },
  {
    what: "other results behind a guard",
    commands: [...GUARDED, ["handler", "delete_by_id", "order_id:int", "--app", "orders"]],
    edits: [
      [VIEWS, LIST, "return { orders: [] };"],
      [VIEWS, "return { deleted: true, order_id };", ""],
    ],
  },
  {
    what: "a handler that throws",
    commands: GET_BY_ID,
    edits: [[VIEWS, ECHO, "return { order: new Map<int, { name: string }>().get(order_id)!.name };"]],
    fails: /FAIL +"GET \/orders\/by\/id\/<order_id> answers"\n +\{"error":"Internal Server Error"\}/,
  },
  {
    what: "a handler that moved away",
    commands: [APP],
    edits: [[VIEWS, "get_index", "get_all"]],
    fails: /FAIL +"GET \/orders\/ answers"\n +\{"error":"Not Found"\}/,
  },
  {
    what: "a field that callers have to send now",
    commands: DECLARED,
    edits: [[VIEWS, "customer: string;", "customer: string;\n  note: string;"]],
    fails: /FAIL +"POST \/orders\/ answers"\n[^\n]*"pointer":"\/note"/,
  },
];

for (const { what, commands, edits, fails } of EDITS) {
  test(`${fails ? "a test turns red" : "tests stay green"}: ${what}`, async () => {
    const project = await copyProject();
    for (const words of commands) {
      const { status, stderr } = await project.framework(["generate", ...words]);
      assert.is(status, 0, stderr);
    }
    for (const [file, from, to] of edits) project.edit(file, from, to);
    const { status, stdout, stderr } = await runOwnTests(project);
    assert.is(status, fails ? 1 : 0, stdout + stderr);
    assert.match(stdout, fails ?? /Passed: +\d/);
  });
}

function runOwnTests(project: Project): Promise<Outcome> {
  linkModules(project);
  return runTests(project, ["orders"]);
}

test.run();
