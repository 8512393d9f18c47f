/**
 * That docs/diagnostics/ is true: each page's wrong example is put into the template's project and gives exactly the diagnostic
 * that the page prints, and its right example gives none. The pages of FW5xx and FW8xx need `dist/`: `npm run build`.
 * `UPDATE=1` writes what is printed into the pages, and the index.
 */

import { execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { register } from "tsx/esm/api";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readDeclared } from "#convention/contract/declared";
import { CATALOGUE, diagnose } from "#convention/diagnostics/catalogue";
import { DOCTOR, UPGRADE } from "#convention/diagnostics/catalogue/commands";
import { CONTRACT } from "#convention/diagnostics/catalogue/contract";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Entry } from "#convention/diagnostics/entry";
import { formatDiagnostic, formatDiagnostics } from "#convention/diagnostics/format";
import { RETIRED } from "#convention/diagnostics/retired";
import { VENDORED_FOLDER } from "#convention/layout";
import { readProject, readSources } from "#convention/project";
import { checkRoutes } from "#convention/rule/audit";
import { createFiles } from "#convention/source/files";
import { type BoundRoute, createCoreApp } from "#runtime/app";
import { sample } from "#runtime/random.fixture";
import type { buildProject as BuildProject } from "#toolchain/build/build";
import { loadContract } from "#toolchain/contract/load";
import { noteDocument } from "#toolchain/contract/openapi/notes";
import { findSchemas } from "#toolchain/contract/schemas/schemas";
import { watchResults } from "#toolchain/dev/results";
import { loadWhole } from "#toolchain/load/load";
import type { ProjectError } from "#toolchain/load/project-error";
import { listFiles } from "../../create/archive.ts";
import { createManifest } from "../../create/build/manifest.ts";
import { doctor } from "./doctor.ts";
import { execute } from "./run.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(repository, "docs/diagnostics");
const index = join(folder, "README.md");
const isUpdate = process.env.UPDATE === "1";
/** Where it does not, no project can have what FW210 is about. */
const tellsCase = !existsSync(join(folder, "readme.md"));

const entries: readonly (readonly [code: string, entry: Entry])[] = Object.entries(CATALOGUE).sort();

/** Their examples take up to a second, most of them in processes: the compiler, the bundler, an upgrade, a server. A commit tries so many. */
const SLOW = /^FW(?:[578]|9[0-6])/;
const SLOW_TRIED = 4;

const FAMILIES: Readonly<Record<string, string>> = {
  FW1: "Configuration",
  FW2: "Names",
  FW3: "Signatures",
  FW4: "Table",
  FW5: "Loading",
  FW6: "Generators",
  FW7: "Building",
  FW8: "Upkeep",
  FW9: "Contract",
};

/** Diagnostics that no project gives by what is in it: why not, as the page says it too, and one such diagnostic to print. */
const NOT_RUN: Readonly<Record<string, { readonly reason: string; readonly diagnostic: Diagnostic }>> = {
  FW624: {
    reason: "a disk would have to fail twice within one command",
    diagnostic: diagnose("FW624", {
      file: "tests/products.test.ts",
      why: "the disk reports an error",
      left: ["apps/products/views.ts"],
    }),
  },
  FW625: {
    reason: "it takes half a minute",
    diagnostic: diagnose("FW625", { holder: "process 4711", lock: ".framework" }),
  },
  FW810: {
    reason: "it would need a disk that fails",
    diagnostic: diagnose("FW810", { why: "the disk is full", away: undefined }),
  },
  FW825: {
    reason: "it would need another Node.js",
    diagnostic: diagnose("FW825", {
      tool: "Node.js",
      version: "18.20.8",
      why: "the framework needs 20.19.0 or newer",
      hint: "Install another one from https://nodejs.org, such as the newest LTS version.",
    }),
  },
  FW839: {
    reason: "no project that we know of gives it",
    diagnostic: diagnose("FW839", { subject: "The built server", why: "EIO: i/o error, read" }),
  },
};

type Mark = "wrong" | "right";

/** A file of the example, or lines of a shell; one without a mark belongs to the wrong and to the right example. */
interface Step {
  readonly file: string | undefined;
  readonly mark: Mark | undefined;
  readonly text: string;
}

interface Page {
  readonly heading: string;
  readonly steps: readonly Step[];
  readonly printed: string;
}

/** What an example comes to. */
interface Outcome {
  readonly printed: string;
  /** Of the diagnostics, in the order in which they are printed. */
  readonly codes: readonly string[];
}

/** The parts of a page: info strings are as in `ts apps/users/views.ts wrong` and `sh right`, and `text` is what is printed. */
function parsePage(text: string): Page {
  const fences = [...text.matchAll(/^```(\w+)(?: (\S+))??(?: (wrong|right))?\n(.*?)^```$/gms)];
  const isPrinted = (language: string | undefined): boolean => language === "text";
  return {
    heading: text.slice(0, text.indexOf("\n")),
    printed: (fences.find(([, language]) => isPrinted(language))?.[4] ?? "").replace(/\n$/, ""),
    steps: fences
      .filter(([, language]) => !isPrinted(language))
      .map(([, , file, mark, inner = ""]) => ({ file, mark: toMark(mark), text: inner })),
  };
}

function toMark(word: string | undefined): Mark | undefined {
  return word === "wrong" || word === "right" ? word : undefined;
}

function replacePrinted(text: string, printed: string): string {
  return text.replace(/^```text\n.*?^```$/ms, () => `\`\`\`text\n${printed}\n\`\`\``);
}

interface Context {
  readonly parent: string;
}

const test = suite<Context>("docs/diagnostics");

test.before((context) => {
  Object.assign(context, { parent: realpathSync(mkdtempSync(join(tmpdir(), "diagnostics-pages-"))) });
});
test.after(({ parent }) => rmSync(parent, { recursive: true, force: true }));

/** A project made from the template, with the steps of one of a page's examples taken in it. */
async function follow(
  { parent }: Context,
  code: string,
  { steps }: Page,
  mark: Mark,
): Promise<Outcome & { root: string }> {
  const root = mkdtempSync(join(parent, "project-"));
  cpSync(join(repository, "template"), root, { recursive: true });
  if (isDoctors(code))
    cpSync(join(repository, "dist/framework"), join(root, VENDORED_FOLDER), { recursive: true });
  // By it a generator knows the samples.
  if (code.startsWith("FW6"))
    cpSync(join(repository, "dist/framework/manifest.json"), join(root, VENDORED_FOLDER, "manifest.json"));
  if (isContracts(code)) linkCompiler(root);
  if (isUpgrades(code)) cpSync(layOlder(parent), join(root, VENDORED_FOLDER), { recursive: true });
  const typeLine = isUpgrades(code) ? typeInVendored : type;
  const told: string[] = [];
  for (const { file, text } of steps.filter((step) => step.mark === undefined || step.mark === mark)) {
    if (file === undefined)
      for (const line of text.trim().split("\n")) told.push(...(await typeLine(root, line)));
    else write(join(root, file), text);
  }
  const printed = told.join("\n\n");
  return { root, printed, codes: codesIn(printed) };
}

function codesIn(printed: string): string[] {
  return [...printed.matchAll(/^\w+ (FW\d+) /gm)].map(([, code = ""]) => code);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs a line as it is typed in the project's folder. @returns what a `framework` command has to complain about. */
async function type(root: string, line: string): Promise<string[]> {
  const [first, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
  if (first !== "framework") {
    const removed = /^rm (?:-rf? )?(\S+)$/.exec(line)?.[1];
    if (removed !== undefined) rmSync(join(root, removed), { recursive: true, force: line.includes("-rf") });
    else execFileSync("sh", ["-c", line], { cwd: root });
    return [];
  }
  const errors: string[] = [];
  const printError = (text: string): void => void errors.push(text);
  const terminal = { columns: 80, color: false, interactive: false, print: () => {}, printError };
  await execute(words, { cwd: root, terminal });
  return errors;
}

function toOutcome(root: string, diagnostics: readonly Diagnostic[]): Outcome {
  const files = createFiles(root);
  return {
    printed: formatDiagnostics(diagnostics, (file) => files.read(file)),
    codes: diagnostics.map(({ code }) => code),
  };
}

/** Loads a project by the built framework in a process of its own, as `load.test.ts` does. */
async function loadProject(root: string): Promise<Outcome> {
  const preload = pathToFileURL(join(repository, "dist/framework/test.js")).href;
  const child = fork(join(repository, "toolchain/load/load.child.js"), {
    execArgv: ["--import", preload],
  });
  const ended = once(child, "exit").then(() => {
    throw new Error("The process that loads the project has ended. Is dist/ built? npm run build");
  });
  ended.catch(() => {});
  child.send(root);
  const [answer] = await Promise.race([once(child, "message"), ended]);
  child.disconnect();
  if (answer.kind === "failed") throw new Error(answer.message);
  return toOutcome(root, answer.kind === "refused" ? answer.diagnostics : []);
}

/** A `ProjectError` of the built framework, whose class is another one. */
type BuiltError = Pick<ProjectError, "diagnostics">;

const { buildProject } = (await import(join(repository, "dist/framework/tools/contract.js"))) as {
  readonly buildProject: typeof BuildProject;
};

/** Builds a project that has the bundler installed. What is bundled is the framework in its vendored form. */
async function build(root: string): Promise<Outcome> {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(join(repository, "node_modules/rolldown"), join(root, "node_modules/rolldown"));
  try {
    return toOutcome(root, (await buildProject(root)).warnings);
  } catch (error) {
    if (error instanceof Error && "diagnostics" in error)
      return toOutcome(root, (error as BuiltError).diagnostics);
    throw error;
  }
}

function isDoctors(code: string): boolean {
  return Object.hasOwn(DOCTOR, code);
}

function isContracts(code: string): boolean {
  return Object.hasOwn(CONTRACT, code);
}

/** The project's own TypeScript, which the contract asks. */
function linkCompiler(root: string): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  for (const name of ["typescript", "@typescript", "@types", "undici-types"])
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
}

/** What the contract has to note of this kind. */
async function noteContract(root: string, code: string): Promise<Outcome> {
  const { contract } = await loadContract(root);
  const { diagnostics } = await findSchemas(root, contract, code !== "FW931");
  return toOutcome(
    root,
    [...noteDocument(contract), ...diagnostics].filter((note) => note.code === code),
  );
}

/** What dev reports of the answers of the routes without params. */
async function holdAnswers(root: string): Promise<Outcome> {
  const sources = readSources(root);
  const { routes } = sources.project;
  const found: Diagnostic[] = [];
  const hold = (bound: BoundRoute): BoundRoute =>
    watchResults(bound, {
      async findDeclared(name) {
        const route = routes.find(({ method, pattern }) => `${method} ${pattern}` === name);
        return route && readDeclared(sources, route);
      },
      report: (diagnostic) => found.push(diagnostic),
      advise: () => {},
    });
  // Its modules are TypeScript.
  const unregister = register();
  const loaded = await loadWhole(sources.project).finally(unregister);
  const app = createCoreApp(loaded.routes.map(hold), { settings: loaded.settings });
  for (const { method, pattern } of routes) if (!pattern.includes("<")) await app.fetch(pattern, { method });
  // Nobody waits for what is held, so it comes a little later.
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  return toOutcome(root, found);
}

function isUpgrades(code: string): boolean {
  return Object.hasOwn(UPGRADE, code);
}

/** The version of this repository, and what it is called in the pages, which should outlive it. */
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const NEWER = "1.0.0";
const OLDER = "0.9.0";

/** A framework from before the built one, one file of which has one more line at its top; both packages lie beside the projects. */
function layOlder(parent: string): string {
  const older = join(parent, "older");
  if (existsSync(older)) return older;
  symlinkSync(repository, join(parent, "create-convention-app"));
  cpSync(join(repository, "dist/framework"), older, { recursive: true });
  rmSync(join(older, "manifest.json"));
  const file = join(older, "runtime/app.js");
  writeFileSync(file, `// ${OLDER}\n${readFileSync(file, "utf8")}`);
  const manifest = createManifest(older, `${version}-${OLDER}`);
  writeFileSync(join(older, "manifest.json"), JSON.stringify(manifest, null, 2));
  const archive = join(parent, `create-convention-app-${OLDER}`);
  write(join(archive, "package.json"), '{ "name": "create-convention-app", "bin": "create.cjs" }');
  write(join(archive, "create.cjs"), "");
  mkdirSync(join(archive, "template"));
  writeFileSync(join(archive, "template/framework.br"), packQuickly(older));
  return older;
}

/** As `packFolder` of create/archive.ts, which takes five seconds to make it small. */
function packQuickly(from: string): Buffer {
  const texts = listFiles(from).map((file): [string, Buffer] => [file, readFileSync(join(from, file))]);
  const index = JSON.stringify(Object.fromEntries(texts.map(([file, bytes]) => [file, bytes.length])));
  const whole = Buffer.concat([Buffer.from(`${index}\n`), ...texts.map(([, bytes]) => bytes)]);
  return brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/** Runs a line with the project's own framework, which hands over to the one in the package. */
async function typeInVendored(root: string, line: string): Promise<string[]> {
  const typed = line.replace(/^framework /, `"${process.execPath}" ${VENDORED_FOLDER} `);
  const env = Object.entries(process.env).filter(([name]) => !/^(?:npm_.*|FORCE_COLOR)$/i.test(name));
  const { stderr } = spawnSync("sh", ["-c", typed], {
    cwd: root,
    encoding: "utf8",
    env: Object.fromEntries(env),
  });
  if (typed === line || stderr === "") return [];
  return [stderr.trimEnd().replaceAll(`${version}-${OLDER}`, OLDER).replaceAll(version, NEWER)];
}

/** What the doctor prints, but for its last line. */
async function examine(root: string): Promise<Outcome> {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const terminal = { columns: 80, color: false, interactive: false, print, printError: print };
  await doctor.run({ cwd: root, words: [], flags: {}, values: {}, terminal });
  const printed = lines.slice(0, -1).join("\n").trim();
  return { printed, codes: codesIn(printed) };
}

async function tryExample(context: Context, code: string, page: Page, mark: Mark): Promise<Outcome> {
  const { root, ...told } = await follow(context, code, page, mark);
  if (code.startsWith("FW5")) return loadProject(root);
  if (code.startsWith("FW7")) return build(root);
  if (isDoctors(code)) return examine(root);
  if (code.startsWith("FW97")) return holdAnswers(root);
  if (isContracts(code)) return noteContract(root, code);
  if (isUpgrades(code) || (code.startsWith("FW6") && mark === "wrong")) return told;
  const read = toOutcome(root, checkRoutes(readProject(root)));
  return { printed: told.printed + read.printed, codes: [...told.codes, ...read.codes] };
}

test("every code has a page, and every page a code", () => {
  const pages = readdirSync(folder).filter((name) => name !== "README.md");
  const codes = [...entries.map(([code]) => code), ...RETIRED.keys()];
  assert.equal(pages.sort(), codes.map((code) => `${code}.md`).sort());
  assert.is(new Set(codes).size, codes.length, "a retired code is given again");
});

for (const [code, by] of RETIRED) {
  test(`the page of ${code} says by which code it is replaced`, () => {
    const title = entries.find(([known]) => known === by)?.[1].title;
    const told =
      by === null
        ? "What this code was about is gone. Nothing replaces it."
        : `[${by}](${by}.md) reports this now: ${title}.`;
    const wanted = `# ${code}: retired\n\n${told}\n`;
    const file = join(folder, `${code}.md`);
    if (isUpdate) writeFileSync(file, wanted);
    assert.is(readFileSync(file, "utf8"), wanted);
  });
}

const slow = entries.map(([code]) => code).filter((code) => SLOW.test(code) && NOT_RUN[code] === undefined);
const tried = isUpdate ? slow : sample("slow diagnostics", slow, SLOW_TRIED);
const left = new Set(slow.filter((code) => !tried.includes(code)));

for (const [code, { title, severity = "error" }] of entries) {
  const file = join(folder, `${code}.md`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const page = parsePage(text);
  const notRun = NOT_RUN[code];

  test(`${code} is headed by its title and has a wrong and a right example`, () => {
    assert.is(page.heading, `# ${code}: ${title}`);
    const marks = page.steps.map(({ mark }) => mark);
    assert.ok(marks.includes("wrong"), "a wrong example");
    assert.ok(marks.includes("right"), "a right example");
    for (const { file: name } of page.steps) {
      if (name !== undefined)
        assert.ok(text.includes(`\n\`${name}\`\n\n\`\`\``), `${name} is named above its text`);
    }
    const why = text.split("\n\n")[1] ?? "";
    assert.ok(why.length > 40 && !why.startsWith("```"), "it begins by saying why");
    const reason = notRun && `Not run by the tests: ${notRun.reason}.`;
    assert.is(/^Not run by the tests: .*$/m.exec(text)?.[0], reason);
  });

  if ((code === "FW210" && !tellsCase) || left.has(code)) continue;
  test(`${code}: the wrong example gives just what is printed`, async (context) => {
    const outcome = notRun
      ? { printed: formatDiagnostic(notRun.diagnostic, () => undefined), codes: [notRun.diagnostic.code] }
      : await tryExample(context, code, page, "wrong");
    assert.equal(outcome.codes, [code], outcome.printed);
    assert.ok(outcome.printed.startsWith(`${severity} ${code} `));
    if (isUpdate) writeFileSync(file, replacePrinted(text, outcome.printed));
    else assert.is(page.printed, outcome.printed);
  });

  if (notRun) continue;
  test(`${code}: the right example gives no diagnostic`, async (context) => {
    const { printed } = await tryExample(context, code, page, "right");
    assert.is(printed, "");
  });
}

test("the pages that are not run are few", () => {
  const codes = Object.keys(NOT_RUN);
  assert.ok(codes.every((code) => entries.some(([known]) => known === code)));
  assert.ok(codes.length <= 7);
});

test("the index lists every code with its title and severity", () => {
  const wanted = formatIndex();
  if (isUpdate) writeFileSync(index, wanted);
  assert.is(readFileSync(index, "utf8"), wanted, "UPDATE=1 npm run unit writes it again");
});

function formatIndex(): string {
  const sections = Object.entries(FAMILIES).map(([family, name]) => {
    const rows = entries
      .filter(([code]) => code.startsWith(family))
      .map(([code, { title, severity = "error" }]) => `| [${code}](${code}.md) | ${severity} | ${title} |`);
    return `## ${family}xx: ${name}\n\n| code | severity | title |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `${INTRODUCTION}\n${sections.join("\n")}`;
}

const INTRODUCTION = `# Diagnostics

Every diagnostic about a project has a permanent code. An error keeps the project from being served or built, or a generator from
writing; a warning and an info don't. \`framework routes check\` prints them all, and \`--json\` gives them to programs.

Each page says why, with an example that gives it, what is then printed, and an example that does not.
The examples are changes to the project that \`npm create convention-app\` makes.

A code means the same for ever. A retired one is given to nothing else, and its page says which code replaces it.
`;

test.run();
