import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

const notebook = { id: 1, name: "Notebook", price: 4.5, featured: true };
const pencil = { id: 2, name: "Pencil", price: 1.2, featured: false };

test("GET /products/ counts the products", async () => {
  const response = await request(`${url}/products/`);
  assert.equal(await response.body.json(), { count: 2 });
});

test("GET /products/all lists every product", async () => {
  const response = await request(`${url}/products/all`);
  assert.equal(await response.body.json(), { products: [notebook, pencil] });
});

test("GET /products/featured/items lists the featured products only", async () => {
  const response = await request(`${url}/products/featured/items`);
  assert.equal(await response.body.json(), { items: [notebook] });
});

test("POST /products/ creates a product", async () => {
  const body = JSON.stringify({ name: "Ruler", price: 2 });
  const response = await request(`${url}/products/`, { method: "POST", body });
  assert.is(response.statusCode, 201);
  assert.equal(await response.body.json(), {
    product: { name: "Ruler", price: 2 },
  });
});

for (const body of ["{}", '{"name":""}', "null"]) {
  test(`POST /products/ with ${body} is a 400, because the name is missing`, async () => {
    const response = await request(`${url}/products/`, {
      method: "POST",
      body,
    });
    assert.is(response.statusCode, 400);
    assert.equal(await response.body.json(), { error: "name is required" });
  });
}

test("POST /products/ with a price in words is a 400", async () => {
  const body = JSON.stringify({ name: "Ruler", price: "two" });
  const response = await request(`${url}/products/`, { method: "POST", body });
  assert.is(response.statusCode, 400);
  assert.equal(await response.body.json(), { error: "price must be a number" });
});

test("DELETE /products/item says that it deleted the item", async () => {
  const response = await request(`${url}/products/item`, { method: "DELETE" });
  assert.equal(await response.body.json(), { deleted: true });
});

test("PATCH /products/featured/items is a 405, because no handler takes that method", async () => {
  const response = await request(`${url}/products/featured/items`, {
    method: "PATCH",
  });
  assert.is(response.statusCode, 405);
});

test.run();
