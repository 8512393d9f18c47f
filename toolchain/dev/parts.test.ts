import { test } from "uvu";
import * as assert from "uvu/assert";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Project, readProject } from "#convention/project";
import { createCoreApp } from "#runtime/app";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { ProjectError } from "../load/project-error.ts";
import { toRoute } from "../load/project-functions.ts";
import { Parts } from "./parts.ts";

const PROJECT: Project = readProject(
  "/nowhere",
  new Map([
    ["framework.toml", ""],
    ["routes/a.ts", "export const get = () => 1;\nexport const post = () => 1;\n"],
    ["routes/b.ts", "export const get = () => 1;\n"],
    ["routes/c.ts", "export const get = () => 1;\n"],
  ]),
);

/** Loads nothing but notes what it was asked for, once. A file among the broken ones can't be loaded. */
function createLoading(broken: readonly string[] = []) {
  const loaded: string[] = [];
  const load = (file: string): void => {
    if (!loaded.includes(file)) loaded.push(file);
    if (!broken.includes(file)) return;
    const location = { file, line: 1, column: 1 };
    throw new ProjectError("/nowhere", [diagnose("FW503", { module: file, why: "It is broken." }, location)]);
  };
  const parts = new Parts(PROJECT, {
    async bind(part) {
      for (const file of new Set(part.routes.map(({ module }) => module))) load(file);
      const handler = () => "loaded";
      return {
        routes: part.routes.map((typed) => ({ route: toRoute(typed), handler })),
        unmatched: undefined,
      };
    },
    run: async (file) => load(file),
  });
  return { loaded, parts };
}

async function serve(parts: Parts, first?: readonly string[]): Promise<(request: string) => Promise<string>> {
  const { routes } = await parts.load(first);
  const app = createCoreApp(routes, { settings: DEFAULT_SETTINGS, log: { info() {}, error() {} } });
  return async (request) => {
    const [method = "", path = ""] = request.split(" ");
    const response = await app.fetch(new Request(`http://localhost${path}`, { method }));
    return `${response.status} ${await response.text()}`;
  };
}

test("all is loaded where no files are named as the first ones, in the order of the files", async () => {
  const { loaded, parts } = createLoading();
  await serve(parts);
  assert.equal(loaded, ["routes/a.ts", "routes/b.ts", "routes/c.ts"]);
});

test("of several files only the first ones are loaded before anything is answered, those without routes too", async () => {
  const { loaded, parts } = createLoading();
  await serve(parts, ["lib/data.ts", "routes/b.ts"]);
  assert.equal(loaded, ["lib/data.ts", "routes/b.ts"]);
});

test("no part is bound, which may load more, before all first files have run", async () => {
  const steps: string[] = [];
  const parts = new Parts(PROJECT, {
    async bind(part) {
      steps.push(`bind ${part.files.join()}`);
      return { routes: [], unmatched: undefined };
    },
    run: async (file) => void steps.push(`run ${file}`),
  });
  await parts.load(["routes/b.ts", "lib/data.ts"]);
  assert.equal(steps, ["run routes/b.ts", "run lib/data.ts", "bind ", "bind routes/b.ts"]);
});

test("a request has what it needs loaded, once for all routes of the file", async () => {
  const { loaded, parts } = createLoading();
  const ask = await serve(parts, []);
  assert.equal(await Promise.all([ask("GET /a"), ask("GET /a")]), ["200 loaded", "200 loaded"]);
  assert.is(await ask("POST /a"), "200 loaded");
  assert.is(await ask("GET /a"), "200 loaded");
  assert.equal(loaded, ["routes/a.ts"]);
});

test("the rest is what is not loaded yet", async () => {
  const { loaded, parts } = createLoading();
  const ask = await serve(parts, ["routes/c.ts"]);
  await ask("GET /b");
  await parts.loadRest(() => false);
  assert.equal(loaded, ["routes/c.ts", "routes/b.ts", "routes/a.ts"]);
});

test("no more of the rest is loaded once nobody needs it", async () => {
  const { loaded, parts } = createLoading();
  await serve(parts, []);
  await parts.loadRest(() => loaded.length > 0);
  assert.equal(loaded, ["routes/a.ts"]);
});

test("a mistake in the first files keeps all from being served, and the error has every other mistake", async () => {
  const { parts } = createLoading(["lib/data.ts", "routes/c.ts"]);
  assert.equal(await findPlaces(parts.load(["lib/data.ts"])), ["lib/data.ts", "routes/c.ts"]);
  assert.equal(parts.failed, ["lib/data.ts", "routes/c.ts"]);
});

test("a mistake in the rest is an error with every mistake, and only its own requests are answered by a 500", async () => {
  const { parts } = createLoading(["routes/a.ts", "routes/b.ts"]);
  const ask = await serve(parts, []);
  assert.match(await ask("GET /a"), /^500 .*The project is not served.*It is broken/s);
  assert.equal(await findPlaces(parts.loadRest(() => false)), ["routes/a.ts", "routes/b.ts"]);
  assert.equal(parts.failed, ["routes/a.ts", "routes/b.ts"]);
  assert.match(await ask("GET /b"), /^500 /);
  assert.is(await ask("GET /c"), "200 loaded");
});

/** @returns where the mistakes are that a loading reports. */
async function findPlaces(loading: Promise<unknown>): Promise<string[]> {
  const error = await loading.then(
    () => assert.unreachable("It was loaded."),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProjectError)) throw error;
  return error.diagnostics.flatMap(({ locations }) => locations.map(({ file }) => file));
}

test.run();
