/**
 * That the route list can't lie: projects of random shape are written to disk, loaded by the built framework in a process of
 * plain Node, and asked over a socket. It needs `dist/`: `npm run build`.
 */

import { dirname, join } from "node:path";
import { Client } from "undici";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { runs, SEED, sample } from "#runtime/random.fixture";
import { METHODS, type Method, type Param, type Segment } from "#runtime/routing/route";
import { type Loader, type ProjectFiles, startLoader } from "./loader.fixture.ts";

const PROJECTS = runs(6, 600);

const test = suite<{ loader: Loader }>("load");

test.before((context) => {
  context.loader = startLoader();
});
test.after(({ loader }) => loader.stop());

/** A handler to be written somewhere, with the route that the rule makes of it. */
interface Planned {
  /** The module that the rule looks into. */
  readonly file: string;
  readonly name: string;
  readonly method: Method;
  readonly segments: readonly Segment[];
  /** In declared order; "request" is the request. */
  readonly parameters: readonly (Param | "request")[];
  readonly form: Form;
  readonly spelling: number;
}

/** The ways to write a handler. Each gives the lines of the module, or of another file that it takes it from. */
type Form = (name: string, mark: number, parameters: string, body: string) => Written;

interface Written {
  readonly own: string;
  /** For a file beside the module, by its name there. */
  readonly beside?: { readonly file: string; readonly text: string };
}

const FORMS: readonly Form[] = [
  (name, _, parameters, body) => ({ own: declareFunction(name, parameters, body) }),
  (name, _, parameters, body) => ({ own: declareFunction(name, parameters, `await ${body}`, "async ") }),
  (name, _, parameters, body) => ({ own: exportConst(name, `(${parameters}) => ${body}`) }),
  (name, _, parameters, body) => ({ own: exportConst(name, `async ${functionText("", parameters, body)}`) }),
  (name, _, parameters, body) => ({ own: exportConst(name, `((${parameters}) => ${body}) as Function`) }),
  (name, _, parameters, body) => ({
    own: exportConst(name, `(${functionText("", parameters, body)}) satisfies Function`),
  }),
  (name, mark, parameters, body) => ({
    own: `${functionText(`local${mark}`, parameters, body)}\nexport { local${mark} as ${name} };`,
  }),
  (name, mark, parameters, body) => ({
    own: `const local${mark} = (${parameters}) => ${body};\nexport { local${mark} as "${name}" };`,
  }),
  (name, mark, parameters, body) => ({
    own: `const first${mark} = (${parameters}) => ${body};\n${exportConst(name, `first${mark}`)}`,
  }),
  (name, _, parameters, body) => ({
    own: isReserved(name)
      ? declareFunction(name, parameters, body)
      : `export function ${name}(...all: unknown[]): Response;\n${declareFunction(name, parameters, body)}`,
  }),
  (name, _, parameters, body) => ({
    own: declareFunction(name, ["this: void", parameters].filter(Boolean).join(", "), body),
  }),
  (name, mark, parameters, body) => ({
    own: `export { part as ${name} } from "./_part${mark}.ts";`,
    beside: { file: `_part${mark}.ts`, text: `export ${functionText("part", parameters, body)}` },
  }),
  (name, mark, parameters, body) => ({
    own: `export * from "./_part${mark}.ts";`,
    beside: { file: `_part${mark}.ts`, text: declareFunction(name, parameters, body) },
  }),
  (name, mark, parameters, body) => ({
    own: `import { part as part${mark} } from "./_part${mark}.ts";\nexport { part${mark} as ${name} };`,
    beside: { file: `_part${mark}.ts`, text: `export const part = (${parameters}) => ${body};` },
  }),
];

/** The ways to import the types and to write the parameters. */
const SPELLINGS: readonly { readonly head: string; readonly request: string; readonly id: string }[] = [
  { head: 'import { type Request, type int } from "framework";', request: "request: Request", id: "int" },
  { head: 'import { Request, int } from "framework";', request: "request: Request", id: "int" },
  {
    head: 'import type { Request as Asked, int as Digits } from "framework/http";',
    request: "asked: Asked",
    id: "Digits",
  },
  { head: "type Id = number;", request: "request", id: "Id" },
  { head: "", request: "r: globalThis.Request", id: "number" },
];

function functionText(name: string, parameters: string, body: string): string {
  return `function ${name}(${parameters}) { return ${body}; }`;
}

function declareFunction(name: string, parameters: string, body: string, before = ""): string {
  return isReserved(name)
    ? `${before}${functionText("remove", parameters, body)}\nexport { remove as ${name} };`
    : `export ${before}${functionText(name, parameters, body)}`;
}

function exportConst(name: string, value: string): string {
  return isReserved(name)
    ? `const removed = ${value};\nexport { removed as ${name} };`
    : `export const ${name} = ${value};`;
}

function isReserved(name: string): boolean {
  return name === "delete";
}

/** What each handler answers: which it is, and what it was called with. A header, because HEAD has no body. */
const ANSWER =
  "const answer = (mark, values) => new Response(null, { headers: { mark: String(mark), values: encodeURIComponent(JSON.stringify(values)) } });";

/** Exports that are no handlers, and files that are no routes. */
const BYSTANDERS =
  "export const limit = 5;\nexport type Row = { id: number };\nexport function format(row) {}\nexport class Shop {}";

function writeProject(prefixes: readonly string[], handlers: readonly Planned[]): ProjectFiles {
  const files: Record<string, string> = {
    "framework.toml": `apps = [${prefixes.map((_, app) => `"app${app}"`).join(", ")}]`,
    "routes/_shared.ts": "export const get = () => 1;",
    "routes/items.test.ts": "export const get = () => 1;",
  };
  prefixes.forEach((prefix, app) => {
    files[`apps/app${app}/app.toml`] = `[app]\nprefix = "${prefix}"`;
    files[`apps/app${app}/views.ts`] = `${SPELLINGS[app]?.head}\n${ANSWER}\n${BYSTANDERS}\n`;
  });
  handlers.forEach((handler, mark) => {
    const { file, name, parameters, form, spelling } = handler;
    const { head = "", request = "", id = "" } = SPELLINGS[spelling] ?? {};
    const declared = parameters.map((each) =>
      each === "request" ? request : `${each.name}${each.type === "int" ? `: ${id}` : ""}`,
    );
    const names = declared.map((text) => text.split(":")[0]);
    const values = names.map((each, index) =>
      parameters[index] === "request" ? `typeof ${each}.url` : each,
    );
    const written = form(name, mark, declared.join(", "), `answer(${mark}, [${values.join(", ")}])`);
    const lead = `${head}\n${ANSWER}\n`;
    files[file] = `${files[file] ?? lead}${written.own}\n`;
    if (written.beside) files[join(dirname(file), written.beside.file)] = `${lead}${written.beside.text}\n`;
  });
  return files;
}

const PREFIXES = ["/", "/api", "/api/v1", "/shop", "/7", "/a.b"];
const ENDPOINTS = [
  "index",
  "all",
  "by_id",
  "index_all",
  "7",
  "Größe",
  "a$",
  "constructor",
  "$id",
  "$word_all",
  "by_$word_$id",
  "$id_er_$word",
];
const ROUTE_PATHS = [
  "index",
  "items",
  "items/index",
  "api/all",
  "shop/[id]",
  "[id]/all",
  "[id]/[word]",
  "deep/[word]/er/[id]",
  "my-page",
  "a_b",
  "Größe",
];

const appended = fc.uniqueArray(
  fc.record<Param>({
    name: fc.constantFrom("page", "filter"),
    type: fc.constantFrom("int", "str"),
  }),
  { maxLength: 2, selector: ({ name }) => name },
);
const requestAt = fc.option(fc.nat({ max: 3 }));
const form = fc.constantFrom(...FORMS);
const method = fc.constantFrom(...METHODS);

function withRequest(params: readonly Param[], at: number | null): readonly (Param | "request")[] {
  return at === null ? params : [...params.slice(0, at), "request", ...params.slice(at)];
}

const view = (prefixes: readonly string[]): fc.Arbitrary<Planned> =>
  fc
    .record({
      app: fc.nat({ max: prefixes.length - 1 }),
      method,
      endpoint: fc.constantFrom(...ENDPOINTS),
      params: appended,
      requestAt,
      form,
    })
    .map(({ app, endpoint, params, ...rest }): Planned => {
      const words = endpoint === "index" ? [] : endpoint.split("_");
      const path = words.map((word): Segment => {
        const name = word.startsWith("$") ? word.slice(1) : undefined;
        return name === undefined ? word : { name, type: name === "id" ? "int" : "str" };
      });
      const placed = path.filter((segment) => typeof segment !== "string");
      return {
        file: `apps/app${app}/views.ts`,
        name: `${rest.method.toLowerCase()}_${endpoint}`,
        method: rest.method,
        segments: [...(prefixes[app] ?? "").split("/").filter(Boolean), ...path, ...params],
        parameters: withRequest([...params, ...placed.toReversed()], rest.requestAt),
        form: rest.form,
        spelling: app,
      };
    });

const routeFile: fc.Arbitrary<Planned> = fc
  .record({
    path: fc.constantFrom(...ROUTE_PATHS),
    method,
    type: fc.constantFrom<Param["type"]>("int", "str"),
    params: appended,
    takesBrackets: fc.boolean(),
    del: fc.boolean(),
    requestAt,
    form,
  })
  .map(({ path, type, params, takesBrackets, del, ...rest }): Planned => {
    const names = path.replace(/(?:^|\/)index$/, "").split("/");
    const segments = names.filter(Boolean).map((text): Segment => {
      const name = /^\[(.*)\]$/.exec(text)?.[1];
      return name === undefined ? text : { name, type: takesBrackets ? type : "str" };
    });
    const brackets = segments.filter((segment) => typeof segment !== "string");
    const taken = takesBrackets ? brackets.toReversed() : [];
    const word = rest.method === "DELETE" && del ? "del" : rest.method.toLowerCase();
    return {
      file: `routes/${path}.ts`,
      name: word,
      method: rest.method,
      segments: [...segments, ...params],
      parameters: withRequest([...params, ...taken], rest.requestAt),
      form: rest.form,
      spelling: ROUTE_PATHS.indexOf(path) % SPELLINGS.length,
    };
  });

const project = fc
  .uniqueArray(fc.constantFrom(...PREFIXES), { minLength: 1, maxLength: 4 })
  .chain((prefixes) =>
    fc.record({
      prefixes: fc.constant(prefixes),
      handlers: fc
        .uniqueArray(fc.oneof(view(prefixes), routeFile), {
          minLength: 5,
          maxLength: 30,
          size: "max",
          selector: ({ method, segments }) => keyOf(method, segments),
        })
        .map((handlers) => withoutRepeatedNames(handlers)),
    }),
  );

/** A name once in a file, and one DELETE in a route file. */
function withoutRepeatedNames(handlers: readonly Planned[]): readonly Planned[] {
  const keyed = handlers.map((handler): [string, Planned] => {
    const { file, name, method } = handler;
    return [`${file} ${file.startsWith("routes/") ? method : name}`, handler];
  });
  return [...new Map(keyed).values()];
}

function keyOf(method: string, segments: readonly Segment[]): string {
  return JSON.stringify([method, segments.map((each) => (typeof each === "string" ? each : [each.type]))]);
}

/** The fields of `routes list --json` that say what is served. */
interface Listed {
  readonly method: Method;
  readonly pattern: string;
  readonly params: readonly Param[];
}

function segmentsOf({ pattern, params }: Listed): readonly Segment[] {
  return pattern
    .split("/")
    .filter(Boolean)
    .map((text) => params.find(({ name }) => text === `<${name}>`) ?? text);
}

/** Text that no project has as static text. */
const SAMPLES = { int: "9001", str: "x%20/y", "str[]": "x%20/y" } as const;

function sampleOf(listed: Listed): string {
  const texts = segmentsOf(listed).map((each) => (typeof each === "string" ? each : SAMPLES[each.type]));
  return `/${texts.map(encodeURIComponent).join("/")}`;
}

interface Reply {
  readonly status: number;
  readonly mark: number | null;
  readonly values: unknown;
  readonly allow: string | null;
}

async function ask(client: Client, verb: string, path: string): Promise<Reply> {
  const { statusCode, headers, body } = await client.request({ method: verb as "GET", path });
  await body.dump();
  const { mark, values, allow } = headers;
  return {
    status: statusCode,
    mark: typeof mark === "string" ? Number(mark) : null,
    values: typeof values === "string" ? JSON.parse(decodeURIComponent(values)) : null,
    allow: typeof allow === "string" ? allow : null,
  };
}

/** What a list of routes promises for a request, found by trying each in the order of precedence. */
function promise(listed: readonly Listed[], verb: Method, texts: readonly string[]): Listed | number {
  const fitting = listed
    .filter((each) => fits(segmentsOf(each), texts))
    .sort((one, other) => comparePrecedence(segmentsOf(one), segmentsOf(other)));
  const own = fitting.filter((each) => each.method === verb);
  const gets = fitting.filter((each) => each.method === "GET");
  const best = verb === "HEAD" ? bestForHead(own, gets) : own[0];
  if (best) return best;
  if (fitting.length === 0) return 404;
  return verb === "OPTIONS" ? 204 : 405;
}

/** The more specific one; of two of the same shape the handler for HEAD. */
function bestForHead(own: readonly Listed[], gets: readonly Listed[]): Listed | undefined {
  const [head, get] = [own[0], gets[0]];
  if (!head || !get) return head ?? get;
  return comparePrecedence(segmentsOf(head), segmentsOf(get)) <= 0 ? head : get;
}

function fits(segments: readonly Segment[], texts: readonly string[]): boolean {
  return (
    segments.length === texts.length &&
    segments.every((each, at) => {
      const text = texts[at] ?? "";
      if (typeof each === "string") return each === text;
      return text !== "" && (each.type === "str" || /^[0-9]+$/.test(text));
    })
  );
}

function comparePrecedence(one: readonly Segment[], other: readonly Segment[]): number {
  const rank = (each: Segment | undefined): number =>
    typeof each === "object" ? (each.type === "int" ? 1 : 2) : 0;
  return one.map((each, at) => rank(each) - rank(other[at])).find((order) => order !== 0) ?? 0;
}

const WORDS = [
  "api",
  "v1",
  "shop",
  "7",
  "a.b",
  "all",
  "by",
  "id",
  "index",
  "Größe",
  "$",
  "constructor",
  "items",
  "deep",
  "er",
  "my-page",
  "a_b",
  "9001",
  "word",
  "_shared",
  "items.test",
  "views",
  "__proto__",
  "format",
  "Shop",
];

const probes = fc.array(
  fc.record({
    verb: method,
    texts: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
    slash: fc.boolean(),
  }),
  { minLength: 25, maxLength: 25 },
);

const cases = fc.sample(fc.tuple(project, probes), { seed: SEED, numRuns: PROJECTS });

test(`${PROJECTS} projects of random shape: what is listed and what answers are the same`, async ({
  loader,
}) => {
  let [routes, requests] = [0, 0];
  for (const [index, [{ prefixes, handlers }, asked]] of cases.entries()) {
    const files = writeProject(prefixes, handlers);
    const told = (text: string): string =>
      `${text} (SEED=${SEED}, project ${index})\n${Object.entries(files)
        .map(([file, source]) => `── ${file}\n${source}`)
        .join("\n")}`;
    const answer = await loader.load(files);
    assert.is(answer.kind, "served", told(JSON.stringify(answer)));
    if (answer.kind !== "served") return;
    const listed: Listed[] = JSON.parse(answer.listed);
    const marks = new Map(handlers.map((each, mark) => [keyOf(each.method, each.segments), mark]));
    const markOf = (one: Listed): number | undefined =>
      marks.get(keyOf(one.method, segmentsOf(one).map(decodeStatic)));
    assert.is(answer.status, 0, told("status of routes list"));
    assert.equal(
      listed.map(markOf).toSorted(),
      [...marks.values()].toSorted(),
      told("every handler is listed, and nothing else"),
    );

    const client = new Client(answer.url, { pipelining: 10 });
    await Promise.all([
      ...listed.map(async (one) => {
        const path = sampleOf(one);
        const { status, mark, values } = await ask(client, one.method, path);
        const what = `${one.method} ${path} for ${one.pattern}`;
        assert.equal([status, mark], [200, markOf(one)], told(what));
        assert.equal(values, valuesOf(handlers[mark ?? -1]), told(what));
      }),
      ...asked.map(async ({ verb, texts, slash }) => {
        const path = `/${texts.map(encodeURIComponent).join("/")}${slash && texts.length > 0 ? "/" : ""}`;
        const promised = promise(listed, verb, texts);
        const { status, mark, allow } = await ask(client, verb, path);
        const wanted = typeof promised === "number" ? [promised, null] : [200, markOf(promised)];
        assert.equal([status, mark], wanted, told(`${verb} ${path}`));
        assert.is(allow !== null, status === 405 || status === 204, told(`Allow of ${verb} ${path}`));
      }),
    ]);
    await client.close();
    routes += listed.length;
    requests += listed.length + asked.length;
  }
  assert.ok(routes > PROJECTS * 3 && requests > routes, "the projects are not empty");
});

function decodeStatic(segment: Segment): Segment {
  return typeof segment === "string" ? decodeURIComponent(segment) : segment;
}

/** What the handler of a route is called with for the sample path. */
function valuesOf(handler: Planned | undefined): unknown {
  return handler?.parameters.map((each) => {
    if (each === "request") return "string";
    return each.type === "int" ? Number(SAMPLES.int) : SAMPLES.str;
  });
}

const SOUND: ProjectFiles = {
  "framework.toml": 'apps = ["shop"]',
  "apps/shop/app.toml": "",
  "apps/shop/views.ts": "export function get_all() { return {}; }\n",
};

/** What some versions of Node would load. */
const INERASABLE: readonly [what: string, text: string, place: string][] = [
  ["an enum", "\nexport enum A { B }\n", "2:8"],
  ["a namespace with code", "const a = 1;\nnamespace N { export const b = a; }\n", "2:1"],
  ["a parameter property", "export class A {\n  constructor(private readonly b = 1) {}\n}\n", "2:15"],
  ["`import … =`", 'import fs = require("node:fs");\nfs.readFileSync;\n', "1:1"],
];

/** A handler that imports nothing of its provider's module at run time. */
const PROVIDED: ProjectFiles = {
  "apps/shop/views.ts":
    'import type { From } from "framework";\nimport type { user } from "../../lib/user.ts";\nexport const get_all = (me: From<typeof user>) => ({ me });\n',
};

type Difference = readonly [
  what: string,
  files: ProjectFiles,
  diagnostics: readonly string[],
  message: RegExp,
];

/** What a module turns out to be when it runs, though its text could be read. */
const DIFFERENCES: readonly Difference[] = [
  [
    "a handler that is given another value afterwards",
    { "apps/shop/views.ts": "export let get_all: unknown = () => 1;\nget_all = undefined;\n" },
    ["FW501 apps/shop/views.ts:1:12"],
    /apps\/shop\/views\.ts exports `get_all` in its source/,
  ],
  [
    "a handler that only one branch makes",
    {
      "routes/a.ts":
        "export let get = () => 1;\nexport const post = () => 1;\nif (process.env.NEVER === undefined) get = Object(0);\n",
    },
    ["FW501 routes/a.ts:1:12"],
    /routes\/a\.ts exports `get` in its source/,
  ],
  [
    "a CommonJS file that assigns exports, behind `export *`",
    {
      "apps/shop/views.ts": 'export * from "./old/views.js";\nexport const get_all = () => 1;\n',
      "apps/shop/old/package.json": '{ "type": "commonjs" }',
      "apps/shop/old/views.js": "exports.post_order = () => 1;\nexports.limit = 5;\n",
    },
    ["FW501 apps/shop/views.ts:1:1"],
    /apps\/shop\/views\.ts exports `post_order` when it is loaded/,
  ],
  [
    "the same by `Object.assign(exports)` and in a route file that has no handler of its own",
    {
      "routes/a.ts": 'export * from "./_old/a.js";\n',
      "routes/_old/package.json": '{ "type": "commonjs" }',
      "routes/_old/a.js": "0 && (module.exports = { get });\nObject.assign(exports, { get: () => 1 });\n",
    },
    ["FW501 routes/a.ts:1:1"],
    /routes\/a\.ts exports `get` when it is loaded/,
  ],
  [
    "a module that throws",
    { "apps/shop/views.ts": 'export function get_all() {}\n\nthrow new TypeError("no database");\n' },
    ["FW503 apps/shop/views.ts:3:7"],
    /apps\/shop\/views\.ts could not be loaded: TypeError: no database/,
  ],
  [
    "a module that throws what is no error",
    { "apps/shop/views.ts": 'export function get_all() {}\nthrow "words";\n' },
    ["FW503 apps/shop/views.ts:1:1"],
    /apps\/shop\/views\.ts could not be loaded: words/,
  ],
  [
    "a module whose own import throws: it is told where",
    {
      "apps/shop/views.ts": 'import "./database.ts";\nexport function get_all() {}\n',
      "apps/shop/database.ts": 'const url = "";\nif (!url) throw new Error("no database");\n',
    },
    ["FW503 apps/shop/database.ts:2:17"],
    /apps\/shop\/database\.ts could not be loaded: Error: no database/,
  ],
  [
    "a cycle in which a constant is read too early",
    {
      "apps/shop/views.ts": 'import "./a.ts";\nexport const size = 1;\nexport const get_all = () => 1;\n',
      "apps/shop/a.ts": 'import { size } from "./views.ts";\nexport const more = size + 1;\n',
    },
    ["FW503 apps/shop/a.ts:2:21"],
    /^apps\/shop\/a\.ts could not be loaded: ReferenceError: Cannot access 'size' before initialization$/,
  ],
  [
    "an import that is not there",
    { "apps/shop/views.ts": 'import { a } from "./nowhere.ts";\nexport function get_all() { return a; }\n' },
    ["FW503 apps/shop/views.ts:1:19"],
    /apps\/shop\/views\.ts could not be loaded: [\s\S]*nowhere\.ts/,
  ],
  [
    "the same in a file that is imported by way of another",
    {
      "apps/shop/views.ts": 'export * from "../../lib/a.ts";\nexport function get_all() {}\n',
      "lib/a.ts":
        '// first\nimport type { B } from "./b";\nexport { b } from "./b";\nexport const c: B = 1;\n',
      "lib/b.ts": "export type B = number;\nexport const b = 1;\n",
    },
    ["FW503 lib/a.ts:3:19"],
    /lib\/a\.ts could not be loaded: [\s\S]*lib\/b'/,
  ],
  [
    "a file that is named by the ending that it would have once compiled",
    {
      "apps/shop/views.ts": 'import "./a b.js";\nexport function get_all() {}\n',
      "apps/shop/a b.ts": "",
    },
    ["FW503 apps/shop/views.ts:1:8"],
    /a b\.js/,
  ],
  [
    "a folder that is imported",
    { "apps/shop/views.ts": '\nimport "../shop/";\nexport function get_all() {}\n' },
    ["FW503 apps/shop/views.ts:2:8"],
    /Directory import/,
  ],
  [
    "a package that is not installed",
    { "apps/shop/views.ts": 'import pg from "@scope/pg/client";\nexport const get_all = () => pg;\n' },
    ["FW503 apps/shop/views.ts:1:16"],
    /@scope\/pg/,
  ],
  [
    "JSON that is imported without its type",
    {
      "apps/shop/views.ts": 'import { a } from "./a.ts";\nexport const get_all = () => a;\n',
      "apps/shop/a.ts": 'import a from "./a.json";\nexport { a };\n',
      "apps/shop/a.json": "{}",
    },
    ["FW503 apps/shop/a.ts:1:15"],
    /import attribute/,
  ],
  [
    "JSON that is broken",
    {
      "apps/shop/views.ts":
        'import a from "./a.json" with { type: "json" };\nexport const get_all = () => a;\n',
      "apps/shop/a.json": '{\n  "a": 1,\n  "b": x\n}\n',
    },
    ["FW503 apps/shop/views.ts:1:15"],
    /a\.json/,
  ],
  [
    "JSON that is empty",
    {
      "apps/shop/views.ts":
        '\nimport a from "./a.json" with { type: "json" };\nexport const get_all = () => a;\n',
      "apps/shop/a.json": "",
    },
    ["FW503 apps/shop/views.ts:2:15"],
    /a\.json/,
  ],
  [
    "JSON with a comment",
    {
      "apps/shop/views.ts":
        'import a from "./a.json" with { type: "json" };\nexport const get_all = () => a;\n',
      "apps/shop/a.json": '{\n  "a": 1 // one\n}\n',
    },
    ["FW503 apps/shop/views.ts:1:15"],
    /a\.json/,
  ],
  [
    "a file that is no module",
    {
      "apps/shop/views.ts": 'import a from "./a.sql";\nexport const get_all = () => a;\n',
      "apps/shop/a.sql": "select 1",
    },
    ["FW503 apps/shop/views.ts:1:15"],
    /Unknown file extension "\.sql"/,
  ],
  [
    "a syntax error in a file that is imported",
    {
      "apps/shop/views.ts": 'import "./a.ts";\nexport const get_all = () => 1;\n',
      "apps/shop/a.ts": "export const a = 1;\n\nexport const b = = 1;\n",
    },
    ["FW503 apps/shop/a.ts:3:18"],
    /apps\/shop\/a\.ts could not be loaded: SyntaxError/,
  ],
  [
    "a syntax error inside an arrow function of a file that is imported",
    {
      "apps/shop/views.ts": 'import "./a.ts";\nexport const get_all = () => 1;\n',
      "apps/shop/a.ts": "export const a = () => {\n  const x = 1;\n  const y = ;\n};\n",
    },
    ["FW503 apps/shop/a.ts:3:13"],
    /^apps\/shop\/a\.ts could not be loaded: SyntaxError: Unexpected token$/,
  ],
  [
    "a syntax error in a file of JavaScript that is imported by another",
    {
      "apps/shop/views.ts": 'import "./a.ts";\nexport const get_all = () => 1;\n',
      "apps/shop/a.ts": 'import "./b.js";\n',
      "apps/shop/b.js": "export const a = 1;\n\nexport const b = {;\n",
    },
    ["FW503 apps/shop/b.js:3:19"],
    /^apps\/shop\/b\.js could not be loaded: SyntaxError: Unexpected token$/,
  ],
  ...INERASABLE.map(
    ([what, text, place]): Difference => [
      `${what} in a file that is imported, on every version of Node`,
      {
        "apps/shop/views.ts": 'import "./a.ts";\nexport const get_all = () => 1;\n',
        "apps/shop/a.ts": text,
      },
      [`FW318 apps/shop/a.ts:${place}`],
      new RegExp(`This is ${what}: Node only erases types`),
    ],
  ),
  [
    "a mistake in what two modules import, told once",
    {
      "routes/a.ts": 'import "./_c.ts";\nexport const get = () => 1;\n',
      "routes/b.ts": 'import "./_c.ts";\nexport const get = () => 1;\n',
      "routes/_c.ts": 'throw new Error("no database");\n',
    },
    ["FW503 routes/_c.ts:1:7"],
    /no database/,
  ],
  ...Object.entries({
    "a module that this version of Node has not": [
      'import "node:nope";\n',
      "1:8",
      /No such built-in module: node:nope/,
    ],
    "a module of another platform": ['import { Database } from "bun:nope";\n', "1:26", /'bun:'/],
    "a package that is not installed": [
      'import "#lib/db.ts";\nimport "nope";\n',
      "2:8",
      /Cannot find package 'nope'/,
    ],
    "an alias that leads to no file": [
      'import "#lib/nope.ts";\n',
      "1:8",
      /Cannot find module '[^']*nope\.ts'/,
    ],
    "an alias that is not there": ['import "##nope.ts";\n', "1:8", /"##nope\.ts" is not defined/],
    "a package that throws": ['import "./db.ts";\nimport "broken";\n', "2:8", /: Error: broken$/],
    "what throws in a function that is called": [
      'import { fail } from "#lib/fail.ts";\nfail();\n',
      "",
      /: Error: called$/,
    ],
  } as const).map(
    ([what, [text, place, message]]): Difference => [
      `${what}, in a file that three import by way of others,`,
      {
        "package.json": '{ "type": "module", "imports": { "#*": "./*", "##*": null } }',
        "routes/a.ts": 'import "#lib/b.ts";\nexport const get = () => 1;\n',
        "routes/deep/b.ts": 'import "../../lib/b.ts";\nexport const get = () => 1;\n',
        "apps/shop/views.ts": 'import "#lib/shared.ts";\nexport const get_all = () => 1;\n',
        "lib/b.ts": 'import "#lib/db.ts";\nimport "./shared.ts";\n',
        "lib/db.ts": "export const db = 1;\n",
        "lib/fail.ts": '// fails\nexport function fail() {\n  throw new Error("called");\n}\n',
        "lib/shared.ts": text,
        "node_modules/broken/package.json": '{ "type": "module", "main": "index.js" }',
        "node_modules/broken/index.js": 'throw new Error("broken");\n',
      },
      [`FW503 ${place === "" ? "lib/fail.ts:3:9" : `lib/shared.ts:${place}`}`],
      new RegExp(`^lib/shared\\.ts could not be loaded.*${message.source}`),
    ],
  ),
  [
    "a name that the imported file does not export",
    {
      "apps/shop/views.ts": 'import { a } from "./b.ts";\nexport function get_all() { return a; }\n',
      "apps/shop/b.ts": "export const b = 1;\n",
    },
    ["FW503 apps/shop/views.ts:1:10"],
    /apps\/shop\/views\.ts could not be loaded: SyntaxError: [\s\S]*'?a'?/,
  ],
  [
    "a provider that is given another value afterwards",
    {
      ...PROVIDED,
      "lib/user.ts": "export let user: () => number = () => 1;\nuser = undefined as never;\n",
    },
    ["FW501 lib/user.ts:1:12"],
    /lib\/user\.ts exports `user` in its source, but not when it is loaded/,
  ],
  ...(["guard", "middleware", "error"] as const).flatMap((name): Difference[] => [
    [
      `the ${name} of a folder that is given another value afterwards`,
      { "apps/_hooks.ts": `export let ${name}: unknown = () => 1;\n${name} = undefined;\n` },
      ["FW501 apps/_hooks.ts:1:12"],
      new RegExp(`apps/_hooks\\.ts exports \`${name}\` in its source`),
    ],
    [
      `the ${name} of a folder whose source does not show it`,
      {
        "apps/shop/_hooks.ts": 'export * from "./old/hooks.js";\nexport const limit = 5;\n',
        "apps/shop/old/package.json": '{ "type": "commonjs" }',
        "apps/shop/old/hooks.js": `exports.${name} = () => 1;\nexports.limit = 5;\n`,
      },
      ["FW501 apps/shop/_hooks.ts:1:1"],
      new RegExp(`apps/shop/_hooks\\.ts exports \`${name}\` when it is loaded`),
    ],
  ]),
  [
    "an error hook of the root that nothing shows, in a project without routes",
    {
      "framework.toml": "apps = []",
      "_hooks.ts": 'export * from "./old/hooks.js";\n',
      "old/package.json": '{ "type": "commonjs" }',
      "old/hooks.js": "exports.error = () => 1;\n",
    },
    ["FW501 _hooks.ts:1:1"],
    /_hooks\.ts exports `error` when it is loaded/,
  ],
  [
    "a provider's module that throws",
    { ...PROVIDED, "lib/user.ts": 'export const user = () => 1;\nthrow new Error("no users");\n' },
    ["FW503 lib/user.ts:2:7"],
    /lib\/user\.ts could not be loaded: Error: no users/,
  ],
  [
    "two at once",
    {
      "apps/shop/views.ts": "export let get_all: unknown = () => 1;\nget_all = undefined;\n",
      "routes/a.ts": 'export const get = () => 1;\nthrow new Error("at once");\n',
    },
    ["FW501 apps/shop/views.ts:1:12", "FW503 routes/a.ts:2:7"],
    /get_all/,
  ],
];

for (const [what, files, diagnostics, message] of sample("differences", DIFFERENCES, 20)) {
  test(`${what} is fatal`, async ({ loader }) => {
    const answer = await loader.load({ ...SOUND, ...files });
    assert.is(answer.kind, "refused", JSON.stringify(answer));
    if (answer.kind !== "refused") return;
    const shown = answer.diagnostics.map(({ code, locations: [place] }) => {
      return `${code} ${place?.file}:${place?.line}:${place?.column}`;
    });
    assert.equal(shown, diagnostics);
    assert.match(answer.diagnostics.map((diagnostic) => diagnostic.message).join("\n"), message);
  });
}

test("a default export and exports without a handler's name are no difference, and are not served", async ({
  loader,
}) => {
  const answer = await loader.load({
    ...SOUND,
    "apps/shop/views.ts":
      "export default function get_x() {}\nexport const limit = 5;\nexport function get_all() {}\n",
    "routes/a.ts": "export default () => 1;\nexport const get = () => 1;\nexport const format = () => 1;\n",
  });
  assert.ok(answer.kind === "served", JSON.stringify(answer));
  const listed: Listed[] = JSON.parse(answer.listed);
  assert.equal(
    listed.map(({ pattern }) => pattern),
    ["/a", "/shop/all"],
  );
});

/** Its own name, and when it ran. */
function recorder(file: string, text: string): string {
  const order = "(globalThis as unknown as { order?: string[] })";
  return `${order}.order = [...(${order}.order ?? []), "${file}"];\n${text}`;
}

test("hooks are loaded first, the outer before the inner, then handlers, then what only has providers", async ({
  loader,
}) => {
  const user = recorder("lib/user.ts", "export const user = () => 1;\n");
  const guard = "export function guard() {}\n";
  const answer = await loader.load({
    ...SOUND,
    "routes/order.ts": "export const get = () => (globalThis as unknown as { order: string[] }).order;\n",
    "apps/shop/views.ts": recorder("apps/shop/views.ts", PROVIDED["apps/shop/views.ts"] ?? ""),
    "lib/user.ts": user,
    "apps/shop/_hooks.ts": recorder("apps/shop/_hooks.ts", guard),
    "apps/_hooks.ts": recorder("apps/_hooks.ts", guard),
    "routes/_hooks.ts": recorder("routes/_hooks.ts", guard),
    "_hooks.ts": recorder("_hooks.ts", "export const error = () => undefined;\n"),
    "lib/_hooks.ts": "export const guard = 1;\nthrow new Error('is imported by nobody');\n",
  });
  assert.ok(answer.kind === "served", JSON.stringify(answer));
  const response = await fetch(`${answer.url}/order`);
  assert.equal(await response.json(), [
    "_hooks.ts",
    "apps/_hooks.ts",
    "apps/shop/_hooks.ts",
    "routes/_hooks.ts",
    "apps/shop/views.ts",
    "lib/user.ts",
  ]);
});

test.run();
