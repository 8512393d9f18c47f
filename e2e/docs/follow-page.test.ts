/** That a page which is not true is found out: where, and what is there instead. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { findNode, tried } from "../harness/nodes.ts";
import { followPage, renewPage } from "./follow-page.ts";
import { readNode } from "./page-node.ts";

/** A block, fenced. */
function fence(language: string, ...lines: string[]): string {
  return [`\`\`\`${language}`, ...lines, "```", ""].join("\n");
}

/** Nothing is run for these. */
const UNKNOWN: readonly (readonly [title: string, page: string, line: number, what: RegExp])[] = [
  ["a language that nothing runs", fence("python", "print(1)"), 2, /Nothing knows how to run `python`/],
  ["code without a language", fence("", "npm test"), 2, /does not say what it is/],
  ["code that is only indented", "Type\n\n    npm run dev\n", 3, /does not say what it is/],
  ["a session that calls itself text", fence("text", "$ npm test"), 2, /is `console`/],
  [
    "a list of files with one that is not there",
    fence("text", "app.ts   it", "apps/", "api.ts"),
    4,
    /api\.ts/,
  ],
  ["a file without a name", fence("toml", "apps = []"), 2, /names its file/],
  ["a file with `…` that is not there", fence("ts", "// routes/…_n.ts", "export {};"), 2, /no file routes/],
  ["a copy of no file", fence("yaml", "# kubernetes/none.yaml", "kind: Service"), 2, /names a file in docs/],
  [
    "lines that a file does not have one after another",
    fence("yaml", "# kubernetes/app.yaml", "apiVersion: v1", "metadata:"),
    2,
    /kubernetes\/app\.yaml does not have these lines/,
  ],
];

for (const [title, page, line, what] of UNKNOWN) {
  test(`${title} is told with its line`, async () => {
    const faults = await followPage(page);
    assert.equal(
      faults.map((fault) => fault.line),
      [line],
      JSON.stringify(faults),
    );
    assert.match(faults[0]?.what ?? "", what);
  });
}

/** On one page, where each is told by itself. */
const RUN: readonly (readonly [title: string, block: string, what: RegExp])[] = [
  ["an output that is not printed", fence("console", "$ echo a; echo b", "a", "c"), / {2}a\n- c\n\+ b\n/],
  ["an output that is not shown", fence("console", "$ echo a"), /\n\+ a\n/],
  ["a command that fails without a word", fence("console", "$ false"), /exit status is 1/],
  ["one of several commands", fence("sh", "exit 3 # why"), /\$ exit 3\nended with 3/],
  ["a server that prints something else", fence("console", "$ npm start -- --port x", "Hello"), /- Hello\n/],
  ["a fragment with a wrong type", fence("ts", 'export const n: number = "1";'), /TS2322/],
  [
    "a file that is written again before it was ever right",
    fence("ts", "// routes/n.ts", 'export const get = (): number => "1";') +
      fence("ts", "// routes/n.ts", "export const get = () => 1;"),
    /routes\/n\.ts as written .*\n.*TS2322/,
  ],
  [
    "a file whose handler is an error",
    fence("ts", "// routes/n.ts", "export function get(...n: string[]) {", "  return n;", "}"),
    /FW302/,
  ],
];

test("what is not as it runs is told", async () => {
  const faults = await followPage(RUN.map(([, block]) => block).join(""));
  for (const [at, [title, , what]] of RUN.entries()) assert.match(faults[at]?.what ?? "", what, title);
  assert.is(faults.length, RUN.length, JSON.stringify(faults));
});

/** One page: what each block leaves, the next ones find. */
const TRUE: readonly (readonly [what: string, ...blocks: string[]])[] = [
  ["what a reason says is not run", `<!-- not run: it is a made-up language -->\n\n${fence("python", "x")}`],
  ["files and folders may be listed", fence("text", "my-app/", "  app.ts       it", "  apps/users/", "→ on")],
  [
    "`…` is any text in a line, any lines where it is alone, and at the end the rest, which may be nothing",
    fence("console", "$ echo one two three; seq 5", "one … three", "1", "…", "5", "$ echo 1", "1", "…"),
  ],
  [
    "what is wrong on purpose is so for one session",
    fence("ts", "// routes/n.ts, wrong", "export function get_all() {}"),
    fence("console", "$ cat routes/n.ts", "// routes/n.ts, wrong", "…"),
    fence("console", "$ ls routes", "index.ts", "items.ts"),
  ],
  [
    "what is added stands below what was there",
    fence("toml", "# routes/n.toml", "a = 1"),
    fence("toml", "# routes/n.toml, added", "b = 2"),
    fence("console", "$ cat routes/n.toml", "# routes/n.toml", "a = 1", "b = 2"),
  ],
  [
    "a file is written whose name differs from run to run",
    fence("sh", "touch routes/$$_n.ts"),
    fence("ts", "// routes/…_n.ts", "export const get = () => 1;"),
    fence("console", "$ cat routes/*_n.ts", "// routes/…_n.ts", "export const get = () => 1;"),
  ],
  ["lines of a file that readers copy", fence("yaml", "# kubernetes/app.yaml", "kind: Service", "metadata:")],
  ["the address is the page's, whatever the port", fence("console", "$ echo $PORT", "8000")],
  [
    "a server serves what is written, prints on, and ends by Ctrl-C",
    fence("console", "$ npm run dev", "…", "  my-app  http://localhost:8000", "…"),
    fence("ts", "// routes/m.ts", "export const get = () => ({ n: 1 });"),
    fence("console", "$ curl localhost:8000/m", '{"n":1}'),
    fence("console", "…GET…/m…"),
    fence("console", "$ npm start -- --port 3000", "…http://localhost:3000…", "^C", "…"),
  ],
  ["the shell stays where it has gone", fence("console", "$ cd apps", "$ ls", "products", "users")],
];

test(`on a true page nothing is told: ${TRUE.map(([what]) => what).join("; ")}`, async () => {
  assert.equal(await followPage(TRUE.flatMap(([, ...blocks]) => blocks).join("\n")), []);
});

const [name = "node24"] = tried;
const program = await findNode(name);

(program === undefined ? test.skip : test)("a page runs on another Node, if it names one", async () => {
  assert.is(readNode(`<!-- runs on ${name} -->\n`), name);
  assert.throws(() => readNode("<!-- runs on node18 -->"), /and not on node18/);
  const page = fence("console", "$ which node", program ?? "");
  assert.equal(await followPage(page, program), []);
  assert.is((await followPage(page)).length, 1);
});

test("a page is renewed with what is printed, and keeps its `…` where the line is right", async () => {
  const page = `${fence("console", "$ printf 'a 1\\nb 2\\nc 3\\n'", "a …", "x", "$ echo d", "e")}\nAn end.\n`;
  const renewed = renewPage(page, await followPage(page));
  const lines = ["$ printf 'a 1\\nb 2\\nc 3\\n'", "a …", "b 2", "c 3", "$ echo d", "d"];
  assert.is(renewed, `${fence("console", ...lines)}\nAn end.\n`);
});

test.run();
