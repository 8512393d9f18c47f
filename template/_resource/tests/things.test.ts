import { replace } from "framework"; // if guards
import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { guard } from "../_guard.ts"; // each guards
import type { Thing, ThingPage } from "../apps/things/views.ts";
import { createTestApp } from "./_database.ts";

// if guards
// The guards are replaced, so that these requests need no valid credentials.
const providers = [
  replace(guard).with(() => {}), // each guards
];
// end
const { app, db } = await createTestApp({
  providers, // if guards
});
const { url } = await app.listen();

// if credentials
/** What a client sends to be let in. */
const credentials = { authorization: "Bearer test" };

// end
// each shared
const parent = await db
  .insertInto("parents")
  // if fields
  .values({
    field: "example", // each fields
  })
  // else
  .defaultValues()
  // end
  .returning("id")
  .executeTakeFirstOrThrow();

// end
const path = "{path}";

let count = 0; // if differing

// if differing
/** A body that fits. No two have the same {differing}. */
// else
/** A body that fits. */
// end
async function newThing() {
  count += 1; // if differing
  // each own
  const parent = await db
    .insertInto("parents")
    // if fields
    .values({
      field: "example", // each fields
    })
    // else
    .defaultValues()
    // end
    .returning("id")
    .executeTakeFirstOrThrow();
  // end
  return {
    field: "example", // each received
  };
}

// if isShown
/** The fields of a body that are sent back. */
function shown(body: Awaited<ReturnType<typeof newThing>>) {
  return {
    field: body.field, // each sent
  };
}

// end
function send(method: "POST" | "PUT" | "PATCH", to: string, body: object) {
  const headers = {
    "content-type": "application/json",
    ...credentials, // if credentials
  };
  return request(url + to, { method, headers, body: JSON.stringify(body) });
}

async function create(fields: object = {}): Promise<Thing> {
  const response = await send("POST", path, {
    ...(await newThing()),
    ...fields,
  });
  assert.is(response.statusCode, 201);
  return (await response.body.json()) as Thing;
}

async function list(
  query: Record<string, string | number>,
): Promise<ThingPage> {
  const response = await request(url + path, {
    query,
    headers: credentials, // if credentials
  });
  return (await response.body.json()) as ThingPage;
}

test("POST {path} creates {a thing}, and Location leads to it", async () => {
  const body = await newThing();
  const response = await send("POST", path, body);
  assert.is(response.statusCode, 201);
  const thing = (await response.body.json()) as Thing;
  assert.equal(thing, { id: thing.id, ...shown(body) });
  const read = await request(url + String(response.headers.location), {
    headers: credentials, // if credentials
  });
  assert.is(read.statusCode, 200);
  assert.equal(await read.body.json(), thing);
});

test("POST {path} refuses `first` if it has another type", async () => {
  const response = await send("POST", path, {
    ...(await newThing()),
    first: "wrong",
  });
  assert.is(response.statusCode, 422);
  const { error } = (await response.body.json()) as { error: string };
  assert.match(error, /^first: /);
});

// each unique
test("POST {path} refuses a second {thing} with the same `field`", async () => {
  const { field: taken } = await newThing();
  await create({ field: taken });
  const response = await send("POST", path, {
    ...(await newThing()),
    field: taken,
  });
  assert.is(response.statusCode, 409);
});

// end
// each references
test("POST {path} refuses `field` if no such row exists", async () => {
  const response = await send("POST", path, {
    ...(await newThing()),
    field: Number.MAX_SAFE_INTEGER,
  });
  assert.is(response.statusCode, 422);
});

// end
test("GET {path} lists all {things}, page by page", async () => {
  for (let made = 0; made < 5; made++) await create();
  const listed: number[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: ThingPage = await list({ limit: 2, after });
    assert.ok(page.things.length <= 2);
    listed.push(...page.things.map(({ id }) => id));
    after = page.next;
  }
  const rows = await db
    .selectFrom("things")
    .select("id")
    .orderBy("id")
    .execute();
  const ids = rows.map(({ id }) => id);
  assert.equal(listed, ids);
});

test("GET {path} refuses a limit that is not from 1 to 100", async () => {
  for (const limit of [0, 101]) {
    const response = await request(url + path, {
      query: { limit },
      headers: credentials, // if credentials
    });
    assert.is(response.statusCode, 422);
  }
});

// each searched
test("GET {path} finds a text with %, _ and ' in it", async () => {
  const { id } = await create({ field: "100%_o'clock" });
  for (const q of ["100%", "%_o", "_O'CLOCK"]) {
    const page = await list({ q });
    const ids = page.things.map((thing) => thing.id);
    assert.equal(ids, [id]);
  }
});

// end
// if optional
test("PUT {path}<id> replaces {a thing}, and what is left out becomes null", async () => {
  const { id } = await create();
  const body = await newThing();
  const response = await send("PUT", path + id, {
    ...body,
    field: undefined, // each optional
  });
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), {
    id,
    ...shown(body),
    field: null, // each cleared
  });
});
// else
test("PUT {path}<id> replaces {a thing}", async () => {
  const { id } = await create();
  const body = await newThing();
  const response = await send("PUT", path + id, body);
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), { id, ...shown(body) });
});
// end

// each changed
test("PATCH {path}<id> changes what is sent, and nothing else", async () => {
  const thing = await create();
  const response = await send("PATCH", path + thing.id, {
    field: "changed",
  });
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), {
    ...thing,
    field: "changed",
  });
});

// end
test("PATCH {path}<id> without a change answers with the {thing}", async () => {
  const thing = await create();
  const response = await send("PATCH", path + thing.id, {});
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), thing);
});

test("DELETE {path}<id> deletes {a thing}, which is a 404 from then on", async () => {
  const { id } = await create();
  const deleted = await request(url + path + id, {
    method: "DELETE",
    headers: credentials, // if credentials
  });
  assert.is(deleted.statusCode, 204);
  for (const method of ["GET", "DELETE"] as const) {
    const response = await request(url + path + id, {
      method,
      headers: credentials, // if credentials
    });
    assert.is(response.statusCode, 404);
  }
  for (const method of ["PUT", "PATCH"] as const) {
    const response = await send(method, path + id, await newThing());
    assert.is(response.statusCode, 404);
  }
});

// if nested
test("GET {path} is a 404 without {a parent} of this id", async () => {
  const response = await request(`${url}{missing}`, {
    headers: credentials, // if credentials
  });
  assert.is(response.statusCode, 404);
});

// end
// if refused
test("each route refuses a request without credentials", async () => {
  const guarded = await createTestApp();
  const { url } = await guarded.app.listen();
  const id = "7";
  for (const [method, to] of [
    ["GET", path],
    ["POST", path],
    ["GET", path + id],
    ["PUT", path + id],
    ["PATCH", path + id],
    ["DELETE", path + id],
  ] as const) {
    const response = await request(url + to, { method });
    assert.is(response.statusCode, 401);
  }
});

// end
test.run();
