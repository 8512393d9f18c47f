/** Drives the plugin as the build does, over packages made up for it. What is in the real bundles: e2e/package.test.ts. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { collectLicences } from "./licences.ts";

type Files = Readonly<Record<string, string>>;

/** A package whose one module exports its name. */
function makePackage(
  name: string,
  license: unknown,
  files: Files = { LICENSE: `The text of ${name}` },
): Files {
  const manifest = { name, version: "1.2.3", license, main: "lib/index.js", sideEffects: false };
  const all = {
    ...files,
    "package.json": JSON.stringify(manifest),
    "lib/index.js": `export default "${name}";`,
  };
  return Object.fromEntries(
    Object.entries(all).map(([file, text]) => [`node_modules/${name}/${file}`, text]),
  );
}

/** @returns the licence file that is written for `main.js`. */
async function bundle(main: string, files: Files, plugins: Plugin[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "licences-"));
  try {
    for (const [file, text] of Object.entries({ ...files, "main.js": main })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const build = await rolldown({
      input: join(folder, "main.js"),
      plugins: [...plugins, collectLicences()],
    });
    await build.write({ file: join(folder, "out/main.cjs"), format: "cjs" });
    await build.close();
    return readFileSync(join(folder, "out/main.LICENSE.txt"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("each package with code in the bundle is there by name, version, licence and text", async () => {
  const files = { ...makePackage("alpha", "MIT"), ...makePackage("@scope/beta", "ISC") };
  const licences = await bundle(
    'import a from "alpha"; import b from "@scope/beta"; console.log(a, b);',
    files,
  );
  assert.match(licences, "in main.cjs");
  assert.match(licences, "alpha 1.2.3 (MIT)\n\nThe text of alpha\n");
  assert.match(licences, "@scope/beta 1.2.3 (ISC)\n\nThe text of @scope/beta\n");
});

test("a package that only another one brings along is there, from whichever folder it lies in", async () => {
  const outer = {
    ...makePackage("outer", "MIT"),
    "node_modules/outer/lib/index.js": 'import inner from "inner"; export default inner;',
  };
  const inner = Object.entries(makePackage("inner", "BSD-3-Clause"));
  const nested = Object.fromEntries(inner.map(([file, text]) => [`node_modules/outer/${file}`, text]));
  const licences = await bundle('import o from "outer"; console.log(o);', { ...outer, ...nested });
  assert.match(licences, "outer 1.2.3 (MIT)");
  assert.match(licences, "inner 1.2.3 (BSD-3-Clause)");
});

test("a package of which nothing stays in the bundle is not there", async () => {
  const files = { ...makePackage("alpha", "MIT"), ...makePackage("beta", "GPL-3.0-only") };
  const licences = await bundle('import a from "alpha"; import b from "beta"; console.log(a);', files);
  assert.not.match(licences, "beta");
});

test("what the bundler adds itself is there under its name", async () => {
  const files = { "old.cjs": "exports.one = 1;" };
  const licences = await bundle('import { one } from "./old.cjs"; console.log(one);', files);
  assert.match(licences, /rolldown [\d.]+ \(MIT\)/);
});

test("every text that a package has is there, the notice too", async () => {
  const texts = { "LICENSE-APACHE": "Apache text", "NOTICE.txt": "Notice text", "README.md": "Read me" };
  const licences = await bundle(
    'import a from "alpha"; console.log(a);',
    makePackage("alpha", "Apache-2.0", texts),
  );
  assert.match(licences, "Apache text");
  assert.match(licences, "Notice text");
  assert.not.match(licences, "Read me");
});

test("a package without a licence text stops the build by its name", async () => {
  const message = await bundle(
    'import a from "alpha"; console.log(a);',
    makePackage("alpha", "MIT", {}),
  ).catch(String);
  assert.match(message, "alpha is bundled, and it has no licence text");
});

test("code that no file tells the origin of stops the build", async () => {
  const stranger: Plugin = {
    name: "stranger",
    resolveId: (id) => (id === "stranger" ? "\0stranger" : undefined),
    load: (id) => (id === "\0stranger" ? "export default console.log(1);" : undefined),
  };
  const message = await bundle('import s from "stranger"; console.log(s);', {}, [stranger]).catch(String);
  assert.match(message, "nothing tells whose it is");
});

test.run();
