/** The tests that generators write: they stay green when their handlers get real code, and turn red when these fail. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { linkModules } from "./harness/modules.ts";
import { copyProject } from "./harness/project.ts";
import { runTests } from "./harness/project-tests.ts";

interface Edit {
  readonly what: string;
  /** After `generate`. */
  readonly commands: readonly (readonly string[])[];
  /** In `views.ts`. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** A pattern: how what is shown of the test that fails begins. */
  readonly fails?: string;
}

const APP = ["app", "orders"];
const GET_BY_ID = [APP, ["handler", "get_by_id", "order_id:int", "--app", "orders"]];
const POST = [APP, ["handler", "post_index", "--app", "orders"]];
const BODY = "customer:string items:int[]";
const DECLARED = [APP, ["handler", "post_index", "--app", "orders", "--body", BODY]];
const LIST = "return { items: [] };";
const ECHO = "return { order_id };";
const READ = "const item = await request.json();";
const CREATED = "return [{ customer: body.customer, items: body.items }, 201];";

const EDITS: readonly Edit[] = [
  { what: "another object", commands: [APP], edits: [[LIST, "return { orders: [{ id: 1 }] };"]] },
  { what: "nothing", commands: [APP], edits: [[LIST, ""]] },
  {
    what: "a stream",
    commands: [APP],
    edits: [
      ["function get_index", "async function* get_index"],
      [LIST, 'yield "one";'],
    ],
  },
  {
    what: "404 for an unknown id",
    commands: GET_BY_ID,
    edits: [
      ["import type { int }", "import { HttpError, type int }"],
      [
        ECHO,
        'const order = new Map([[1, "lamp"]]).get(order_id);\n  if (order === undefined) throw new HttpError(404, "There is no such order");\n  return { order };',
      ],
    ],
  },
  {
    what: "204 after a DELETE",
    commands: [APP, ["handler", "delete_by_id", "order_id:int", "--app", "orders"]],
    edits: [["return { deleted: true, order_id };", ""]],
  },
  {
    what: "400 for a body without what it needs",
    commands: POST,
    edits: [[READ, `${READ}\n  if (!item.customer) return [{ error: "customer is required" }, 400];`]],
  },
  {
    what: "what was made of a declared body, with a header",
    commands: DECLARED,
    edits: [
      ["import type { Body", "import { reply, type Body"],
      [CREATED, 'return reply({ id: 7, ...body }, 201, { location: "/orders/7" });'],
    ],
  },
  {
    what: "the user of a provider, behind a param",
    commands: [["provider", "currentUser"], ...GET_BY_ID],
    edits: [
      [
        "order_id: int",
        'order_id: int, user: import("framework").From<typeof import("#providers/currentUser.ts").currentUser>',
      ],
      [ECHO, "return { order_id, user };"],
    ],
  },
  {
    what: "a handler that throws",
    commands: GET_BY_ID,
    edits: [[ECHO, "return { order: new Map<int, { name: string }>().get(order_id)!.name };"]],
    fails: '"GET /orders/by/id/<order_id> answers"\\n +{"error":"Internal Server Error"}',
  },
  {
    what: "a handler that moved away",
    commands: [APP],
    edits: [["get_index", "get_all"]],
    fails: '"GET /orders/ answers"\\n +{"error":"Not Found"}',
  },
  {
    what: "a field that callers have to send now",
    commands: DECLARED,
    edits: [["customer: string;", "customer: string;\n  note: string;"]],
    fails: '"POST /orders/ answers"\\n[^\\n]*"pointer":"/note"',
  },
];

/** Of the apps' numbers: all have as many digits, so that their files are run in this order. */
const FIRST = 10;

test("tests stay green when their handlers get real code, and turn red when these fail", async () => {
  const project = await copyProject();
  for (const [index, { what, commands, edits }] of EDITS.entries()) {
    // Each has an app of its own, so that all are tested at once.
    const rename = (text: string): string => text.replace(/orders(?=$|\/)/g, `orders${FIRST + index}`);
    for (const words of commands) {
      const { status, stderr } = await project.framework(["generate", ...words.map(rename)]);
      assert.is(status, 0, `${what}: ${stderr}`);
    }
    for (const [from, to] of edits) project.edit(rename("apps/orders/views.ts"), from, rename(to));
  }
  linkModules(project);
  const { status, stdout, stderr } = await runTests(project, ["orders"]);
  assert.is(status, 1, stdout + stderr);
  assert.is(stdout.match(/^orders\d+\.test\.ts$/gm)?.length, EDITS.length, stdout);
  const red = EDITS.flatMap(({ fails }, index) => fails?.replace("orders", `orders${FIRST + index}`) ?? []);
  const shown = stdout.split(/^ +FAIL +/m).slice(1);
  assert.is(shown.length, red.length, stdout);
  for (const [at, text] of red.entries()) assert.match(shown[at] ?? "", new RegExp(`^${text}`));
});

test.run();
