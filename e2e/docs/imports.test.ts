/** That pages and template import `framework` in the one form that docs/design.md gives the reasons for. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { REPOSITORY } from "../harness/workspace.ts";

/** What a reader copies from. */
const SHOWN: readonly string[] = ["README.md", ...list("docs"), ...list("template")].filter((name) =>
  /\.(?:md|ts)$/.test(name),
);

function list(folder: string): readonly string[] {
  const names = readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => !/node_modules|vendor/.test(name)).map((name) => `${folder}/${name}`);
}

/** @returns the import in the one form: from `framework`, sorted, and `type` once where it stands before every name. */
function inOneForm(typeOnly: boolean, specifiers: readonly string[]): string {
  const names = specifiers.map((name) => (typeOnly ? `type ${name}` : name)).sort(byName);
  const isOfTypes = names.every((name) => name.startsWith("type "));
  const list = (isOfTypes ? names.map(withoutType) : names).join(", ");
  return `import ${isOfTypes ? "type " : ""}{ ${list} } from "framework"`;
}

function byName(one: string, other: string): number {
  return withoutType(one).toLowerCase() < withoutType(other).toLowerCase() ? -1 : 1;
}

function withoutType(name: string): string {
  return name.replace(/^type /, "");
}

test("`framework` is imported in one form", () => {
  const imports = SHOWN.flatMap((file) =>
    [
      ...readFileSync(join(REPOSITORY, file), "utf8").matchAll(
        /import (type )?\{ ([^}]+) \} from "framework(?:\/(?!database")\w+)?"/g,
      ),
    ].map(([text, type, names = ""]) => ({ file, text, type, names })),
  );
  assert.ok(imports.length > 50, String(imports.length));
  const others = imports.filter(
    ({ text, type, names }) => text !== inOneForm(type !== undefined, names.split(/, */)),
  );
  assert.equal(others, []);
});

test.run();
