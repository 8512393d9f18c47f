/** Whether a failure of a load is caught, as the texts of the project and of packages have it. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "#convention/folder.fixture";
import { Graph } from "./graph.ts";

const TEXTS: readonly (readonly [text: string, isCaught: boolean])[] = [
  ['try { part = require("x"); } catch {}', true],
  ['try {\n  const { part } = await import("x");\n} catch {}', true],
  ['try { if (!off) { part = require("x"); } } catch {}', true],
  ['try { const { a } = b; part = require("x"); } catch {}', true],
  ['const part = await import("x").catch(() => undefined);', true],
  ['const part = await import("x").then((m) => m.default).catch(() => undefined);', true],
  ['const part = await import("x").then(\n  ({ a, b }) => f(a, b),\n  () => undefined,\n);', true],
  ['const part = await import("x").then((m) => m.default);', false],
  ['const part = await import("x").then((m) => f(m), );', false],
  ['const part = await import("x").then((m) => m.default);\nload().catch(log);', false],
  ['try { part = require("x"); } catch {}\nexports.load = () => require("x");', false],
  ['try { other(); } catch {}\nconst part = require("x");', false],
  ['const part = require("x");', false],
];

test("a load is caught where each load of that name has a try around it, or a catch after it", () => {
  const root = createFolder(Object.fromEntries(TEXTS.map(([text], at) => [`${at}.js`, text])));
  const found = TEXTS.map(([text], at): readonly [string, boolean] => {
    const graph = new Graph(root);
    const importer = join(root, `${at}.js`);
    graph.add(importer, { importer: "\0entry", source: importer, kind: "import-statement" });
    return [text, graph.isCaught({ importer, source: "x", kind: "dynamic-import" })];
  });
  rmSync(root, { recursive: true });
  assert.equal(found, TEXTS);
});

test("a statement that imports is never caught by its own file", () => {
  const root = createFolder({ "a.ts": 'import x from "x";\nawait import("x").catch(() => 1);\n' });
  const step = { importer: join(root, "a.ts"), source: "x", kind: "import-statement" };
  const graph = new Graph(root);
  graph.add(step.importer, { importer: "\0entry", source: step.importer, kind: "import-statement" });
  assert.not(graph.isCaught(step));
  assert.ok(graph.isCaught({ ...step, kind: "dynamic-import" }));
  rmSync(root, { recursive: true });
});

test.run();
