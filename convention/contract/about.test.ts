import { test } from "uvu";
import * as assert from "uvu/assert";
import type { About } from "./contract.ts";
import { readTexts } from "./reading.fixture.ts";

const CASES: readonly [toml: string, packageJson: string | undefined, about: About][] = [
  ["", undefined, { title: "nowhere", version: "0.0.0", servers: [] }],
  ["", "{ not JSON", { title: "nowhere", version: "0.0.0", servers: [] }],
  ["", "[]", { title: "nowhere", version: "0.0.0", servers: [] }],
  ["", '{ "name": 1, "version": "" }', { title: "nowhere", version: "0.0.0", servers: [] }],
  [
    "",
    '{ "name": "my-shop", "version": "1.2.0", "description": "Sells." }',
    { title: "my-shop", version: "1.2.0", description: "Sells.", servers: [] },
  ],
  [
    '[contract]\ntitle = "Shop"\ndescription = """\nSells.\n\nBuys.\n"""\nservers = ["/v1"]',
    '{ "name": "my-shop", "version": "1.2.0", "description": "Other." }',
    { title: "Shop", version: "1.2.0", description: "Sells.\n\nBuys.", servers: ["/v1"] },
  ],
];

for (const [toml, packageJson, about] of CASES)
  test(`${JSON.stringify(toml)} with ${packageJson} is ${JSON.stringify(about)}`, () => {
    const texts = {
      "framework.toml": toml,
      ...(packageJson !== undefined && { "package.json": packageJson }),
    };
    assert.equal(readTexts(texts).about, about);
  });

test.run();
