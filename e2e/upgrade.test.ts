/**
 * `framework upgrade`: a created project, its edits, and packages of other versions. Most is done in the test's process, by the newer
 * framework's part of the work. What comes before that, from the package to its framework, has tests that start processes.
 */

import {
  cpSync,
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
import { withProjectLock } from "#generators/changes/lock";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { runInProcess } from "./harness/in-process.ts";
import { until } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { startRegistry } from "./harness/registry.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";
import {
  ADDED,
  APP,
  afterNext,
  differing,
  editEnd,
  editTop,
  GONE,
  next,
  pack,
  prepend,
  ROUTER,
  treeOf,
  upgrade,
  upgradeOn,
  upgradeTelling,
  upgradeWell,
  VENDORED,
  vendored,
  versionOf,
  WIRE,
} from "./upgrade/upgrading.ts";
import { createVariant, readTree } from "./upgrade/variants.ts";

const { version: OWN } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
const WAITING = "vendor/framework.new";

test("a tarball needs neither git nor npm nor a network: an untouched framework is the newer one, byte for byte, and serves", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const before = project.tree();
  const cwd = join(project.folder, "apps");
  const env = { ...isolatedEnvironment(), PATH: createFolder("no-programs") };
  const words = ["upgrade", "--from", relative(cwd, await pack())];
  const { status, stdout, stderr } = await run([process.execPath, `../${VENDORED}`, ...words], { cwd, env });
  assert.is(status, 0, stderr);
  assert.match(stdout, /^Files without an edit of yours: \d+ replaced, 1 created, 1 removed\.\n\n/);
  assert.match(stdout, /^The framework is upgraded from \S+ to 90\.2\.0\./m);
  assert.equal(differing(project, variant), []);
  assert.equal(project.tree(), before);
  const server = await serve(project.folder);
  await checkSamples(server.url);
  await server.stop();
  assert.is(await upgradeWell(project, variant), "The framework is at 90.2.0 already.\n");
});

test("`npm create convention-app@… -- --upgrade` in a project and `framework upgrade` get the newest in the registry", async () => {
  const [project, other, { files }] = [await copyProject(), await copyProject(), await next()];
  const registry = await startRegistry();
  await registry.publish(await pack());
  const env = isolatedEnvironment(registry.url);
  const words = ["npm", "create", "convention-app@latest", "--yes", "--", "--upgrade"];
  await runWell(words, { cwd: join(project.folder, "apps"), env });
  const outcome = await other.spawnFramework(["upgrade"], { env });
  assert.is(outcome.status, 0, outcome.stderr);
  for (const one of [project, other]) assert.equal(differing(one, { files }), []);
  await upgradeWell(other, await afterNext());
  assert.is(
    (await other.spawnFramework(["upgrade"], { env })).stdout,
    "The framework is at 90.3.0 already. The newest in the registry is 90.2.0.\n",
  );
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
    /^aside {5}vendor\/framework\/http\.d\.ts\.edited /m,
    /^aside {5}vendor\/framework\/runtime\/added\.js\.edited /m,
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
  assert.is(versionOf(project), "90.2.0");
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
  assert.is(versionOf(project), OWN);
  assert.match(
    (await runInProcess(["doctor"], project.folder)).stdout,
    /^warning FW836 .*vendor\/framework\.new/m,
  );

  const again = await upgradeOn(project, "--continue");
  assert.is(again.status, 1);
  assert.match(again.stderr, /in one place/);
  project.write(`${WAITING}/${APP}`, laidOut.replace(/<{7}.*?>{7} 90\.2\.0/s, "// both"));
  const other = await upgrade(project, await afterNext());
  assert.is(other.status, 1);
  assert.match(other.stderr, /^error FW806 An upgrade waits for you in vendor\/framework\.new/);
  const { status: made, stdout: told, stderr: problems } = await upgradeOn(project, "--continue");
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
  project.write(`${VENDORED}/${WIRE}.edited`, "// a note\n");
  symlinkSync("nowhere", join(project.folder, VENDORED, "runtime/link"));
  const { status, stdout, stderr } = await upgradeOn(project, "--continue");
  assert.is(status, 0, stderr);
  for (const file of [`${APP}.edited`, `${WIRE}.edited-2`])
    assert.match(stdout, new RegExp(`^aside {5}${VENDORED}/${file} `, "m"));
  assert.match(vendored(project, `${APP}.edited`), /^\/\/ mine\n/);
  assert.is(vendored(project, `${WIRE}.edited`), "// a note\n");
  assert.match(vendored(project, `${WIRE}.edited-2`), /\/\/ since\n$/);
  assert.is(readlinkSync(join(project.folder, VENDORED, "runtime/link")), "nowhere");
  rmSync(join(project.folder, VENDORED, "runtime/link"));
  assert.equal(
    differing(project, variant),
    [`${APP}.edited`, `${WIRE}.edited`, `${WIRE}.edited-2`, "own.js"].sort(),
  );
});

test("--abort leaves every byte as it was, also of conflicts that were half resolved; twice, it says that there is nothing", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  rmSync(join(project.folder, VENDORED, "http.js"));
  const before = treeOf(project);
  assert.is((await upgrade(project, variant)).status, 1);
  project.write(`${WAITING}/${APP}`, "half");
  for (const word of ["--dry-run", "1.2.3", "--continue"])
    assert.is((await upgradeOn(project, "--abort", word)).status, 2);
  const aborted = await upgradeOn(project, "--abort");
  assert.is(aborted.status, 0, aborted.stderr);
  assert.match(aborted.stdout, /^Gave up the upgrade to 90\.2\.0\./);
  assert.equal(treeOf(project), before);
  assert.is((await upgradeOn(project, "--abort")).stdout, "No upgrade is under way.\n");
  assert.is(
    (await upgradeOn(project, "--continue")).stdout,
    `The framework is at ${OWN} already. No upgrade is under way.\n`,
  );
});

test("without the original of an edit nothing is replaced, and the newer version lies beside", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editEnd(project, APP, "// mine");
  editEnd(project, WIRE, "// mine, too");
  const before = treeOf(project);
  const offline = await project.spawnFramework(["upgrade", "--from", variant.folder]);
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

test("what waits is not taken where a file of it is missing", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  assert.is((await upgrade(project, variant)).status, 1);
  project.write(`${WAITING}/${APP}`, "// both\n");
  rmSync(join(project.folder, WAITING, ROUTER));
  const { status, stderr } = await upgradeOn(project, "--continue");
  assert.is(status, 1);
  assert.match(stderr, new RegExp(`^error FW808 .*${WAITING}/${ROUTER}.*missing`, "m"));
  assert.is(versionOf(project), OWN);
});

test("a version goes with no other one, and not with --from", async () => {
  const project = await copyProject();
  for (const words of [["1.2.3", "--from", "none.tgz"], ["1.2.3", "1.2.4"], ["./none.tgz"]])
    assert.is((await upgradeOn(project, ...words)).status, 2, words.join(" "));
});

test("what waits can be put in its place by renaming its folder, too", async () => {
  const [project, variant] = [await copyProject(), await next()];
  editTop(project, APP, "// mine");
  assert.is((await upgrade(project, variant)).status, 1);
  rmSync(join(project.folder, VENDORED), { recursive: true });
  renameSync(join(project.folder, WAITING), join(project.folder, VENDORED));
  // It has the files of a database, too, for a project that gets one meanwhile.
  assert.equal(differing(project, { files: readTree(variant.framework) }), [APP, `${APP}.edited`]);
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
  const original = { framework: join((await copyProject()).folder, VENDORED) };
  await upgradeWell(project, variant);
  assert.is((await upgrade(project, variant, "--check")).status, 0);
  const refused = await upgrade(project, original);
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /^error FW803 \S+ is older than 90\.2\.0/);
  await upgradeWell(project, original, "--force", "--base", variant.folder);
  assert.equal(treeOf(project), before);
});

const NO_PACKAGES: readonly (readonly [what: string, lay: (place: string) => unknown, says: RegExp])[] = [
  ["what is not there", () => {}, /there is no such file or folder/],
  ["a text", (place) => writeFileSync(place, "hello"), /it is not a complete gzip file/],
  ["a folder of something else", (place) => mkdirSync(place), /it is not the package create-convention-app/],
  [
    "a package that is not built",
    async (place) => {
      mkdirSync(place);
      writeFileSync(join(place, "package.json"), readFileSync(join((await next()).folder, "package.json")));
    },
    /it is not built, or not complete/,
  ],
];

test("what is no package, or one whose framework is not as its manifest says, is refused, and nothing changes", async () => {
  const [project, { framework }] = [await copyProject(), await next()];
  const before = treeOf(project);
  const given = join(dirname(project.folder), "given");
  for (const [what, lay, says] of NO_PACKAGES) {
    await lay(given);
    const { status, stderr } = await upgradeOn(project, "--from", "../given");
    assert.is(status, 1, what);
    assert.match(stderr, /^error FW802 --from can't take the framework from \.\.\/given: /);
    assert.match(stderr, says);
    rmSync(given, { recursive: true, force: true });
  }
  const damaged = join(createFolder("damaged"), "framework");
  cpSync(framework, damaged, { recursive: true });
  writeFileSync(join(damaged, "index.js"), "damaged");
  const { stderr } = await upgrade(project, { framework: damaged });
  assert.match(stderr, /^error FW802 .*: index\.js is not as its manifest says\.$/m);
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
  assert.match(stderr, /^error FW622 vendor\/framework can't be written: it leads out of the project/);
  assert.equal(readdirSync(join(project.folder, "vendor")), ["framework"]);
});

test("an upgrade waits for a command that changes the project, and keeps what that has written", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const told: string[] = [];
  const waiting = await withProjectLock(project.folder, assert.unreachable, async () => {
    const upgrading = upgradeTelling(project, variant, (line) => told.push(line));
    await until(() => told.length > 0, "it says that it waits");
    editEnd(project, APP, "// mine");
    return { upgrading };
  });
  assert.ok("upgrading" in waiting);
  const { status, stdout } = await waiting.upgrading;
  assert.is(status, 0);
  assert.match(told.join("\n"), /^Waiting for process \d+, which is changing this project\.$/);
  assert.match(stdout, /^merged {4}vendor\/framework\/runtime\/app\.js/m);
});

test("an upgrade that was killed between its two renames is repaired by the next one", async () => {
  const [project, variant] = [await copyProject(), await next()];
  renameSync(join(project.folder, VENDORED), join(project.folder, `${VENDORED}.replaced`));
  mkdirSync(join(project.folder, `${VENDORED}.unfinished`));
  // That both have it now is no conflict.
  project.write(`${VENDORED}.replaced/${ADDED}`, "export const added = 2;\n");
  await upgradeWell(project, variant);
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
  const [edited, waiting] = [await copyProject(), await copyProject()];
  assert.is((await edited.framework(["generate", "database", "sqlite"])).status, 0);
  editEnd(edited, "database/sqlite.js", "// mine");
  assert.match(await upgradeWell(edited, variant), /^merged {4}vendor\/framework\/database\/sqlite\.js/m);
  assert.equal(differing(edited, { files: newest }), ["database/sqlite.js"]);
  assert.is(vendored(edited, "database/sqlite.js"), `${newest["database/sqlite.js"]}// mine\n`);

  editTop(waiting, APP, "// mine");
  assert.is((await upgrade(waiting, variant)).status, 1);
  assert.is((await waiting.framework(["generate", "database", "sqlite"])).status, 0);
  waiting.write(`${WAITING}/${APP}`, `// mine\n${newest[APP]}`);
  const { status, stdout, stderr } = await upgradeOn(waiting, "--continue");
  assert.is(status, 0, stdout + stderr);
  assert.equal(differing(waiting, { files: newest }), [APP]);
});

test("an edit of a file that the newer version does not have is set aside", async () => {
  const [project, variant] = [await copyProject(), await next()];
  const old = await createVariant("89.1.0", (draft) => draft.write("gone.js", "export {};\n"));
  rmSync(join(project.folder, VENDORED), { recursive: true });
  cpSync(old.framework, join(project.folder, VENDORED), { recursive: true });
  editEnd(project, "gone.js", "// mine, too");
  assert.match(await upgradeWell(project, variant), /^aside {5}vendor\/framework\/gone\.js\.edited/m);
  assert.is(vendored(project, "gone.js.edited"), "export {};\n// mine, too\n");
  assert.equal(differing(project, { files: readTree(variant.framework) }), ["gone.js.edited"]);
});

test.run();
