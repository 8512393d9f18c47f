/**
 * Real projects of random shape, on disk: folders with hooks, providers that need each other, guards, and handlers that answer, throw or
 * stream. What is called, in which order, and the status are those of a model that is slow and plain. It needs `dist/`. SEED repeats a run.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createRandom, pick, type Random, runs, SEED } from "#runtime/random.fixture";
import { type Loader, type ProjectFiles, startLoader } from "./loader.fixture.ts";

const PROJECTS = runs(3, 200);

const test = suite<{ loader: Loader }>("order");

test.before((context) => {
  context.loader = startLoader("ignore");
});
test.after(({ loader }) => loader.stop());

const FORMS = ["plain", "async", "generator", "async generator"] as const;

interface Provider {
  readonly name: string;
  readonly form: (typeof FORMS)[number];
  /** Earlier ones. */
  readonly needs: readonly Provider[];
  readonly throws: boolean;
  /** A generator that fails when it is resumed. */
  readonly failsAtEnd: boolean;
}

interface Hooks {
  readonly folder: string;
  readonly guard?: { readonly needs: readonly Provider[]; readonly throws: boolean };
  readonly middleware?: "passes on" | "throws before" | "throws after" | "answers early";
  readonly error?: "answers" | "passes on" | "throws";
}

interface Endpoint {
  readonly url: string;
  readonly file: string;
  readonly name: string;
  readonly needs: readonly Provider[];
  readonly does: "answers" | "throws" | "streams";
}

interface Tree {
  readonly providers: readonly Provider[];
  readonly hooks: readonly Hooks[];
  readonly endpoints: readonly Endpoint[];
}

const FOLDERS = ["", "apps", "apps/a", "apps/b", "routes", "routes/x", "routes/x/y", "routes/z"];

function createTree(random: Random): Tree {
  const often = (): boolean => random(3) > 0;
  const seldom = (): boolean => random(8) === 0;
  const providers: Provider[] = [];
  const some = (): Provider[] => providers.filter(() => random(4) === 0);
  for (let index = 0; index < 2 + random(6); index++) {
    const form = pick(random, FORMS);
    const isGenerator = form.endsWith("generator");
    const needs = some();
    providers.push({
      name: `p${index}`,
      form,
      needs,
      throws: seldom(),
      failsAtEnd: isGenerator && seldom(),
    });
  }
  const hooks = FOLDERS.filter(often).map(
    (folder): Hooks => ({
      folder,
      ...(often() && { guard: { needs: some(), throws: seldom() } }),
      ...(often() && {
        middleware: seldom()
          ? pick(random, ["throws before", "throws after", "answers early"] as const)
          : ("passes on" as const),
      }),
      ...(often() && { error: pick(random, ["answers", "passes on", "throws"] as const) }),
    }),
  );
  const places = [
    ["/a/one", "apps/a/views.ts", "get_one"],
    ["/a/two", "apps/a/views.ts", "get_two"],
    ["/b/", "apps/b/views.ts", "get_index"],
    ["/", "routes/index.ts", "get"],
    ["/x/in", "routes/x/in.ts", "get"],
    ["/x/y/in", "routes/x/y/in.ts", "get"],
    ["/z/in", "routes/z/in.ts", "get"],
  ] as const;
  const endpoints = places.map(([url, file, name]): Endpoint => {
    const does = pick(random, ["answers", "answers", "throws", "streams"] as const);
    return { url, file, name, needs: some(), does };
  });
  return { providers, hooks, endpoints };
}

/** From a folder back to the root. */
function up(folder: string): string {
  return folder === "" ? "./" : "../".repeat(folder.split("/").length);
}

function writeTree({ providers, hooks, endpoints }: Tree): ProjectFiles {
  const files: Record<string, string> = {
    "framework.toml": 'apps = ["a", "b"]\n',
    "apps/a/app.toml": "",
    "apps/b/app.toml": "",
    "package.json": '{ "type": "module" }',
    "notes.ts":
      'import { appendFileSync } from "node:fs";\n' +
      'export function note(what: string): void { appendFileSync(new URL("notes.txt", import.meta.url), what + "\\n"); }\n',
    "notes.txt": "",
    // Every second one is in another file, and reaches the first by a re-export.
    "odd.ts": writeProviders(providers.filter((_, index) => index % 2 === 1)),
    "all.ts": `export * from "./even.ts";\nexport * from "./odd.ts";\n`,
    "even.ts": writeProviders(providers.filter((_, index) => index % 2 === 0)),
  };
  for (const one of hooks)
    files[one.folder === "" ? "_hooks.ts" : `${one.folder}/_hooks.ts`] = writeHooks(one);
  for (const { file, name, needs, does } of endpoints) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    files[file] ??= writeHead(folder);
    files[file] +=
      `export ${does === "streams" ? "function" : "async function"} ${name}(${writeParameters(needs)}) {
  note(\`${file} ${name} ${writeGiven(needs)}\`);
  ${HANDLERS[does]}
}\n`;
  }
  return files;
}

const HANDLERS: Readonly<Record<Endpoint["does"], string>> = {
  answers: "return { ok: true };",
  throws: 'throw new HttpError(418, "handler");',
  streams: 'return (async function* () { note("first"); yield "a"; note("second"); yield "b"; })();',
};

function writeHead(folder: string): string {
  return `import { type From, HttpError } from "framework";
import type * as all from "${up(folder)}all.ts";
import { note } from "${up(folder)}notes.ts";
`;
}

function writeParameters(needs: readonly Provider[]): string {
  return needs.map(({ name }) => `_${name}: From<typeof all.${name}>`).join(", ");
}

/** Shows that each function is given what its providers gave. */
function writeGiven(needs: readonly Provider[]): string {
  return needs.map(({ name }) => `\${_${name}}`).join(",");
}

function given(needs: readonly Provider[]): string {
  return needs.map(({ name }) => `value of ${name}`).join(",");
}

function writeProviders(providers: readonly Provider[]): string {
  return writeHead("") + providers.map(writeProvider).join("");
}

function writeProvider({ name, form, needs, throws, failsAtEnd }: Provider): string {
  const begin = `note(\`${name} ${writeGiven(needs)}\`);${throws ? ` throw new HttpError(420, "${name}");` : ""}`;
  const value = `"value of ${name}"`;
  if (!form.endsWith("generator"))
    return `export ${form === "async" ? "async " : ""}function ${name}(${writeParameters(needs)}) {\n  ${begin}\n  return ${value};\n}\n`;
  return `export ${form === "generator" ? "function*" : "async function*"} ${name}(${writeParameters(needs)}) {
  ${begin}
  try {
    yield ${value};
    note("${name} goes on");
    ${failsAtEnd ? 'throw new HttpError(423, "end");' : ""}
  } catch (error) {
    note("${name} catches");
    throw error;
  } finally {
    note("${name} ends");
  }
}\n`;
}

function writeHooks({ folder, guard, middleware, error }: Hooks): string {
  const before = middleware === "throws before" ? 'throw new HttpError(430, "before");' : "";
  const after = middleware === "throws after" ? 'throw new HttpError(431, "after");' : "";
  const early = middleware === "answers early" ? "return [{ early: true }, 203];" : "";
  const errors = {
    answers: "return [{ error: true }, 444];",
    "passes on": "return undefined;",
    throws: 'throw new HttpError(445, "hook");',
  };
  return [
    writeHead(folder),
    guard &&
      `export function guard(${writeParameters(guard.needs)}) {
  note(\`guard ${folder} ${writeGiven(guard.needs)}\`);
  ${guard.throws ? 'throw new HttpError(410, "guard");' : "if (Math.random() > 1) throw new Error();"}
}\n`,
    middleware &&
      `export async function middleware(_request, next) {
  note("in ${folder}");
  ${before}${early}
  const response = await next();
  note("out ${folder} " + response.status);
  ${after}
  return response;
}\n`,
    error &&
      `export function error(thrown) {\n  note("error ${folder} " + thrown.status);\n  ${errors[error]}\n}\n`,
  ].join("");
}

/** What happens, and the status: the specification, once more and as plainly as possible. */
class Model {
  readonly notes: string[] = [];
  readonly #made = new Set<string>();
  readonly #open: Provider[] = [];
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** @returns the status. */
  answer(endpoint: Endpoint): number {
    const around = this.#tree.hooks.filter(
      ({ folder }) => folder === "" || endpoint.file.startsWith(`${folder}/`),
    );
    const folders = around.sort((one, other) => one.folder.length - other.folder.length);
    return this.#through(folders, 0, endpoint);
  }

  #through(folders: readonly Hooks[], at: number, endpoint: Endpoint): number {
    const hooks = folders[at];
    if (hooks === undefined) return this.#inside(folders, endpoint);
    const { folder, middleware } = hooks;
    if (middleware === undefined) return this.#through(folders, at + 1, endpoint);
    this.notes.push(`in ${folder}`);
    if (middleware === "throws before") return this.#fail(folders.slice(0, at + 1), 430);
    if (middleware === "answers early") return 203;
    const status = this.#through(folders, at + 1, endpoint);
    this.notes.push(`out ${folder} ${status}`);
    if (middleware !== "throws after") return status;
    if (this.streamed) this.#drop();
    return this.#fail(folders.slice(0, at + 1), 431);
  }

  /** Asks the nearest folder first. */
  #fail(folders: readonly Hooks[], thrown: number): number {
    const [nearest, ...outer] = [...folders].reverse();
    if (nearest === undefined) return thrown;
    const rest = outer.reverse();
    if (nearest.error === undefined) return this.#fail(rest, thrown);
    this.notes.push(`error ${nearest.folder} ${thrown}`);
    if (nearest.error === "answers") return 444;
    return this.#fail(rest, nearest.error === "throws" ? 445 : thrown);
  }

  #inside(folders: readonly Hooks[], endpoint: Endpoint): number {
    let thrown = this.#call(folders, endpoint);
    const isStream = thrown === 0 && endpoint.does === "streams";
    // The head of a stream is out when the last of it fails.
    const sent = isStream ? 200 : undefined;
    if (isStream) this.streamed = () => void this.#close(0);
    else thrown = this.#close(thrown);
    if (sent !== undefined) return sent;
    return thrown === 0 ? 200 : this.#fail(folders, thrown);
  }

  /** What is left to do when the body is read to its end. */
  streamed: (() => void) | undefined;
  /** Nobody sends the stream: it is closed while the middleware and the error hooks go on. */
  isDropped = false;

  #drop(): void {
    this.streamed = undefined;
    this.isDropped = true;
    for (const { name } of this.#open.splice(0)) this.notes.push(`${name} ends`);
  }

  /** @returns the status of what was thrown, or 0. */
  #call(folders: readonly Hooks[], { file, name, needs, does }: Endpoint): number {
    for (const { folder, guard } of folders) {
      if (guard === undefined) continue;
      const thrown = this.#provide(guard.needs);
      if (thrown !== 0) return thrown;
      this.notes.push(`guard ${folder} ${given(guard.needs)}`);
      if (guard.throws) return 410;
    }
    const thrown = this.#provide(needs);
    if (thrown !== 0) return thrown;
    this.notes.push(`${file} ${name} ${given(needs)}`);
    return does === "throws" ? 418 : 0;
  }

  #provide(needs: readonly Provider[]): number {
    for (const provider of needs) {
      if (this.#made.has(provider.name)) continue;
      const thrown = this.#provide(provider.needs);
      if (thrown !== 0) return thrown;
      this.#made.add(provider.name);
      this.notes.push(`${provider.name} ${given(provider.needs)}`);
      if (provider.throws) return 420;
      if (provider.form.endsWith("generator")) this.#open.push(provider);
    }
    return 0;
  }

  #close(thrown: number): number {
    let left = thrown;
    for (const { name, failsAtEnd } of this.#open.reverse()) {
      if (left === 0) this.notes.push(`${name} goes on`);
      if (left === 0 && failsAtEnd) left = 423;
      if (left !== 0) this.notes.push(`${name} catches`);
      this.notes.push(`${name} ends`);
    }
    return left;
  }
}

test(`${PROJECTS} projects of random shape: what is called and the status are those of the model`, async ({
  loader,
}) => {
  for (let index = 0; index < PROJECTS; index++) {
    const seed = SEED + index;
    const tree = createTree(createRandom(seed));
    const answer = await loader.load(writeTree(tree));
    assert.is(answer.kind, "served", `SEED=${seed}: ${JSON.stringify(answer)}`);
    if (answer.kind !== "served") return;
    const notes = join(answer.root, "notes.txt");
    for (const endpoint of tree.endpoints) {
      writeFileSync(notes, "");
      const model = new Model(tree);
      const status = model.answer(endpoint);
      const response = await fetch(answer.url + endpoint.url);
      // A stream whose providers fail at its end is cut.
      await response.text().catch(() => "");
      model.streamed?.();
      const readNotes = () => readFileSync(notes, "utf8").split("\n").filter(isNoPiece);
      let called = readNotes();
      // A stream that nobody sends may be closed after the answer.
      for (let turn = 0; model.isDropped && called.length < model.notes.length && turn < 500; turn++) {
        await setTimeout(15);
        called = readNotes();
      }
      assert.is(response.status, status, `SEED=${seed} GET ${endpoint.url}`);
      if (model.isDropped)
        assert.equal(called.sort(), model.notes.sort(), `SEED=${seed} GET ${endpoint.url}`);
      else assert.equal(called, model.notes, `SEED=${seed} GET ${endpoint.url}`);
    }
  }
});

/** The pieces of a stream come at any time between the handler and the end of the providers. */
function isNoPiece(note: string): boolean {
  return note !== "" && note !== "first" && note !== "second";
}

test.run();
