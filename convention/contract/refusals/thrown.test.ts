import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSources } from "../../project.ts";
import { createFiles } from "../../source/files.ts";
import { mergeAnswers } from "../answers.ts";
import { formatAnswers, readRoute, readTexts } from "../reading.fixture.ts";
import { createRefusalReader } from "./refusals.ts";

type Texts = Readonly<Record<string, string>>;

const IMPORT =
  'import { HttpError, type Request, type From, type Bearer, type Body, type int } from "framework";\n';

/** What `get` of a route file may throw. */
function read(text: string, others: Texts = {}): string {
  const files = { "framework.toml": "", "routes/items.ts": IMPORT + text, ...others };
  const sources = readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(files))));
  assert.equal(
    sources.project.diagnostics.filter(({ severity }) => severity === "error"),
    [],
  );
  const [route] = sources.project.routes;
  if (route === undefined) throw new Error("There is no route.");
  return formatAnswers(mergeAnswers(createRefusalReader(sources)(route).answers));
}

/** In the body of `get`. */
const BODIES: readonly [body: string, answers: string][] = [
  ["return {};", ""],
  ['throw new HttpError(404, "No item");', '404 #Framework.Error "No item"'],
  [`throw new HttpError(404, \`No item \${id}\`);`, '404 #Framework.Error "No item {id}"'],
  [
    `throw new HttpError(404, \`No item \${item.id} in \${f(1)}\`);`,
    '404 #Framework.Error "No item {id} in {…}"',
  ],
  ['throw new HttpError(404, "No item " + id);', "404 #Framework.Error"],
  ["try { f(); } catch (error) { throw new HttpError(404, error.message); }", "404 #Framework.Error"],
  ["throw new HttpError(404, String(1));", "404 unknown"],
  ['if (a) throw new HttpError(404, "A"); throw new HttpError(404, "B");', '404 #Framework.Error "A; B"'],
  [
    'throw new HttpError(409, "A"); throw new HttpError(403, "B");',
    '403 #Framework.Error "B"; 409 #Framework.Error "A"',
  ],
  ['throw new HttpError(a ? 403 : 404, "No");', '403 #Framework.Error "No"; 404 #Framework.Error "No"'],
  [
    'throw a ? new HttpError(403, "A") : new HttpError(404, "B");',
    '403 #Framework.Error "A"; 404 #Framework.Error "B"',
  ],
  ['throw a ?? new HttpError(404, "B");', '404 #Framework.Error "B"'],
  ['throw new HttpError(status, "No");', 'default #Framework.Error "No"'],
  ['throw new HttpError(500, "No");', '500 #Framework.Error "No"'],
  ['throw new HttpError(200, "No");', ""],
  ['throw new HttpError("404", "No");', ""],
  ["throw new Error('no');", ""],
  ["throw 'no';", ""],
  ["throw undefined;", ""],
  // Objects, and their shapes as TypeScript would widen them.
  ['throw new HttpError(422, { error: "No", count: 1 });', '422 { error: string, count: number } "No"'],
  ["throw new HttpError(422, { errors: { name: ['is required'] } });", "422 { errors: { name: string[] } }"],
  ["throw new HttpError(422, { ...a, ok: false, at: null });", "422 { ok: boolean, at: null, ...: unknown }"],
  [
    "throw new HttpError(422, { a: b(), [c]: 1, 'd-e': -1 });",
    "422 { a?: unknown, d-e: number, ...: unknown }",
  ],
  ["throw new HttpError(422, { a: [] });", "422 { a: unknown[] }"],
  ["throw new HttpError(422, { a: [1, 'b'] });", "422 { a: (number | string)[] }"],
  ["throw new HttpError(422, a ? { b: 1 } : 'No');", '422 { b: number } | #Framework.Error "No"'],
  ["throw new HttpError(422, { issues: a.map(toIssue) });", "422 { issues?: unknown }"],
  // Headers.
  [
    "throw new HttpError(429, 'No', { headers: { 'Retry-After': '30' } });",
    '429 #Framework.Error "No" [retry-after]',
  ],
  [
    "throw new HttpError(429, 'No', { headers: [['Retry-After', '30']] });",
    '429 #Framework.Error "No" [retry-after]',
  ],
  ["throw new HttpError(429, 'No', { headers: new Headers() });", '429 #Framework.Error "No"'],
  ["throw new HttpError(429, 'No', { cause: error });", '429 #Framework.Error "No"'],
  [
    "const headers = new Headers({ 'Content-Type': 'application/problem+json', etag: '1' }); throw new HttpError(404, { title: 'No' }, { headers });",
    "404 application/problem+json { title: string } [etag]",
  ],
  [
    "throw new HttpError(404, { title: 'No' }, { headers: { 'content-type': 'application/problem+json' } });",
    "404 application/problem+json { title: string }",
  ],
  // Where it is made elsewhere in the function.
  ["const error = new HttpError(404, 'No'); throw error;", '404 #Framework.Error "No"'],
  ["const status = 404; throw new HttpError(status, 'No');", '404 #Framework.Error "No"'],
  ["let status = 404; status++; throw new HttpError(status, 'No');", 'default #Framework.Error "No"'],
  ["return Promise.reject(new HttpError(404, 'No'));", '404 #Framework.Error "No"'],
  ["return new HttpError(404, 'No');", '404 #Framework.Error "No"'],
  ["[1].map(() => { throw new HttpError(404, 'No'); });", '404 #Framework.Error "No"'],
  ["const fail = () => { throw new HttpError(404, 'No'); }; fail();", '404 #Framework.Error "No"'],
  // Responses.
  ["throw new Response('no', { status: 404 });", "default */* unknown"],
  ["throw Response.json({});", "default */* unknown"],
  ["return new Response('yes');", ""],
  // What is caught.
  ["try { throw new HttpError(404, 'No'); } catch { return {}; }", ""],
  ["try { throw new HttpError(404, 'No'); } catch (error) { console.error(error); }", ""],
  ["try { throw new HttpError(404, 'No'); } catch (error) { throw error; }", '404 #Framework.Error "No"'],
  [
    "try { throw new HttpError(404, 'No'); } catch (e) { const err = e as Error; throw err; }",
    '404 #Framework.Error "No"',
  ],
  [
    "try { throw new HttpError(404, 'No'); } catch (e) { throw Object.assign(e as Error, {}); }",
    '404 #Framework.Error "No"',
  ],
  ["try { throw new HttpError(404, 'No'); } catch (e) { request.log.warn(e); }", ""],
  [
    "try { throw new HttpError(404, 'No'); } catch { throw new HttpError(409, 'B'); }",
    '404 #Framework.Error "No"; 409 #Framework.Error "B"',
  ],
  [
    "try { throw new HttpError(404, 'No'); } catch (e) { throw e.cause ? e : new Error(); }",
    '404 #Framework.Error "No"',
  ],
  ["try { f(); } catch (e) { throw new HttpError(409, 'B', { cause: e }); }", '409 #Framework.Error "B"'],
  ["try { throw new HttpError(404, 'No'); } finally { f(); }", '404 #Framework.Error "No"'],
  ["try {} catch { throw new HttpError(404, 'No'); }", '404 #Framework.Error "No"'],
  ["try { [1].map(() => { throw new HttpError(404, 'No'); }); } catch {}", ""],
  ["try { try { throw new HttpError(404, 'No'); } catch (e) { throw e; } } catch {}", ""],
  ["f().catch(() => null);", ""],
];

for (const [body, answers] of BODIES)
  test(`${body} is ${answers || "nothing"}`, () => {
    assert.is(read(`export function get() { ${body} }`), answers);
  });

/** A handler together with what it names. */
const PROJECTS: readonly [text: string, answers: string, others?: Texts][] = [
  // Functions that throw, and functions that return what is thrown.
  [
    "function find() { throw new HttpError(404, 'No'); } export function get() { find(); }",
    '404 #Framework.Error "No"',
  ],
  [
    "const no = (text: string) => new HttpError(404, text); export function get() { throw no('No'); }",
    '404 #Framework.Error "No"',
  ],
  [
    `const no = (what: string, id: number) => new HttpError(404, \`No \${what} \${id * 2} of \` + what); export function get() { throw no("item", 7); }`,
    "404 #Framework.Error",
  ],
  [
    'import { find } from "../lib/find.ts"; export function get() { find(); }',
    '404 #Framework.Error "No"',
    {
      "lib/find.ts": `${IMPORT}import { no } from "./no.ts"; export function find() { throw no(); }`,
      "lib/no.ts": `${IMPORT}export { refuse as no }; const refuse = () => new HttpError(404, "No");`,
    },
  ],
  [
    "function a() { b(); } function b() { a(); throw new HttpError(404, 'No'); } export function get() { a(); }",
    '404 #Framework.Error "No"',
  ],
  ["function a() { throw new HttpError(404, 'No'); } export function get() { try { a(); } catch {} }", ""],
  [
    "function assert(ok: unknown, error: Error) { if (!ok) throw error; } export function get() { assert(false, new HttpError(404, 'No')); }",
    '404 #Framework.Error "No"',
  ],
  [
    "function refuse(status = 404) { throw new HttpError(status, 'No'); } export function get() { refuse(409); }",
    '409 #Framework.Error "No"',
  ],
  [
    "function refuse(status: number) { if (status === 404) status = 410; throw new HttpError(status, 'No'); } export function get() { refuse(404); }",
    'default #Framework.Error "No"',
  ],
  // A status that is passed through one call.
  [
    "function refuse(status: number): never { throw new HttpError(status, 'No'); } export function get() { refuse(404); refuse(409); }",
    '404 #Framework.Error "No"; 409 #Framework.Error "No"',
  ],
  [
    "function refuse(status: number, text: string) { return new HttpError(status, text); } export function get(a: string) { throw refuse(404, a.trim()); }",
    "404 #Framework.Error",
  ],
  [
    `import * as errors from "../lib/errors.ts"; export function get(a: string) { throw errors.refuse(a ? 403 : 404, { error: \`No \${a}\` }); }`,
    '403 { error: string } "No {a}"; 404 { error: string } "No {a}"',
    {
      "lib/errors.ts": `${IMPORT}export const refuse = (status: number, body: object) => new HttpError(status, body);`,
    },
  ],
  // Nothing more.
  [
    "function a(n: number) { b(n); } function b(n: number) { throw new HttpError(n, 'No'); } export function get() { a(404); }",
    'default #Framework.Error "No"',
  ],
  [
    "function a(n = 404) { throw new HttpError(n, 'No'); } export function get() { a(); }",
    'default #Framework.Error "No"',
  ],
  [
    "const NO = 404; export function get() { throw new HttpError(NO, 'No'); }",
    'default #Framework.Error "No"',
  ],
  ["const GONE = new HttpError(410, 'Gone'); export function get() { throw GONE; }", ""],
  ["class No extends HttpError {} export function get() { throw new No(404, 'No'); }", ""],
  [
    "class Items { static find() { throw new HttpError(404, 'No'); } } export function get() { Items.find(); }",
    "",
  ],
  ['import { no } from "http-errors"; export function get() { throw no(404); }', ""],
  // Functions that return the body.
  [
    "function explain(error: string, code: string) { return { error, code }; } export function get(a: string) { throw new HttpError(422, explain('No', a)); }",
    "422 { error: string, code: string }",
  ],
  [
    "interface Problem { code: int } function explain(ok: boolean): Problem | string { return make(ok); } export function get() { throw new HttpError(422, explain(true)); }",
    "422 #Problem | #Framework.Error",
  ],
  // What runs before the handler.
  [
    "export function shop() { throw new HttpError(404, 'No'); } export function get(of: From<typeof shop>) {}",
    '404 #Framework.Error "No"',
  ],
  [
    "export function get() {}",
    '403 #Framework.Error "No"',
    { "routes/_hooks.ts": `${IMPORT}export function guard() { throw new HttpError(403, "No"); }` },
  ],
  ["export function head() { throw new HttpError(404, 'No'); }", '404 "No"'],
  // The request's body.
  [
    "export async function post(request: Request) { return await request.json(); }",
    '400 #Framework.Error "The request body is not valid JSON"; 413 #Framework.Error "The request body is larger than 1048576 bytes"',
  ],
  [
    "export async function post(request) { return await request.text(); }",
    '413 #Framework.Error "The request body is larger than 1048576 bytes"',
  ],
  ["export async function post(request) { try { await request.json(); } catch { return {}; } }", ""],
  [
    "async function parse(from: Request) { return from.text(); } export function post(request: Request) { return parse(request); }",
    '413 #Framework.Error "The request body is larger than 1048576 bytes"',
  ],
  [
    "async function parse(from: Response) { return from.json(); } export function get() { return parse(a); }",
    "",
  ],
];

for (const [text, answers, others] of PROJECTS)
  test(`${text} answers ${answers || "nothing"}`, () => {
    assert.is(read(text, others), answers);
  });

test("a status that is computed is a note where it is given, once for all routes", () => {
  const text = `const refuse = (n: number) => new HttpError(n, "No");
function find(of: int) { throw refuse(of); }
export function get(of: int) { find(of); }
export function post(of: int) { find(of); }`;
  const { diagnostics } = readTexts({ "routes/items.ts": IMPORT + text });
  assert.equal(
    diagnostics.map(({ code, locations }) => [code, locations[0]?.line, locations[0]?.column]),
    [["FW910", 3, 39]],
  );
});

test("an answer that the return type declares is one with that of the error", () => {
  const text = `function refuse(n: number) { throw new HttpError(n, "No"); }
export function get(of: int): { id: int } | [{ error: string }, 409] { refuse(of); return { id: of }; }`;
  assert.is(
    formatAnswers(readRoute(IMPORT + text).answers),
    '200 { id: int }; 404 #Framework.Error; 409 #Framework.Error; default #Framework.Error "No"',
  );
});

test.run();
