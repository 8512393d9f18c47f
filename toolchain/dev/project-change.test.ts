import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Project, readSources } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { applyChange, describeChange } from "./project-change.ts";

type Sources = Readonly<Record<string, string>>;

const BODY = 'import type { Body } from "framework";\n';

const BEFORE: Sources = {
  "framework.toml": "",
  "routes/a.ts": "export const get = () => 1;\n",
  "routes/b.ts": `${BODY}export interface Item { name: string }\nexport const post = (body: Body<Item>) => body;\n`,
  "routes/c.ts": "export const get = () => 1;\n",
};

const AFTER: readonly (readonly [what: string, sources: Sources, added: number])[] = [
  ["nothing", BEFORE, 0],
  ["a handler that is another one", { ...BEFORE, "routes/a.ts": "\n\nexport const get = () => 2;\n" }, 1],
  ["one more file", { ...BEFORE, "routes/bb.ts": "export const get = () => 1;\n" }, 1],
  ["a file less", { "framework.toml": "", "routes/c.ts": "export const get = () => 1;\n" }, 0],
  [
    "another body",
    { ...BEFORE, "routes/b.ts": `${BODY}export const post = (body: Body<{ id: number }>) => body;\n` },
    1,
  ],
  ["another setting", { ...BEFORE, "framework.toml": "[server]\nport = 9000\n" }, 0],
  ["no routes", { "framework.toml": "" }, 0],
];

for (const [what, sources, added] of AFTER) {
  test(`what has become of a project by ${what} makes the new one of the old one, and names nothing that is the same`, () => {
    const [before, after] = [read(BEFORE), read(sources)];
    const change = JSON.parse(JSON.stringify(describeChange(before, after))) as ReturnType<
      typeof describeChange
    >;
    assert.equal(applyChange(before, change), toSent(after));
    const count = change.routes.reduce((sum, piece) => sum + ("added" in piece ? piece.added.length : 0), 0);
    assert.is(count, added);
  });
}

test("what has become of nothing is the whole project", () => {
  const project = read(BEFORE);
  assert.equal(applyChange(undefined, describeChange(undefined, project)), project);
});

function read(sources: Sources): Project {
  return readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(sources)))).project;
}

/** As another process gets it. */
function toSent(project: Project): unknown {
  return JSON.parse(JSON.stringify(project));
}

test.run();
