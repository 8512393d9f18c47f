import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

for (const path of ["/products/", "/products/all", "/products/featured/items"]) {
  test(`GET ${path} answers 200`, async () => {
    const response = await request(url + path);
    assert.is(response.statusCode, 200);
    await response.body.json();
  });
}

test("POST /products/ creates a product", async () => {
  const body = JSON.stringify({ name: "Ruler", price: 2 });
  const response = await request(`${url}/products/`, { method: "POST", body });
  assert.is(response.statusCode, 201);
  assert.equal(await response.body.json(), { product: { name: "Ruler", price: 2 } });
});

for (const body of ["{}", '{"name":""}', "null"]) {
  test(`POST /products/ refuses ${body}`, async () => {
    const response = await request(`${url}/products/`, { method: "POST", body });
    assert.is(response.statusCode, 400);
    assert.equal(await response.body.json(), { error: "name is required" });
  });
}

test("DELETE /products/item answers 200", async () => {
  const response = await request(`${url}/products/item`, { method: "DELETE" });
  assert.equal(await response.body.json(), { deleted: true });
});

// No handler can be named after TRACE, so that this holds whatever is added.
test("TRACE /products/all is a 405 that names the methods allowed", async () => {
  const response = await request(`${url}/products/all`, { method: "TRACE" });
  assert.is(response.statusCode, 405);
  assert.match(String(response.headers.allow), "GET");
});

test.run();
