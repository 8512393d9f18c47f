import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatAnswers, readRoute, readTexts } from "../reading.fixture.ts";

const IMPORT =
  'import type { ApiKey, Basic, Bearer, Body, Cookie, Form, From, Header, MinLength, Query, Request, int } from "framework";\n';

/** The answers of errors, by the parameters of a POST handler. */
function refusals(parameters: string, before = "", method = "post"): string {
  const { answers } = readRoute(
    `${IMPORT}${before}\nexport function ${method}(${parameters}): string { return ""; }`,
  );
  return formatAnswers(answers.filter(({ status }) => status !== 200));
}

const BODY =
  '400 #Framework.Error "The request body is not valid JSON"; 413 #Framework.Error "The request body is larger than 1048576 bytes"; 415 #Framework.Error "The request body must be JSON" [accept, accept-encoding]';
const FORM = BODY.replace("valid JSON", "form data").replace("be JSON", "be a form");
const INVALID = '422 #Framework.ValidationError "A value does not fit what the operation takes"';

const QUERY = '400 #Framework.Error "The query is not valid UTF-8"';

const CASES: readonly [parameters: string, answers: string][] = [
  ["", ""],
  ["request: Request", ""],
  ["slug: string", ""],
  ["id: int", "404 #Framework.Error"],
  // Credentials.
  ["token: Bearer", '401 #Framework.Error "A bearer token is missing" [www-authenticate]'],
  ["token?: Bearer", ""],
  ["user: Basic", '401 #Framework.Error "A username and a password are missing" [www-authenticate]'],
  ['key: ApiKey<"X-Key">', '401 #Framework.Error "The header x-key is missing" [www-authenticate]'],
  [
    'token: Bearer, key: ApiKey<"X-Key">',
    '401 #Framework.Error "A bearer token is missing; The header x-key is missing" [www-authenticate]',
  ],
  // Bodies.
  ["body: Body<{ a: string }>", `${BODY}; ${INVALID}`],
  ["body?: Body<{ a: string }>", `${BODY}; ${INVALID}`],
  ["body: Body<unknown>", BODY],
  ["form: Form<{ a?: string }>", `${FORM}; ${INVALID}`],
  [
    "q: Query<string>, body: Body<unknown>",
    `${BODY.replace("The request body is not", "The query is not valid UTF-8; The request body is not")}; ${INVALID}`,
  ],
  // Values, of which some always fit.
  ["q: Query<string>", `${QUERY}; ${INVALID}`],
  ["q?: Query<string>", `${QUERY}; ${INVALID}`],
  ["q: Query<string[]>", `${QUERY}; ${INVALID}`],
  ["q: Query<string[]> = []", QUERY],
  ["q: Query<(string & MinLength<1>)[]> = []", `${QUERY}; ${INVALID}`],
  ["q: Query<int> = 1", `${QUERY}; ${INVALID}`],
  ["q: Query<{ a?: string[] }>", QUERY],
  ["q: Query<{ a?: string[]; b?: int }>", `${QUERY}; ${INVALID}`],
  ["q: Query<Record<string, string[]>>", QUERY],
  ["q: Query<Record<string, string>>", `${QUERY}; ${INVALID}`],
  ["q?: Header<string>", ""],
  ["q: Header<string>", INVALID],
  ["q?: Header<int>", INVALID],
  ["q?: Cookie<string>", ""],
  ['q?: Cookie<"a" | "b">', INVALID],
];

for (const [parameters, answers] of CASES)
  test(`(${parameters}) is refused with ${answers || "nothing"}`, () => {
    assert.is(refusals(parameters), answers);
  });

test("what guards and providers take is refused, too", () => {
  const provider = "export function me(token: Bearer, limit: Query<int>) {}";
  const expected = `${QUERY}; 401 #Framework.Error "A bearer token is missing" [www-authenticate]; ${INVALID}`;
  assert.is(refusals("by: From<typeof me>", provider), expected);
});

test("the limit of a body is that of the nearest folder, and otherwise that of the project", () => {
  const texts = {
    "framework.toml": "[server]\nbody_limit = 10",
    "routes/a.ts": `${IMPORT}export function post(body: Body<unknown>): string { return ""; }`,
    "routes/b/_hooks.ts": 'export const limits = { body: "1 KB" };',
    "routes/b/index.ts": `${IMPORT}export function post(body: Body<unknown>): string { return ""; }`,
  };
  const limits = readTexts(texts).operations.map(
    ({ answers }) => /larger than (\d+) bytes/.exec(formatAnswers(answers))?.[1],
  );
  assert.equal(limits, ["10", "1000"]);
});

test("the answers to a HEAD have no bodies", () => {
  assert.is(
    refusals("id: int, token: Bearer", "", "head"),
    '401 "A bearer token is missing" [www-authenticate]; 404',
  );
});

test.run();
