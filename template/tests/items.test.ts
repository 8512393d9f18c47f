import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("POST /items creates an item", async () => {
  const response = await request(`${url}/items`, { method: "POST", body: JSON.stringify({ name: "lamp" }) });
  assert.is(response.statusCode, 201);
  assert.equal(await response.body.json(), { message: "Item lamp created" });
});

for (const body of ["{}", '{"name":""}', "null"]) {
  test(`POST /items refuses ${body}`, async () => {
    const response = await request(`${url}/items`, { method: "POST", body });
    assert.is(response.statusCode, 400);
    assert.equal(await response.body.json(), { error: "name is required" });
  });
}

test("GET /items/<item_id> answers with the id of the path", async () => {
  const response = await request(`${url}/items/lamp`);
  assert.equal(await response.body.json(), { id: "lamp", name: "Item lamp" });
});

test.run();
