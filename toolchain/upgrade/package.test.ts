import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openPackage, UpgradeRefusal } from "./package.ts";
import { toTar } from "./tar.fixture.ts";

const test = suite<{ cwd: string; temporary: string }>("package");
const { PATH = "" } = process.env;
const isWindows = process.platform === "win32";

test.before.each((context) => {
  context.cwd = mkdtempSync(join(tmpdir(), "package-"));
  context.temporary = join(context.cwd, "temporary");
  mkdirSync(context.temporary);
});
test.after.each(({ cwd }) => {
  process.env.PATH = PATH;
  rmSync(cwd, { recursive: true });
});

/** @returns why there is no package. */
function findWhy(folders: { cwd: string; temporary: string }, path?: string): string {
  try {
    openPackage({ cwd: folders.cwd, path, version: undefined }, folders.temporary);
    return "";
  } catch (error) {
    if (!(error instanceof UpgradeRefusal)) throw error;
    return `${error.diagnostic.code} ${error.message}`;
  }
}

test("what is neither a file nor a folder is not waited for", (context) => {
  if (isWindows) return; // there are no pipes among its files
  execFileSync("mkfifo", [join(context.cwd, "pipe")]);
  assert.is(
    findWhy(context, "pipe"),
    "FW802 --from can't take the framework from pipe: it is neither a file nor a folder.",
  );
});

test("what --base names and is no package is told as that", ({ cwd, temporary }) => {
  const wanted = { cwd, path: "none.tgz", version: "1.0.0", option: "--base" } as const;
  assert.throws(
    () => openPackage(wanted, temporary),
    /^--base can't take the framework from none\.tgz: there is no such file or folder\.$/,
  );
});

test("a tarball whose files can't be written is refused, and says why", (context) => {
  const tar = toTar({ path: "package/a", content: "1" }, { path: "package/a/b", content: "2" });
  writeFileSync(join(context.cwd, "a.tgz"), gzipSync(tar));
  const why = findWhy(context, "a.tgz");
  assert.match(why, /^FW802 --from can't take the framework from a\.tgz: it can't be unpacked \(.+\)\.$/);
});

const NPM: readonly (readonly [what: string, script: string, told: string])[] = [
  [
    "its summary, of one line",
    `echo '{"error":{"summary":"404 Not Found\\nmore"}}'; exit 1`,
    "404 Not Found.",
  ],
  ["its status without a summary", "exit 1", "npm ended with status 1."],
  ["the signal that ended it", "kill -9 $$", "npm was ended by SIGKILL."],
];

for (const [what, script, told] of NPM) {
  test(`of an npm that failed, this is told: ${what}`, (context) => {
    if (isWindows) return; // npm is found in another way there
    writeFileSync(join(context.cwd, "npm"), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    process.env.PATH = `${context.cwd}${delimiter}${PATH}`;
    assert.is(findWhy(context), `FW801 npm could not fetch create-convention-app@latest: ${told}`);
  });
}

test.run();
