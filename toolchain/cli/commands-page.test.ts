/** docs/commands.md leaves no command out. `e2e/docs.test.ts` tests that what it shows is true. */

import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";

import { COMMANDS } from "./commands.ts";

const page = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");

test("the page has a section for each command, in their order, with its help", () => {
  const sections = [...page.matchAll(/^### (.+)\n\n```console\n\$ npx framework (.+) --help\n/gm)];
  const commands = Object.keys(COMMANDS);
  assert.equal(
    sections.map(([, heading]) => heading),
    commands,
  );
  assert.equal(
    sections.map(([, , command]) => command),
    commands,
  );
});

test.run();
