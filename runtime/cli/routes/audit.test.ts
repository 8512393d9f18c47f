import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#runtime/convention/folder.fixture";
import type { CommandInput } from "../command.ts";
import { type Printed, print, type Screen } from "../typed.fixture.ts";
import { routesAudit } from "./audit.ts";

const test = suite<{ root: string }>("routes audit");

const SAMPLES = {
  "framework.toml": 'apps = ["users"]\n\n[server]\nhealth = "/healthz"\n',
  "apps/users/app.toml": "",
  "apps/users/views.ts": `import type { Bearer, int } from "framework";
throw new Error("loaded");
export function get_all() {}
export function put_by_id(user_id: int, token: Bearer) {}
`,
  "routes/index.ts": "export function get() {}\n",
  "routes/items.ts": "export function post() {}\nexport function get(item_id: string) {}\n",
};

test.before.each((context) => {
  context.root = createFolder(SAMPLES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

async function audit(
  cwd: string,
  options: CommandInput["options"] = {},
  screen: Screen = {},
): Promise<Printed> {
  return print((terminal) => routesAudit.run({ cwd, words: [], options, terminal }), screen);
}

test("without [exposure] the open routes come first, and the lines that would list them follow", async ({
  root,
}) => {
  assert.equal(await audit(root), {
    status: 0,
    out: `METHOD  PATTERN                 GUARDED BY  HANDLER    LOCATION
GET     /                       nothing     get        routes/index.ts:1:17
POST    /items                  nothing     post       routes/items.ts:1:17
GET     /items/<item_id>        nothing     get        routes/items.ts:2:17
GET     /users/all              nothing     get_all    apps/users/views.ts:3:17
PUT     /users/by/id/<user_id>  bearer      put_by_id  apps/users/views.ts:4:17

5 routes: 1 guarded, 4 open
The framework itself answers GET /healthz, which is always open: \`health\` in framework.toml.

Add this to framework.toml, and \`framework routes check\` reports any other open route as an error.
Leave out the routes that should be guarded:

[exposure]
open = [
  "GET /",
  "POST /items",
  "GET /items/<item_id>",
  "GET /users/all",
]`,
    err: "",
  });
});

test.run();
