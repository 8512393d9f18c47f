import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("POST /items creates an item", async () => {
  const response = await request(`${url}/items`, {
    method: "POST",
    body: JSON.stringify({ name: "lamp" }),
  });
  assert.is(response.statusCode, 201);
  assert.equal(await response.body.json(), { message: "Item lamp created" });
});

for (const body of ["{}", '{"name":""}', "null"]) {
  test(`POST /items with ${body} is a 400, because the name is missing`, async () => {
    const response = await request(`${url}/items`, { method: "POST", body });
    assert.is(response.statusCode, 400);
    assert.equal(await response.body.json(), { error: "name is required" });
  });
}

test("GET /items/42 answers with the item, its id a string", async () => {
  const response = await request(`${url}/items/42`);
  assert.equal(await response.body.json(), { id: "42", name: "Item 42" });
});

test.run();
