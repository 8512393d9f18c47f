import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSources } from "../../project.ts";
import { createFiles } from "../../source/files.ts";
import { mergeAnswers } from "../answers.ts";
import { formatAnswers } from "../reading.fixture.ts";
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
  ['throw new HttpError(404, "No item");', '404 #Error "No item"'],
  [`throw new HttpError(404, \`No item \${id}\`);`, '404 #Error "No item {id}"'],
  [`throw new HttpError(404, \`No item \${item.id} in \${f(1)}\`);`, '404 #Error "No item {id} in {…}"'],
  ['throw new HttpError(404, "No item " + id);', '404 #Error "No item {id}"'],
  ["try { f(); } catch (error) { throw new HttpError(404, error.message); }", "404 #Error"],
  ["throw new HttpError(404, String(1));", "404 unknown"],
  ['if (a) throw new HttpError(404, "A"); throw new HttpError(404, "B");', '404 #Error "A; B"'],
  ['throw new HttpError(409, "A"); throw new HttpError(403, "B");', '403 #Error "B"; 409 #Error "A"'],
  ['throw new HttpError(a ? 403 : 404, "No");', '403 #Error "No"; 404 #Error "No"'],
  ['throw a ? new HttpError(403, "A") : new HttpError(404, "B");', '403 #Error "A"; 404 #Error "B"'],
  ['throw a ?? new HttpError(404, "B");', '404 #Error "B"'],
  ['throw new HttpError(status, "No");', 'default #Error "No"'],
  ['throw new HttpError(500, "No");', '500 #Error "No"'],
  ['throw new HttpError(200, "No");', ""],
  ['throw new HttpError("404", "No");', '404 #Error "No"'],
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
  ["throw new HttpError(422, a ? { b: 1 } : 'No');", '422 { b: number } | #Error "No"'],
  [
    `throw new HttpError(422, { issues: a.map((name) => ({ pointer: \`/\${name}\`, name })) });`,
    "422 { issues: ({ pointer: string, name?: unknown })[] }",
  ],
  ["throw new HttpError(422, { issues: a.map(toIssue) });", "422 { issues?: unknown }"],
  ["throw new HttpError(422, { issues: a.map((name) => { return 1; }) });", "422 { issues?: unknown }"],
  // Headers.
  ["throw new HttpError(429, 'No', { headers: { 'Retry-After': '30' } });", '429 #Error "No" [retry-after]'],
  ["throw new HttpError(429, 'No', { headers: [['Retry-After', '30']] });", '429 #Error "No" [retry-after]'],
  ["throw new HttpError(429, 'No', { headers: new Headers() });", '429 #Error "No"'],
  ["throw new HttpError(429, 'No', { cause: error });", '429 #Error "No"'],
  [
    "const headers = new Headers({ 'Content-Type': 'application/problem+json', etag: '1' }); throw new HttpError(404, { title: 'No' }, { headers });",
    "404 application/problem+json { title: string } [etag]",
  ],
  [
    "throw new HttpError(404, { title: 'No' }, { headers: { 'content-type': 'application/problem+json' } });",
    "404 application/problem+json { title: string }",
  ],
  // Where it is made elsewhere in the function.
  ["const error = new HttpError(404, 'No'); throw error;", '404 #Error "No"'],
  ["const status = 404; throw new HttpError(status, 'No');", '404 #Error "No"'],
  ["let status = 404; status++; throw new HttpError(status, 'No');", 'default #Error "No"'],
  ["return Promise.reject(new HttpError(404, 'No'));", '404 #Error "No"'],
  ["return new HttpError(404, 'No');", '404 #Error "No"'],
  ["new HttpError(404, 'No');", ""],
  ["[1].map(() => { throw new HttpError(404, 'No'); });", '404 #Error "No"'],
  ["const fail = () => { throw new HttpError(404, 'No'); }; fail();", '404 #Error "No"'],
  // Responses.
  ["throw new Response('no', { status: 404 });", "default */* unknown"],
  ["throw Response.json({});", "default */* unknown"],
  ["return new Response('yes');", ""],
  // What is caught.
  ["try { throw new HttpError(404, 'No'); } catch { return {}; }", ""],
  ["try { throw new HttpError(404, 'No'); } catch (error) { console.error(error); }", ""],
  ["try { throw new HttpError(404, 'No'); } catch (error) { throw error; }", '404 #Error "No"'],
  ["try { throw new HttpError(404, 'No'); } catch (error) { handle(error); }", '404 #Error "No"'],
  ["try { throw new HttpError(404, 'No'); } catch { throw new HttpError(409, 'B'); }", '409 #Error "B"'],
  [
    "try { throw new HttpError(404, 'No'); } catch (e) { throw e.cause ? e : new Error(); }",
    '404 #Error "No"',
  ],
  ["try { f(); } catch (e) { throw new HttpError(409, 'B', { cause: e }); }", '409 #Error "B"'],
  ["try { throw new HttpError(404, 'No'); } finally { f(); }", '404 #Error "No"'],
  ["try {} catch { throw new HttpError(404, 'No'); }", '404 #Error "No"'],
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
  ["const NO = 404; export function get() { throw new HttpError(NO, 'No'); }", '404 #Error "No"'],
  [
    "const S = { NO: 404 } as const; export function get() { throw new HttpError(S.NO, 'No'); }",
    '404 #Error "No"',
  ],
  ["let no = 404; export function get() { throw new HttpError(no, 'No'); }", 'default #Error "No"'],
  [
    'import { NO, S } from "../lib/s.ts"; export const get = () => { throw new HttpError(S.NO, NO); };',
    '410 #Error "Gone"',
    {
      "lib/s.ts":
        'const A = 410; export const S = { NO: A }; export { A_TEXT as NO }; const A_TEXT = "Gone";',
    },
  ],
  ["const GONE = new HttpError(410, 'Gone'); export function get() { throw GONE; }", '410 #Error "Gone"'],
  [
    "const E = { gone: new HttpError(410, 'Gone') }; export function get() { throw E.gone; }",
    '410 #Error "Gone"',
  ],
  // Functions that throw, and functions that return what is thrown.
  [
    "function fail(status: number): never { throw new HttpError(status, 'No'); } export function get() { fail(404); }",
    '404 #Error "No"',
  ],
  [
    "function fail(status = 404, text = 'No') { throw new HttpError(status, text); } export function get() { fail(); fail(403); }",
    '403 #Error "No"; 404 #Error "No"',
  ],
  [
    "function fail(status: number, text: string) { throw new HttpError(status, text); } export function get(a: string) { fail(404, a.trim()); }",
    "404 #Error",
  ],
  [
    "const no = (text: string) => new HttpError(404, text); export function get() { throw no('No'); }",
    '404 #Error "No"',
  ],
  [
    "function assert(ok: unknown, error: Error) { if (!ok) throw error; } export function get() { assert(false, new HttpError(404, 'No')); }",
    '404 #Error "No"',
  ],
  [
    'import * as errors from "../lib/errors.ts"; export function get() { throw errors.no(403); }',
    '403 #Error "No"',
    { "lib/errors.ts": `${IMPORT}export const no = (status: number) => new HttpError(status, "No");` },
  ],
  [
    'import { errors } from "../lib/errors.ts"; export function get() { throw errors.http.no(); }',
    '404 #Error "No"',
    {
      "lib/errors.ts": `${IMPORT}export const errors = { http: { no() { return new HttpError(404, "No"); } } };`,
    },
  ],
  ["const errors = make(); export function get() { throw errors.no(); }", "default #Error"],
  ['import { no } from "http-errors"; export function get() { throw no(404); }', ""],
  [
    "function a() { b(); } function b() { a(); throw new HttpError(404, 'No'); } export function get() { a(); }",
    '404 #Error "No"',
  ],
  [
    "function a(n: number) { throw new HttpError(n, 'No'); } export function get() { try { a(404); } catch {} }",
    "",
  ],
  ["function a() { throw new HttpError(404, 'No'); } export function get() { a().catch(() => null); }", ""],
  [
    "function a() { throw new HttpError(404, 'No'); } export function get() { return [1].map(a); }",
    '404 #Error "No"',
  ],
  // Functions that return a part of what is thrown.
  [
    "function explain(error: string, code: string) { return { error, code }; } export function get(a: string) { throw new HttpError(422, explain('No', a)); }",
    '422 { error: string, code: string } "No"',
  ],
  [
    "function explain(ok: boolean) { if (ok) return 'No'; return { code: 1 }; } export function get() { throw new HttpError(422, explain(true)); }",
    '422 { code: number } | #Error "No"',
  ],
  [
    'import { errors } from "../lib/errors.ts"; export function get() { throw new HttpError(errors.status(), errors.text("item")); }',
    '404 #Error "No item"',
    {
      "lib/errors.ts": `export const errors = { status: () => 404, text: (what: string) => \`No \${what}\` };`,
    },
  ],
  ["function* no() { yield 'No'; } export function get() { throw new HttpError(422, no()); }", "422 unknown"],
  ["function no() {} export function get() { throw new HttpError(422, no()); }", "422 unknown"],
  [
    "const name = 'A'; const NO = a.map((name) => ({ name })); export function get() { throw new HttpError(422, NO); }",
    "422 ({ name?: unknown })[]",
  ],
  // Functions that call themselves.
  [
    "function no(n: number) { return n ? { of: no(n - 1), or: no(n - 2) } : 'No'; } export function get() { throw new HttpError(404, no(1).a); }",
    "404 unknown",
  ],
  [
    "function a(n: unknown) { a([n, n]); throw new HttpError(404, 'No'); } export function get() { a(1); }",
    '404 #Error "No"',
  ],
  [
    "const twice = (n: unknown) => ({ one: n, other: n }); function a(n: unknown) { a(twice(n)); throw new HttpError(404, 'No'); } export function get() { a(1); }",
    '404 #Error "No"',
  ],
  // Classes.
  [
    `class NotFound extends HttpError { constructor(what: string) { super(404, \`No \${what}\`); } } export function get() { throw new NotFound('item'); }`,
    '404 #Error "No item"',
  ],
  [
    "class Fail extends HttpError {} class No extends Fail {} export function get() { throw new No(403, 'No'); }",
    '403 #Error "No"',
  ],
  [
    'import { NotFound } from "../lib/errors.ts"; export function get() { throw new NotFound(); }',
    '404 { error: string, code: string } "No"',
    {
      "lib/errors.ts": `${IMPORT}class Base extends HttpError { constructor(status: number, code: string) { super(status, { error: "No", code }); } }
export class NotFound extends Base { constructor() { super(404, "no"); } }`,
    },
  ],
  ["class No extends Error {} export function get() { throw new No(); }", ""],
  [
    `const no = (what: string, id: number) => new HttpError(404, \`No \${what} \${id * 2} of \` + what); export function get() { throw no("item", 7); }`,
    '404 #Error "No item {…} of item"',
  ],
  [
    "class No { static item() { return new HttpError(404, 'No'); } } export function get() { throw No.item(); }",
    '404 #Error "No"',
  ],
  [
    "class Items { find() { return this.pick(); } pick() { throw new HttpError(404, 'No'); } } const items = new Items(); export function get() { items.find(); }",
    '404 #Error "No"',
  ],
  [
    "class Item { constructor() { throw new HttpError(404, 'No'); } } export function get() { new Item().a; }",
    '404 #Error "No"',
  ],
  // Methods of what is made.
  ...[
    "new Items().find(404)",
    "const items = new Items(); items.find(404)",
    "make().find(404)",
    "const items = await made(); items.find(404)",
    "Items.all().find(404)",
    "look(new Items())",
    "shared().find(404)",
    "every.find(404)",
    "const items = every; items.find(404)",
    "const find = look; find(new Items())",
  ].map((body): [string, string] => [
    `class Items { static all() { return new Items(); } find(status: number) { throw new HttpError(status, 'No'); } }
    const every = make(); function make() { return new Items(); } async function made(): Promise<Items> { return new Items(); }
    function shared() { return every; } function look(items: Items) { items.find(404); } export async function get() { ${body}; }`,
    '404 #Error "No"',
  ]),
  ...[
    "export function items() { return new Items(); }",
    "export async function* items() { yield new Items(); }",
  ].map((provider): [string, string, Texts] => [
    'import type { items } from "../items.ts"; export function get(found: From<typeof items>) { found.find(); }',
    '404 #Error "No"',
    {
      "items.ts": `${IMPORT}class Items { find() { throw new HttpError(404, "No"); } } ${provider}`,
    },
  ]),
  // What runs before the handler.
  [
    "export function shop() { throw new HttpError(404, 'No'); } export function get(of: From<typeof shop>) {}",
    '404 #Error "No"',
  ],
  [
    "export function get() {}",
    '403 #Error "No"',
    { "routes/_hooks.ts": `${IMPORT}export function guard() { throw new HttpError(403, "No"); }` },
  ],
  ["export function head() { throw new HttpError(404, 'No'); }", '404 "No"'],
  // The request's body.
  [
    "export async function post(request: Request) { return await request.json(); }",
    '400 #Error "The request body is not valid JSON"; 413 #Error "The request body is larger than 1048576 bytes"',
  ],
  [
    "export async function post(request) { return await request.text(); }",
    '413 #Error "The request body is larger than 1048576 bytes"',
  ],
  ["export async function post(request) { try { await request.json(); } catch { return {}; } }", ""],
  [
    "async function parse(from: Request) { return from.text(); } export function post(request: Request) { return parse(request); }",
    '413 #Error "The request body is larger than 1048576 bytes"',
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

test.run();
