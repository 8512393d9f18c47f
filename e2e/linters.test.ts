/**
 * What formatters and linters change in a project, and what an editor inserts. When linters that know types correct it with `--fix`, all
 * types are left: to TypeScript a constraint vanishes, so a linter could call it redundant and delete it, and the server would check less.
 */

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { readBlocks } from "./docs/blocks.ts";
import { findPages } from "./docs/pages.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { insertedImports } from "./harness/editor.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { installLocked, unpackOnce } from "./harness/package.ts";
import { copyProject, openProject, type Project } from "./harness/project.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/linters");
const LINTERS: Readonly<Record<string, readonly string[]>> = {
  "typescript-eslint": ["eslint/bin/eslint.js", "--config", join(FOLDER, "eslint.config.js")],
  oxlint: ["oxlint/bin/oxlint", "--type-aware", "--ignore-pattern", "vendor"],
};

/** Every constraint, wherever a constraint can be. */
const PAGE = `import type {
  Body, Cookie, DateOnly, DateTime, Duration, Email, ExclusiveMax, ExclusiveMin, Form, Header, Hostname, int, Ipv4, Ipv6, Max,
  MaxItems, MaxLength, Min, MinItems, MinLength, MultipleOf, Pattern, Query, str, TimeOnly, UniqueItems, Uri, Uuid,
} from "framework";

const LONGEST = 80;
type Name = string & MinLength<1>;
type Short = MinLength<1> & MaxLength<typeof LONGEST>;
type Limited<T extends string> = T & MaxLength<9>;

export interface Everything {
  text: string & MinLength<1> & MaxLength<20> & Pattern<"^[a-z]+$">;
  whole: int & Min<1> & Max<1000>;
  number: number & ExclusiveMin<0> & ExclusiveMax<9> & MultipleOf<3>;
  list: string[] & MinItems<1> & MaxItems<9> & UniqueItems;
  net: [string & Hostname, string & Ipv4, (string & Ipv6)?];
  times: { date: string & DateOnly; time: string & TimeOnly; at: string & DateTime; for: string & Duration };
  ids: readonly (string & Uuid)[] & MaxItems<3>;
  links: Record<string, string & Uri>;
  mail?: str & Email & MaxLength<80>;
  nothing?: (string & MinLength<1> & MaxLength<3>) | null;
  named: Name & MaxLength<9>;
  short: string & Short;
  limited: Limited<"abc" | "abcdefghijk">;
  either: (string & Email) | (int & Min<1> & Max<9>);
}

export function post(body: Body<Everything>) {
  return [body, 201];
}

export function get(
  page: Query<int & Min<1> & Max<1000>> = 1,
  q?: Query<string & MinLength<1> & MaxLength<9>>,
  x_key?: Header<string & MinLength<3> & Email>,
  id?: Cookie<string & Uuid & MaxLength<36>>,
) {
  return { page, q, x_key, id };
}

export function put(form: Form<{ count: number & Min<1> & Max<3>; tags: (str & Email & MaxLength<9>)[] & MaxItems<3> }>) {
  return form;
}
`;

const CONTROL = "lib/twice.ts";
const TWICE = "export type Twice = string | string;\n";

const isInstalled = await installLocked(FOLDER);
if (!isInstalled) console.log("Skipped, what linters change: npm could not install them.");
const testWithLinters = isInstalled ? test : test.skip;

/** A created project with a database and a resource, with that page and the TypeScript of the docs. */
async function prepare(): Promise<Project> {
  const project = await copyProject();
  symlinkSync(join(REPOSITORY, "node_modules"), join(project.folder, "node_modules"));
  const columns = ["title:string", "code:string?:unique", "due:Date?"];
  for (const words of [
    ["database", "sqlite"],
    ["resource", "books", ...columns],
  ])
    assert.is((await project.framework(["generate", ...words])).status, 0, words.join(" "));
  project.write("routes/everything.ts", PAGE);
  for (const { name, read } of sample("pages of the docs", findPages(), 3))
    writeBlocks(project, name.replace(/\.md$/, ""), await read());
  return project;
}

/** Each page has a folder, so that its files find each other; a file that it shows again is in another one. */
function writeBlocks(project: Project, page: string, text: string): void {
  for (const { language, lines } of readBlocks(text)) {
    const [, shown = "fragment.ts", mark] =
      /^\/\/ (\S*[./]\S*?)(?:, (added|wrong))?$/.exec(lines[0] ?? "") ?? [];
    if (language !== "ts" || mark === "wrong") continue;
    let folder = join("docs", page);
    while (project.has(join(folder, shown))) folder += "-again";
    project.write(join(folder, shown), lines.join("\n"));
    project.write(join(folder, "package.json"), '{ "type": "module", "imports": { "#*": "./*" } }');
  }
}

const project = isInstalled ? await prepare() : undefined;

testWithLinters("the page has every constraint, and it is right", async () => {
  const { read, framework } = project as Project;
  const constraints = [
    ...read("vendor/framework/http.d.ts").matchAll(/^export type (\w+)(?:<.*>)? = \{\};/gm),
  ];
  assert.ok(constraints.length > 20);
  for (const [, name] of constraints) assert.match(PAGE, new RegExp(`& ${name}\\b`));
  assert.is((await framework(["routes", "check"])).stderr, "");
});

for (const [name, [program = "", ...words]] of sample("linters", Object.entries(LINTERS), 1)) {
  testWithLinters(`${name} --fix deletes nothing of the samples, the docs and the page`, async () => {
    const { folder, write, tree } = project as Project;
    write(CONTROL, TWICE);
    const before = tree();
    const command = [process.execPath, join(FOLDER, "node_modules", program), ...words, "--fix", "."];
    const env = {
      ...isolatedEnvironment(),
      OXLINT_TSGOLINT_PATH: join(FOLDER, "node_modules/.bin/tsgolint"),
    };
    const { stdout, stderr } = await run(command, { cwd: folder, env });
    const { [CONTROL]: control, ...after } = tree();
    // So it knew the types.
    assert.is.not(control, TWICE, stdout + stderr);
    const changed = Object.entries(after).filter(([file, text]) => text !== before[file]);
    assert.equal(changed, []);
    // The type of a file that a page does not show is an error to it.
    const complaints = stdout
      .split("\n")
      .filter((line) => /type-constituents/.test(line) && !/'error' type/.test(line));
    assert.equal(complaints, []);
  });
}

/** As they are after `npm create`. */
async function createWith(...flags: string[]): Promise<Project> {
  const cwd = createFolder("created");
  const words = [join(await unpackOnce(), "dist/create.cjs"), "my-app", "--no-git", ...flags];
  await runWell([process.execPath, ...words], { cwd, env: isolatedEnvironment() });
  return openProject(join(cwd, "my-app"));
}

function runTool({ folder: cwd }: Project, program: string, ...words: string[]): Promise<Outcome> {
  return run([process.execPath, join(FOLDER, "node_modules", program), ...words], {
    cwd,
    env: isolatedEnvironment(),
  });
}

/** The settings for a tool that docs/tools.md shows. */
async function writeShown({ write }: Project, file: string): Promise<void> {
  const page = findPages().find(({ name }) => name === "docs/tools.md");
  const blocks = readBlocks((await page?.read()) ?? "");
  const shown = blocks.find(({ lines }) => lines[0] === `// ${file}`);
  write(file, (shown?.lines ?? []).slice(1).join("\n"));
}

const RESOURCE = ["title:string", "isbn:string:unique", "category:references:categories", "price:number?"];
const GENERATED = [
  ["app", "orders", "--prefix", "/orders"],
  ["handler", "get_by_id", "order_id:int", "--app", "orders"],
  ["route", "reviews", "get", "post", "--body", "name:string? price:number?"],
];

for (const flags of sample(
  "projects",
  [[], ["--bare"], ["--database", "sqlite"], ["--database", "postgres"]],
  1,
)) {
  testWithLinters(
    `Prettier finds nothing to do in a project with ${flags.join(" ") || "the samples"}`,
    async () => {
      const created = await createWith(...flags);
      if (!flags.includes("--bare"))
        for (const words of flags.length > 0 ? [...GENERATED, ["resource", "books", ...RESOURCE]] : GENERATED)
          assert.is((await created.framework(["generate", ...words])).status, 0, words.join(" "));
      const { status, stderr } = await runTool(created, "prettier/bin/prettier.cjs", "--check", ".");
      assert.is(status, 0, stderr);
    },
  );
}

testWithLinters(
  "with the settings of docs/tools.md, knip calls no handler unused, and Biome reads no vendored file",
  async () => {
    const created = await createWith();
    await writeShown(created, "knip.json");
    const { stdout, stderr } = await runTool(created, "knip/bin/knip.js", "--no-config-hints");
    // The project's packages are not installed here, so knip does not know where `tsc` comes from.
    assert.equal(stdout.match(/^(?:Unused|.*(?:views|routes|_hooks|vendor)).*$/gm), null, stdout);
    assert.is(stderr, "");
    await writeShown(created, "biome.json");
    const biome = join(REPOSITORY, "node_modules/@biomejs/biome/bin/biome");
    const formatted = await run([process.execPath, biome, "format", "--write", "."], {
      cwd: created.folder,
      env: isolatedEnvironment(),
    });
    assert.is(formatted.status, 0, formatted.stderr);
    assert.match(created.read("routes/items.ts"), "\n\tconst ");
    assert.match((await created.framework(["doctor"])).stdout, "nothing found");
  },
);

testWithLinters("an editor inserts `framework`, and for a type no other import", async () => {
  const created = await createWith();
  mkdirSync(join(created.folder, "node_modules"));
  symlinkSync("../vendor/framework", join(created.folder, "node_modules/framework"));
  const settings = created.read(".vscode/settings.json").replace(/^\s*\/\/.*$/gm, "");
  const preferences = JSON.parse(settings)["typescript.preferences.autoImportSpecifierExcludeRegexes"];
  const server = join(FOLDER, "node_modules/typescript/lib/tsserver.js");
  for (const name of ["int", "Body", "HttpError"]) {
    const [first, ...others] = await insertedImports(server, created.folder, name, {
      autoImportSpecifierExcludeRegexes: preferences,
    });
    assert.is(first, `import type { ${name} } from "framework";`);
    for (const other of others) assert.match(other, /from "framework(?:\/http)?";$/);
  }
  // What it inserts without that setting is read, too.
  const [bare = ""] = await insertedImports(server, created.folder, "int", {});
  assert.match(bare, /vendor\/framework/);
  created.write("routes/n.ts", `${bare}\n\nexport function get(n: int) {\n  return { n };\n}\n`);
  const listed = await created.framework(["routes", "match", "GET", "/n/7"]);
  assert.is(listed.status, 0, listed.stderr);
});

test.run();
