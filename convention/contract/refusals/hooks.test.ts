import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatAnswers, readTexts } from "../reading.fixture.ts";

const IMPORT =
  'import { HttpError, reply, type ErrorHook, type Middleware, type Request, type int, type Bearer } from "framework";\n';

const NOT_FOUND = `${IMPORT}export function get(): { id: int } { throw new HttpError(404, "No"); }`;

/** What the route may answer, and the codes of what is not known. */
function read(hooks: string, others: Readonly<Record<string, string>> = {}): string {
  const texts = { "routes/items.ts": NOT_FOUND, "routes/_hooks.ts": IMPORT + hooks, ...others };
  const { operations, diagnostics } = readTexts(texts);
  const codes = diagnostics.map(({ code }) => code);
  return [formatAnswers(operations[0]?.answers ?? []), ...codes].join("; ");
}

const OK = "200 { id: int }";

const HOOKS: readonly [hooks: string, answers: string][] = [
  ["export function error() {}", `${OK}; 404 #Framework.Error "No"`],
  ["export function error() { return { problem: 'No' }; }", `${OK}; 404 { problem: string } "No"`],
  [
    "export function error(error: unknown) { if (error instanceof RangeError) return { problem: 'No' }; }",
    `${OK}; 404 #Framework.Error | { problem: string } "No"`,
  ],
  [
    "export const error: ErrorHook = (error) => (error instanceof RangeError ? [{ taken: true }, 409] : undefined);",
    `${OK}; 404 #Framework.Error "No"; 409 { taken: boolean }`,
  ],
  ["export function error() { return reply({ a: 1 }, 418); }", `${OK}; 418 { a: number }`],
  ["export function error() { return 'No'; }", `${OK}; 404 text/plain string "No"`],
  [
    "export function error(): { problem: string } | undefined { return call(); }",
    `${OK}; 404 #Framework.Error | { problem: string } "No"`,
  ],
  ["export function error() { throw new HttpError(410, 'Gone'); }", `${OK}; 410 #Framework.Error "Gone"`],
  [
    "export function error() { return new Response('no'); }",
    `${OK}; 404 */* unknown "No"; default */* unknown`,
  ],
  [
    "export const error = make();",
    `${OK}; 404 #Framework.Error or */* unknown "No"; default */* unknown; FW910`,
  ],
  // Middleware.
  [
    "export function middleware(request: Request, next: Next) { return next(); }",
    `${OK}; 404 #Framework.Error "No"`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => { const response = await next(); response.headers.set('a', 'b'); return response; };",
    `${OK}; 404 #Framework.Error "No"`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => { let response; response = await next(); return response; };",
    `${OK}; 404 #Framework.Error "No"`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => { if (request.ip) return [{ slow: 'down' }, 429]; return await next(); };",
    `${OK}; 404 #Framework.Error "No"; 429 { slow: string }`,
  ],
  [
    "export const middleware: Middleware = (request, next) => request.ip ? { cached: true } : next();",
    `200 { id: int } | { cached: boolean }; 404 #Framework.Error "No"`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => { if (request.ip) throw new HttpError(429, 'Slow'); return next(); };",
    `${OK}; 404 #Framework.Error "No"; 429 #Framework.Error "Slow"`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => { const r = await next(); return new Response(r.body); };",
    `${OK}; 404 #Framework.Error "No"; default */* unknown`,
  ],
  [
    "export const middleware: Middleware = async (request, next) => call(await next());",
    `${OK}; 404 #Framework.Error "No"; default */* unknown; FW910`,
  ],
  ["export const middleware = limit(10);", `${OK}; 404 #Framework.Error "No"; default */* unknown; FW910`],
  // Both.
  [
    "export const middleware: Middleware = () => { throw new HttpError(429, 'Slow'); }; export function error() { return { a: 1 }; }",
    `${OK}; 404 { a: number } "No"; 429 { a: number } "Slow"`,
  ],
];

for (const [hooks, answers] of HOOKS)
  test(`${hooks} answers ${answers}`, () => {
    assert.is(read(hooks), answers);
  });

test("the nearest folder is asked first, and an outer one what it leaves", () => {
  const near = `${IMPORT}export function error(error: unknown) { if (error instanceof RangeError) return { near: 1 }; }`;
  const others = { "routes/shop/_hooks.ts": near, "routes/shop/items.ts": NOT_FOUND, "routes/items.ts": "" };
  assert.is(
    read("export function error() { return { outer: 1 }; }", others),
    `${OK}; 404 { outer: number } "No"`,
  );
});

test("what has no route is answered by the hooks of the root alone", () => {
  const route = "export function get(id: number): string { return String(id); }";
  const hook = "export function error() { return { a: 1 }; }";
  const outside = { "routes/items.ts": route };
  assert.is(read(hook, outside), "200 text/plain string; 404 #Framework.Error");
  assert.is(read("", { ...outside, "_hooks.ts": hook }), "200 text/plain string; 404 { a: number }");
});

test("a hook around many routes is reported once", () => {
  const others = { "routes/shops.ts": NOT_FOUND };
  assert.match(read("export const error = make();", others), /^(?!.*FW910.*FW910).*FW910$/);
});

test("a handler that returns an error as the framework sends it gives the same type", () => {
  const route = `${IMPORT}export function get() { if (a) throw new HttpError(404, "No"); return [{ error: "None" }, 404]; }`;
  assert.is(read("", { "routes/items.ts": route }), '404 #Framework.Error "No"');
});

test("hooks answer what the framework refuses, too", () => {
  const route = "export function get(token: Bearer): string { return token; }";
  assert.is(
    read("export function error() { return { a: 1 }; }", { "routes/items.ts": IMPORT + route }),
    '200 text/plain string; 401 { a: number } "A bearer token is missing" [www-authenticate]',
  );
});

test.run();
