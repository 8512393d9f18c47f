import { test } from "uvu";
import * as assert from "uvu/assert";
import { renameKey } from "./toml-rename.ts";

const CASES: readonly (readonly [what: string, before: string, after: string])[] = [
  ["in its table", "# ours\n[server]\nlimit = 1 # MiB\n", "# ours\n[server]\nbody_limit = 1 # MiB\n"],
  ["as a dotted key", "server.limit = 1\nserver.port = 2\n", "server.body_limit = 1\nserver.port = 2\n"],
  ["in an inline table", "server = { port = 2, limit = 1 }\n", "server = { port = 2, body_limit = 1 }\n"],
  ["in quotes", '["server"]\n"limit" = 1\n', '["server"]\nbody_limit = 1\n'],
  [
    "with the line ends of Windows and a byte order mark",
    "\uFEFF[server]\r\nlimit=1\r\n",
    "\uFEFF[server]\r\nbody_limit=1\r\n",
  ],
  ["not in another table", "limit = 1\n[other]\nlimit = 2\n", "limit = 1\n[other]\nlimit = 2\n"],
  [
    "not in a text or a comment",
    '[server]\n# limit = 1\nhost = "limit"\n',
    '[server]\n# limit = 1\nhost = "limit"\n',
  ],
  [
    "as a table of its own",
    "[server.limit]\na = 1\n[server.limit.deep]\n",
    "[server.body_limit]\na = 1\n[server.body_limit.deep]\n",
  ],
];

for (const [what, before, after] of CASES) {
  test(`a key is renamed ${what}`, () => {
    assert.is(renameKey(before, ["server", "limit"], "body_limit"), after);
  });
}

test("a text that has the new name already, or can't be read, stays as it is", () => {
  assert.equal(renameKey("[server]\nlimit = 1\nbody_limit = 2\n", ["server", "limit"], "body_limit"), {
    why: "it has `server.body_limit` as well",
  });
  assert.match(
    JSON.stringify(renameKey("[server\n", ["server", "limit"], "b")),
    /it can't be read \(line \d+: /,
  );
});

test.run();
