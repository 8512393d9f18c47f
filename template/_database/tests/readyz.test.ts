import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestApp } from "./_database.ts";

const { app, db } = await createTestApp();
const { url } = await app.listen();

test("GET /readyz is 200 while the database answers", async () => {
  const response = await request(`${url}/readyz`);
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), { status: "ok" });
});

test("GET /readyz is 503 once it does not", async () => {
  await db.destroy();
  const response = await request(`${url}/readyz`);
  assert.is(response.statusCode, 503);
});

test.run();
