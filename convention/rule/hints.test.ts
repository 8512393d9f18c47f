/** Signatures that people write by mistake, with the code and the hint that each gets. What a hint tells to write is accepted. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { readProject } from "../project.ts";

const FILES = {
  "framework.toml": 'apps = ["a"]',
  "apps/a/app.toml": "",
  "database/providers.ts": "export function* database() { yield 1; }",
  "lib/auth.ts": `import type { Bearer } from "framework";
export function requireUser(token: Bearer) { return { id: 1 }; }
export const settings = { a: 1 };
export const NewUser = z.object({});
export class Session { id = 1 }`,
};
const IMPORTS = `import type { ApiKey, Bearer, Body, Cookies, Credential, Form, From, Json, Min, Params, Query, Request, int } from "framework";
import { NewUser, requireUser, Session, settings } from "../../lib/auth.ts";
import { z } from "zod";
interface User { name: string }
interface Order { id: int; user: User }
`;

/** The hint is in backticks where it is code to write in place of the parameter. */
const CASES: readonly [signature: string, code: string, hint: string][] = [
  // The name of a value, and what a function returns.
  [
    "get_x(db: database)",
    "FW306",
    'Write `db: From<typeof database>`, and import it: import type { database } from "../../database/providers.ts";',
  ],
  ["get_x(user: requireUser)", "FW306", "`user: From<typeof requireUser>`"],
  ["get_x(user: typeof requireUser)", "FW306", "`user: From<typeof requireUser>`"],
  ["get_x(user: ReturnType<typeof requireUser>)", "FW306", "`user: From<typeof requireUser>`"],
  ["get_x(user: Awaited<ReturnType<typeof requireUser>>)", "FW306", "`user: From<typeof requireUser>`"],
  ["get_x(user: From<requireUser>)", "FW352", "Write it like this: From<typeof requireUser>"],
  ["get_x(b: Parameters<typeof requireUser>[0])", "FW324", "Write out the type that it gives."],
  ["get_x(s: settings)", "FW306", "Export a function that returns `settings`"],
  ["post_x(user: NewUser)", "FW306", "`user: Body<typeof NewUser>`"],
  ["post_x(user: typeof NewUser)", "FW306", "`user: Body<typeof NewUser>`"],
  ["post_x(user: z.infer<typeof NewUser>)", "FW306", "`user: Body<typeof NewUser>`"],
  ["get_x(user: z.infer<typeof NewUser>)", "FW306", "`user: Query<typeof NewUser>`"],
  // A value of the query or the body.
  ["get_x(on: boolean)", "FW306", "`on: Query<boolean>`"],
  ["post_x(on: boolean)", "FW306", "`on: Query<boolean>`"],
  ["get_x(at: Date)", "FW306", "`at: Query<Date>`"],
  ["get_x(ids: int[])", "FW306", "`ids: Query<int[]>`"],
  ["post_x(ids: int[])", "FW306", "`ids: Body<int[]>`"],
  ["get_x(user: User)", "FW306", "`user: Query<User>`"],
  ["delete_x(user: User)", "FW306", "`user: Query<User>`"],
  ["patch_x(user: User)", "FW306", "`user: Body<User>`"],
  ["get_x(order: Order)", "FW306", "Only the body of a POST, PUT or PATCH request can carry it"],
  ["post_x(order: Order)", "FW306", "`order: Body<Order>`"],
  ["post_x(photo: File)", "FW306", "`photo: Form<File>`"],
  ["post_x(user: unknown)", "FW306", "`user: Body<unknown>`"],
  ["post_x({ name }: User)", "FW303", "`{ … }: Body<User>`"],
  ["get_x({ name }: User)", "FW303", "`{ … }: Query<User>`"],
  // TypeScript takes no `?` after a pattern.
  ["post_x({ name }: User | null)", "FW303", "`body?: Body<User>`"],
  ["post_x({ name }: Body<User> | null)", "FW341", "`body?: Body<User>`"],
  ["get_x({ user }: Order)", "FW303", "Only the body of a POST, PUT or PATCH request can carry it"],
  ["post_x({ name })", "FW303", "{ q }: Body<{ q: string }>"],
  ["get_x({ name })", "FW303", "{ q }: Query<{ q: string }>"],
  // What may be missing.
  ["get_x(id: int | undefined)", "FW306", "`id?: Query<int>`"],
  ["get_x(id: string | null)", "FW306", "`id?: Query<string>`"],
  ["post_x(user: User | null)", "FW306", "`user?: Body<User>`"],
  ["get_x(b: Bearer | null)", "FW341", "`b?: Bearer`"],
  ['get_x(key: ApiKey<"x-key"> | null | undefined)', "FW341", '`key?: ApiKey<"x-key">`'],
  ["get_x(page: Query<int> | null)", "FW341", "`page?: Query<int>`"],
  [
    "get_x(user: From<typeof requireUser> | null)",
    "FW341",
    "Let the provider return all of the value, or `null`.",
  ],
  // A mark in the wrong place.
  ["get_x(b: Bearer[])", "FW341", "`b: Bearer`"],
  ["get_x(ids: Query<int>[])", "FW341", "`ids: Query<…>`"],
  ["post_x(user: Partial<Body<User>>)", "FW341", "`user: Body<…>`"],
  ["get_x(of: [Query<int>, Query<string>])", "FW341", "one parameter for each mark"],
  ["get_x(b: Bearer<string>)", "FW340", "Write it like this: Bearer"],
  ["get_x(page: Query)", "FW340", "Write it like this: Query<int>"],
  ['get_x(key: ApiKey<"x", "body">)', "FW340", 'Write it like this: ApiKey<"session", "cookie">'],
  ['get_x(token: Credential<"BASIC">)', "FW340", "Write it like this: Basic"],
  // A name that nothing has, or that other frameworks have.
  ["get_x(id: Params<string>)", "FW307", "`string` in its place, which makes it a segment of the path"],
  ["get_x(id: Path<string>)", "FW306", "`id: string`"],
  ["get_x(token: Cookies<string>)", "FW307", 'import type { Cookie } from "framework";'],
  ["post_x(user: Json<User>)", "FW307", 'import type { Body } from "framework";'],
  ["post_x(form: FormData)", "FW306", "`form: Form<…>`"],
  ["get_x(page: URLSearchParams)", "FW306", "`page: Query<…>`"],
  ["get_x(user: Depends<typeof requireUser>)", "FW306", "`user: From<typeof …>`"],
  ["get_x(req: NextRequest)", "FW306", "`req: Request`"],
  ["get_x(id: String)", "FW306", "`id: string`"],
  ["get_x(id: Integer)", "FW306", "`id: int`"],
  ["get_x(id: bigint)", "FW306", "`id: int`"],
  ["post_x(user: Usr)", "FW327", "Did you mean `User`?"],
  // What no request carries.
  ["get_x(s: Session)", "FW323", "interface Session { … }"],
  ["post_x(photo: Blob)", "FW323", "Write `File`."],
  ["post_x(prices: Map<string, int>)", "FW323", "Write Record<string, …>."],
  ["get_x(user: Promise<User>)", "FW323", "Write the type that it resolves to."],
  ["get_x(callback: () => void)", "FW323", "Write the data that it works on."],
  ["get_x<T>(x: T)", "FW306", "Without a mark it is `int`"],
  ["get_x(x: null)", "FW306", "Without a mark it is `int`"],
];

function read(signature: string): string {
  const views = `${IMPORTS}export function ${signature} {}`;
  const { diagnostics } = readProject(
    "/nowhere",
    new Map(Object.entries({ ...FILES, "apps/a/views.ts": views })),
  );
  return diagnostics.map(({ code, hint }) => `${code} ${hint}`).join("\n");
}

for (const [signature, code, hint] of CASES) {
  test(`${signature}: ${hint}`, () => {
    const found = read(signature);
    assert.is(found.slice(0, code.length), code, found);
    assert.ok(found.includes(hint), found);
    assert.is(found.split("\n").length, 1, found);
    const [, parameter] = /`(\w+\??: [^`…]+)`/.exec(found) ?? [];
    const method = signature.slice(0, signature.indexOf("("));
    if (parameter !== undefined && !/typeof database/.test(parameter))
      assert.is(read(`${method}(${parameter})`), "", "what the hint tells to write");
  });
}

test.run();
