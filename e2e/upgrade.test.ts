/** `framework upgrade`, through its real doors: a created project, its edits, and packages of other versions. */

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Outcome, run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { packFolder, unpackOnce } from "./harness/package.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { startRegistry } from "./harness/registry.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";
import {
  archiveOf,
  createVariant,
  type Draft,
  packVariant,
  readTree,
  type Variant,
} from "./upgrade/variants.ts";

const { version: OWN } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
const VENDORED = "vendor/framework";
const WAITING = "vendor/framework.new";

/** Files of the framework that each version has. */
const [APP, ROUTER, WIRE] = ["runtime/app.js", "runtime/routing.js", "runtime/wire.js"] as const;
const [GONE, ADDED] = ["http.d.ts", "runtime/added.js"] as const;

function prepend(draft: Draft, file: string, line: string): void {
  draft.write(file, `${line}\n${draft.read(file)}`);
}

/** Of every kind of file one changes; one comes, one goes. */
const next = once("version 90.2.0", () =>
  createVariant("90.2.0", (draft) => {
    for (const file of [APP, ROUTER]) prepend(draft, file, "// 90.2.0");
    draft.write(ADDED, "export const added = 2;\n");
    draft.remove(GONE);
  }),
);

/** One more, with a template that has other packages. */
const afterNext = once("version 90.3.0", () =>
  createVariant("90.3.0", (draft) => {
    prepend(draft, WIRE, "// 90.3.0");
    draft.write(ADDED, "export const added = 3;\n");
    draft.template.devDependencies.typescript = "^8.0.0";
    draft.template.scripts.release = "npm publish";
    draft.template.bin.framework = "vendor/framework/moved.js";
  }),
);

/** With the package that made the project, for its originals. */
async function upgrade(
  project: Project,
  variant: Pick<Variant, "folder">,
  ...words: string[]
): Promise<Outcome> {
  const base = words.includes("--base") ? [] : ["--base", await unpackOnce()];
  return project.framework(["upgrade", "--from", variant.folder, ...base, ...words]);
}

async function upgradeWell(
  project: Project,
  variant: Pick<Variant, "folder">,
  ...words: string[]
): Promise<string> {
  const { status, stdout, stderr } = await upgrade(project, variant, ...words);
  assert.is(status, 0, stdout + stderr);
  assert.is(stderr, "");
  return stdout;
}

/** Everything in the project, with the vendored files. */
function treeOf({ folder }: Project): Record<string, string> {
  const files = Object.entries(readTree(folder)).map(([file, bytes]) => [file, bytes.toString("latin1")]);
  return Object.fromEntries(files);
}

/** The vendored files that are not as a version has them. */
function differing({ folder }: Project, { files }: Pick<Variant, "files">): string[] {
  const found = readTree(join(folder, VENDORED));
  const names = [...new Set([...Object.keys(found), ...Object.keys(files)])].sort();
  return names.filter((file) => found[file]?.equals(files[file] ?? Buffer.of()) !== true);
}

function vendored(project: Project, file: string): string {
  return project.read(`${VENDORED}/${file}`);
}

function editTop(project: Project, file: string, line: string): void {
  project.write(`${VENDORED}/${file}`, `${line}\n${vendored(project, file)}`);
}

function editEnd(project: Project, file: string, line: string): void {
  project.write(`${VENDORED}/${file}`, `${vendored(project, file)}${line}\n`);
}

test("an untouched framework becomes the newer one, byte for byte, and serves; asked again, it is there already", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const before = project.tree();
  const told = await upgradeWell(project, variant);
  assert.match(told, /^Files without an edit of yours: \d+ replaced, 1 created, 1 removed\.\n\n/);
  assert.match(told, /^The framework is upgraded from \S+ to 90\.2\.0\./m);
  assert.equal(differing(project, variant), []);
  assert.equal(project.tree(), before);
  assert.is((await project.framework(["--version"])).stdout, "framework 90.2.0\n");
  const server = await serve(project.folder);
  await checkSamples(server.url);
  await server.stop();
  assert.is(await upgradeWell(project, variant), "The framework is at 90.2.0 already.\n");
});

test("a tarball needs neither git nor npm nor a network", async () => {
  const [project, { folder, files }] = [await copyProject(), await next()];
  const { tarball } = await packFolder(folder, createFolder("packed"));
  const env = { ...isolatedEnvironment(), PATH: createFolder("no-programs") };
  const words = ["upgrade", "--from", relative(join(project.folder, "apps"), tarball)];
  const { status, stderr } = await run([process.execPath, `../${VENDORED}`, ...words], {
    cwd: join(project.folder, "apps"),
    env,
  });
  assert.is(status, 0, stderr);
  assert.equal(differing(project, { files }), []);
});

test("`npm create convention-app@… -- --upgrade` in a project does the same, and outside of one nothing", async () => {
  const [project, { folder, files }] = [await copyProject(), await next()];
  const registry = await startRegistry();
  await registry.publish((await packFolder(folder, createFolder("packed"))).tarball);
  const env = isolatedEnvironment(registry.url);
  const create = (cwd: string, ...words: string[]): Promise<Outcome> =>
    run(["npm", "create", "convention-app@latest", "--yes", ...words], { cwd, env });
  const outside = await create(createFolder("outside"), "--", "--upgrade");
  assert.is(outside.status, 2, outside.stderr);
  assert.match(outside.stderr, /this folder is not in a project, so there is nothing to upgrade/);
  const named = await create(project.folder, "--", "apps", "--upgrade");
  assert.is(named.status, 2);
  assert.match(named.stderr, /--upgrade takes no directory, but got "apps"/);
  const checked = await create(join(project.folder, "apps"), "--", "--upgrade", "--check");
  assert.is(checked.status, 1, checked.stderr);
  assert.is((await create(join(project.folder, "apps"), "--", "--upgrade")).status, 0);
  assert.equal(differing(project, { files }), []);

  const [latest, chosen, unknown] = await Promise.all(
    [[], ["90.2.0"], ["99.9.9"]].map(async (words) => {
      const other = await copyProject();
      return { other, outcome: await other.spawnFramework(["upgrade", ...words], { env }) };
    }),
  );
  for (const one of [latest, chosen]) {
    assert.is(one?.outcome.status, 0, one?.outcome.stderr);
    assert.equal(one && differing(one.other, { files }), []);
  }
  const ahead = await copyProject();
  await upgradeWell(ahead, await afterNext());
  assert.is(
    (await ahead.spawnFramework(["upgrade"], { env })).stdout,
    "The framework is at 90.3.0 already. The newest in the registry is 90.2.0.\n",
  );
  assert.is(unknown?.outcome.status, 1);
  assert.match(
    unknown?.outcome.stderr ?? "",
    /^error FW801 npm could not fetch create-convention-app@99\.9\.9: No match/,
  );
});

test("without a registry that answers, nothing happens, and a package at hand is named as the way out", async () => {
  const project = await copyProject();
  const before = treeOf(project);
  const { status, stderr } = await project.framework(["upgrade"]);
  assert.is(status, 1);
  assert.match(
    stderr,
    /^error FW801 npm could not fetch create-convention-app@latest: .*ECONNREFUSED.*\.\n {2}hint: .*--from/,
  );
  assert.equal(treeOf(project), before);
});

test("edits are merged, kept or set aside, what was missing comes back, and the user's own files stay", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editEnd(project, APP, "// mine");
  editEnd(project, WIRE, "// mine, too");
  editEnd(project, GONE, "// mine, of what goes");
  rmSync(join(project.folder, VENDORED, "http.js"));
  project.write(`${VENDORED}/runtime/own.js`, "// all mine\n");
  project.write(`${VENDORED}/${ADDED}`, "// mine, with the name of what comes\n");
  const told = await upgradeWell(project, variant);
  for (const line of [
    /^aside {5}vendor\/framework\/http\.d\.ts\.edited .*\naside {5}vendor\/framework\/runtime\/added\.js\.edited .*\nrestored/,
    /^merged {4}vendor\/framework\/runtime\/app\.js/m,
    /^kept {6}vendor\/framework\/runtime\/wire\.js/m,
    /^restored {2}vendor\/framework\/http\.js/m,
  ]) {
    assert.match(told, line);
  }
  assert.is(vendored(project, APP), `${variant.files[APP]}// mine\n`);
  assert.match(vendored(project, `${GONE}.edited`), /\/\/ mine, of what goes\n$/);
  assert.is(vendored(project, `${ADDED}.edited`), "// mine, with the name of what comes\n");
  const asides = [`${GONE}.edited`, `${ADDED}.edited`];
  assert.equal(differing(project, variant), [WIRE, APP, "runtime/own.js", ...asides].sort());
  assert.match(vendored(project, WIRE), /\/\/ mine, too\n$/);
  assert.is((await project.framework(["--version"])).stdout, "framework 90.2.0\n");
});

test("a file that the user added and the newer version has, too, is no conflict where both are the same", async () => {
  const [project, variant] = [await copyProject(), await next()];
  project.write(`${VENDORED}/${ADDED}`, "export const added = 2;\n");
  await upgradeWell(project, variant);
  assert.equal(differing(project, variant), []);
  rmSync(join(project.folder, VENDORED, "http.js"));
  assert.match(await upgradeWell(project, variant), /^restored .*\n\nThe framework is at 90\.2\.0\.\n$/);
});

test("conflicts are listed with their lines; until they are resolved the project stays as it is, and runs", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  editEnd(project, ROUTER, "// mine");
  editEnd(project, WIRE, "// mine");
  const before = treeOf(project);
  const { status, stdout, stderr } = await upgrade(project, variant);
  assert.is(status, 1);
  assert.match(stdout, /^conflict {2}vendor\/framework\/runtime\/app\.js/m);
  assert.match(stderr, /^error FW805 You and 90\.2\.0 changed the same lines in one place\.$/m);
  assert.ok(stderr.includes(`  ${WAITING}/${APP}:1:1\n`), stderr);
  const laidOut = project.read(`${WAITING}/${APP}`);
  assert.ok(
    laidOut.startsWith("<<<<<<< yours\n// mine\n||||||| base\n=======\n// 90.2.0\n>>>>>>> 90.2.0\n"),
    laidOut,
  );
  const now = Object.entries(treeOf(project)).filter(([file]) => !file.startsWith(WAITING));
  assert.equal(Object.fromEntries(now), before);
  assert.is((await project.framework(["--version"])).stdout, `framework ${OWN}\n`);
  assert.match((await project.framework(["doctor"])).stdout, /^warning FW841 .*vendor\/framework\.new/m);

  const again = await project.framework(["upgrade", "--continue"]);
  assert.is(again.status, 1);
  assert.match(again.stderr, /in one place/);
  project.write(`${WAITING}/${APP}`, laidOut.replace(/<{7}.*?>{7} 90\.2\.0/s, "// both"));
  const other = await upgrade(project, await afterNext());
  assert.is(other.status, 1);
  assert.match(other.stderr, /^error FW806 An upgrade waits for you in vendor\/framework\.new/);
  const { status: made, stdout: told, stderr: problems } = await project.framework(["upgrade", "--continue"]);
  assert.is(made, 0, problems);
  assert.match(told, /^merged {4}\S+app\.js .*\nmerged {4}\S+routing\.js .*\nkept {6}\S+wire\.js .*\n\n/);
  assert.is(vendored(project, APP), variant.files[APP]?.toString().replace("// 90.2.0", "// both"));
  assert.is(vendored(project, ROUTER), `${variant.files[ROUTER]}// mine\n`);
  assert.equal(differing(project, variant), [APP, ROUTER, WIRE].sort());
  assert.not(project.has(WAITING));
  assert.is(await upgradeWell(project, variant), "The framework is at 90.2.0 already.\n");
});

test("what was edited while an upgrade waited is not lost, nor a resolution that takes the newer text", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  assert.is((await upgrade(project, variant)).status, 1);
  project.write(`${WAITING}/${APP}`, String(variant.files[APP]));
  editEnd(project, WIRE, "// since");
  project.write(`${VENDORED}/own.js`, "// since\n");
  symlinkSync("nowhere", join(project.folder, VENDORED, "runtime/link"));
  const { status, stdout, stderr } = await project.framework(["upgrade", "--continue"]);
  assert.is(status, 0, stderr);
  for (const file of [APP, WIRE])
    assert.match(stdout, new RegExp(`^aside {5}${VENDORED}/${file}\\.edited `, "m"));
  assert.match(vendored(project, `${APP}.edited`), /^\/\/ mine\n/);
  assert.match(vendored(project, `${WIRE}.edited`), /\/\/ since\n$/);
  assert.is(readlinkSync(join(project.folder, VENDORED, "runtime/link")), "nowhere");
  rmSync(join(project.folder, VENDORED, "runtime/link"));
  assert.equal(differing(project, variant), [`${APP}.edited`, `${WIRE}.edited`, "own.js"].sort());
});

test("--abort leaves every byte as it was, also of conflicts that were half resolved; twice, it says that there is nothing", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  rmSync(join(project.folder, VENDORED, "http.js"));
  const before = treeOf(project);
  assert.is((await upgrade(project, variant)).status, 1);
  project.write(`${WAITING}/${APP}`, "half");
  for (const word of ["--dry-run", "--check", "1.2.3", "--continue"]) {
    const { status, stderr } = await project.framework(["upgrade", "--abort", word]);
    assert.is(status, 2);
    assert.match(stderr, "--abort");
  }
  const aborted = await project.framework(["upgrade", "--abort"]);
  assert.is(aborted.status, 0, aborted.stderr);
  assert.match(aborted.stdout, /^Gave up the upgrade to 90\.2\.0\./);
  assert.equal(treeOf(project), before);
  assert.is((await project.framework(["upgrade", "--abort"])).stdout, "No upgrade is under way.\n");
  assert.is(
    (await project.framework(["upgrade", "--continue"])).stdout,
    `The framework is at ${OWN} already. No upgrade is under way.\n`,
  );
});

test("without the original of an edit nothing is replaced, and the newer version lies beside", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editEnd(project, APP, "// mine");
  editEnd(project, WIRE, "// mine, too");
  const before = treeOf(project);
  const offline = await project.framework(["upgrade", "--from", variant.folder]);
  assert.is(offline.status, 1);
  assert.match(offline.stdout, /^unmerged {2}vendor\/framework\/runtime\/app\.js/m);
  assert.match(
    offline.stderr,
    /^error FW804 An edit can't be merged without the original of \S+: npm could not fetch create-convention-app@\S+: .*ECONNREFUSED/,
  );
  assert.match(offline.stderr, /--base .*upgrade --continue$/m);
  const now = Object.entries(treeOf(project)).filter(([file]) => !file.startsWith(WAITING));
  assert.equal(Object.fromEntries(now), before);
  assert.is(project.read(`${WAITING}/${APP}`), String(variant.files[APP]));
  assert.is(project.read(`${WAITING}/${APP}.edited`), vendored(project, APP));

  const wrong = await upgrade(project, variant, "--base", variant.folder);
  assert.is(wrong.status, 1);
  assert.match(wrong.stderr, /^error FW804 .*: \S+ has other files than the project's manifest names\.$/m);
  const missing = await upgrade(project, variant, "--base", "../none.tgz");
  assert.match(missing.stderr, /^error FW802 --base .* \.\.\/none\.tgz: there is no such file or folder\.$/m);
  await upgradeWell(project, variant);
  assert.is(vendored(project, APP), `${variant.files[APP]}// mine\n`);
  assert.equal(differing(project, variant), [APP, WIRE].sort());
  assert.not(project.has(WAITING));
});

test("what was merged by hand goes on with --continue, or by renaming the folder", async () => {
  const variant = await next();
  const [project, other] = [await copyProject(), await copyProject()];
  for (const one of [project, other]) {
    editEnd(one, APP, "// mine");
    assert.is((await one.framework(["upgrade", "--from", variant.folder])).status, 1);
    one.write(`${WAITING}/${APP}`, `${variant.files[APP]}// mine, by hand\n`);
  }
  assert.match((await upgrade(project, variant)).stderr, /^error FW806 /);
  assert.is((await project.framework(["upgrade", "--continue"])).status, 0);
  assert.equal(differing(project, variant), [APP]);
  rmSync(join(other.folder, VENDORED), { recursive: true });
  renameSync(join(other.folder, WAITING), join(other.folder, VENDORED));
  assert.is((await other.framework(["--version"])).stdout, "framework 90.2.0\n");
  // What waits has the files of a database, too, for a project that gets one meanwhile.
  assert.equal(differing(other, { files: readTree(variant.framework) }), [APP, `${APP}.edited`]);
});

test("line ends of Windows are no edit, and those of an edited file are kept", async () => {
  const [project, variant] = [await copyProject(), await next()];
  for (const file of [APP, ROUTER, WIRE]) {
    project.write(`${VENDORED}/${file}`, vendored(project, file).replaceAll("\n", "\r\n"));
  }
  project.write(`${VENDORED}/${APP}`, `${vendored(project, APP)}// mine\r\n`);
  const told = await upgradeWell(project, variant);
  assert.equal(
    [...told.matchAll(/^(?:merged|conflict|kept) .*?(\S+\.js)/gm)].map(([, file]) => file),
    [`${VENDORED}/${APP}`],
  );
  assert.is(vendored(project, APP), `${`${variant.files[APP]}`.replaceAll("\n", "\r\n")}// mine\r\n`);
  assert.equal(differing(project, variant), [APP]);
  assert.is((await project.framework(["--version"])).stdout, "framework 90.2.0\n");
});

test("--dry-run and --check write nothing; the diff shows what becomes of the user's edits", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editEnd(project, APP, "// mine");
  editTop(project, ROUTER, "// mine");
  const before = treeOf(project);
  const dry = await upgradeWell(project, variant, "--dry-run");
  assert.match(dry, /^An upgrade from \S+ to 90\.2\.0 would do this:\n\n/);
  assert.match(
    dry,
    /^--- a\/vendor\/framework\/runtime\/app\.js\n\+{3} b\/vendor\/framework\/runtime\/app\.js\n@@ .*\n\+\/\/ 90\.2\.0$/m,
  );
  assert.match(dry, /^\+<<<<<<< yours$/m);
  const { from, to, files, diff } = JSON.parse(await upgradeWell(project, variant, "--dry-run", "--json"));
  assert.equal([from, to], [OWN, "90.2.0"]);
  assert.equal(
    files.filter(({ file }: { file: string }) => file.startsWith(`${VENDORED}/runtime/`)),
    [
      { file: `${VENDORED}/${ADDED}`, change: "created" },
      { file: `${VENDORED}/${APP}`, change: "merged" },
      { file: `${VENDORED}/${ROUTER}`, change: "conflict" },
    ],
  );
  assert.ok(dry.includes(diff.trim()));
  assert.is((await upgrade(project, variant, "--check")).status, 1);
  assert.equal(treeOf(project), before);
});

test("an older version is refused; with --force the way back is merged, too, and gives the same bytes", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editEnd(project, APP, "// mine");
  const before = treeOf(project);
  const original = { folder: await unpackOnce() };
  await upgradeWell(project, variant);
  assert.is((await upgrade(project, variant, "--check")).status, 0);
  const refused = await upgrade(project, original);
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /^error FW803 \S+ is older than 90\.2\.0/);
  await upgradeWell(project, original, "--force", "--base", variant.folder);
  assert.equal(treeOf(project), before);
});

test("what new projects have is told", async () => {
  const [project, variant] = [await copyProject(), await afterNext()];
  await upgradeWell(project, await next());
  const before = project.read("package.json");
  const told = await upgradeWell(project, variant);
  assert.match(
    told,
    /^New projects have "\^8\.0\.0" for `typescript` under `devDependencies` in package\.json\.$/m,
  );
  assert.match(told, /^New projects have "npm publish" for `release` under `scripts` in package\.json\.$/m);
  assert.match(
    told,
    /moved\.js" for `framework` under `bin` in package\.json\. Write that and install again: /m,
  );
  assert.is(project.read("package.json"), before);
  assert.equal(differing(project, variant), []);
});

test("a project without its manifest can't be upgraded, and is told why", async () => {
  const [project, variant] = [await copyProject(), await next()];
  project.write(`${VENDORED}/manifest.json`, "{");
  const { status, stderr } = await upgrade(project, variant);
  assert.is(status, 1);
  assert.match(stderr, /^error FW808 .*manifest\.json: it is not JSON\.$/m);
});

const NO_PACKAGES: readonly (readonly [
  what: string,
  lay: (folder: string) => Promise<void> | void,
  says: RegExp,
])[] = [
  ["what is not there", () => {}, /there is no such file or folder/],
  ["a text", (place) => writeFileSync(place, "hello"), /it is not a complete gzip file/],
  [
    "a folder of something else",
    (place) => void mkdirSync(place),
    /it is not the package create-convention-app/,
  ],
  [
    "half a tarball",
    async (place) => {
      const { tarball } = await packFolder((await next()).folder, createFolder("packed"));
      writeFileSync(place, readFileSync(tarball).subarray(0, 100_000));
    },
    /it is not a complete gzip file/,
  ],
  [
    "a package that is not built",
    async (place) => {
      mkdirSync(place);
      writeFileSync(join(place, "package.json"), readFileSync(join((await next()).folder, "package.json")));
    },
    /it is not built, or not complete/,
  ],
];

for (const [what, lay, says] of NO_PACKAGES) {
  test(`${what} is no package to upgrade from`, async () => {
    const project = await copyProject();
    const before = treeOf(project);
    await lay(join(dirname(project.folder), "given"));
    const { status, stderr } = await project.framework(["upgrade", "--from", "../given"]);
    assert.is(status, 1);
    assert.match(stderr, /^error FW802 The project can't be upgraded from \.\.\/given: /);
    assert.match(stderr, says);
    assert.equal(treeOf(project), before);
  });
}

test("a package whose framework is not as its manifest says is refused", async () => {
  const [project, { framework }] = [await copyProject(), await next()];
  const damaged = createFolder("damaged");
  cpSync(framework, damaged, { recursive: true });
  const { folder } = await packVariant("90.2.0", damaged, ["index.js"]);
  const before = treeOf(project);
  const { status, stderr } = await upgrade(project, { folder });
  assert.is(status, 1);
  assert.match(
    stderr,
    /^error FW802 The project can't be upgraded from .*: index\.js is not as its manifest says\.$/m,
  );
  assert.equal(treeOf(project), before);
});

test("what a linked file leads to stays as it is, and a linked folder is refused", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const outside = createFolder("outside");
  writeFileSync(join(outside, "routing.js"), `${vendored(project, ROUTER)}// mine\n`);
  rmSync(join(project.folder, VENDORED, ROUTER));
  symlinkSync(join(outside, "routing.js"), join(project.folder, VENDORED, ROUTER));
  symlinkSync("nowhere", join(project.folder, VENDORED, "own"));
  const linked = readFileSync(join(outside, "routing.js"), "utf8");
  await upgradeWell(project, variant);
  assert.is(readFileSync(join(outside, "routing.js"), "utf8"), linked);
  assert.not(lstatSync(join(project.folder, VENDORED, ROUTER)).isSymbolicLink());
  assert.is(vendored(project, ROUTER), `${variant.files[ROUTER]}// mine\n`);
  assert.is(readlinkSync(join(project.folder, VENDORED, "own")), "nowhere");

  renameSync(join(project.folder, VENDORED), join(outside, "framework"));
  symlinkSync(join(outside, "framework"), join(project.folder, VENDORED));
  const { status, stderr } = await upgrade(project, await afterNext());
  assert.is(status, 1);
  assert.match(stderr, /^error FW623 vendor\/framework leads out of the project/);
  assert.equal(readdirSync(join(project.folder, "vendor")), ["framework"]);
});

test("two upgrades at once make one", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const outcomes = await Promise.all([upgrade(project, variant), upgrade(project, variant)]);
  assert.equal(
    outcomes.map(({ status }) => status),
    [0, 0],
    outcomes.map(({ stderr }) => stderr).join(),
  );
  assert.equal(differing(project, variant), []);
  assert.not(existsSync(join(project.folder, ".framework")));
});

test("an upgrade that was killed between its two renames is repaired by the next one", async () => {
  const [project, variant] = [await copyProject(), await next()];
  renameSync(join(project.folder, VENDORED), join(project.folder, `${VENDORED}.replaced`));
  mkdirSync(join(project.folder, `${VENDORED}.unfinished`));
  const words = [process.execPath, join(variant.folder, "dist/create.cjs"), "--upgrade"];
  const { status, stderr } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
  assert.is(status, 0, stderr);
  assert.equal(differing(project, variant), []);
  assert.equal(readdirSync(join(project.folder, "vendor")), ["framework"]);
});

const DATABASE = [
  "database.d.ts",
  "database.js",
  "database/engine.js",
  "database/postgres.js",
  "database/sqlite.js",
];

test("an upgrade has files of a database for a project that has some, also for one that got them while it waited", async () => {
  const variant = await createVariant("90.4.0", (draft) => {
    for (const file of [APP, ...DATABASE]) prepend(draft, file, "// 90.4.0");
  });
  const newest = readTree(variant.framework);
  const [without, edited, waiting] = [await copyProject(), await copyProject(), await copyProject()];
  await upgradeWell(without, variant);
  assert.equal(differing(without, variant), []);

  assert.is((await edited.framework(["generate", "database", "sqlite"])).status, 0);
  editEnd(edited, "database/sqlite.js", "// mine");
  assert.match(await upgradeWell(edited, variant), /^merged {4}vendor\/framework\/database\/sqlite\.js/m);
  assert.equal(differing(edited, { files: newest }), ["database/sqlite.js"]);
  assert.is(vendored(edited, "database/sqlite.js"), `${newest["database/sqlite.js"]}// mine\n`);

  editTop(waiting, APP, "// mine");
  assert.is((await upgrade(waiting, variant)).status, 1);
  assert.is((await waiting.framework(["generate", "database", "sqlite"])).status, 0);
  waiting.write(`${WAITING}/${APP}`, `// mine\n${newest[APP]}`);
  const { status, stdout, stderr } = await waiting.framework(["upgrade", "--continue"]);
  assert.is(status, 0, stdout + stderr);
  assert.equal(differing(waiting, { files: newest }), [APP]);
});

/** What a version before 0.2 has: originals in the project, and folders that are gone. */
test("a project of an older layout keeps its edits: merged by its own originals, or set aside", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const old = await createVariant("89.1.0", (draft) => {
    draft.write("gone.js", "export {};\n");
    draft.write("base.br", String(draft.read("index.js").length));
  });
  rmSync(join(project.folder, VENDORED), { recursive: true });
  cpSync(old.framework, join(project.folder, VENDORED), { recursive: true });
  writeFileSync(
    join(project.folder, VENDORED, "base.br"),
    archiveOf({ [APP]: old.files[APP] ?? Buffer.of() }),
  );
  editEnd(project, APP, "// mine");
  editEnd(project, "gone.js", "// mine, too");
  const { status, stdout, stderr } = await project.framework(["upgrade", "--from", variant.folder]);
  assert.is(status, 0, stdout + stderr);
  assert.match(stdout, /^aside {5}vendor\/framework\/gone\.js\.edited/m);
  assert.is(vendored(project, "gone.js.edited"), "export {};\n// mine, too\n");
  assert.is(vendored(project, APP), `${variant.files[APP]}// mine\n`);
  assert.equal(differing(project, { files: readTree(variant.framework) }), [APP, "gone.js.edited"].sort());
});

test.run();
