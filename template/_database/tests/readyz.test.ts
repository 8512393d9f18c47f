import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestApp } from "./_database.ts";

const { app } = await createTestApp();
const { url } = await app.listen();

test("GET /readyz says that the database answers", async () => {
  const response = await request(`${url}/readyz`);
  assert.is(response.statusCode, 200);
  assert.equal(await response.body.json(), { status: "ok" });
});

test.run();
