/** The answers of the routes that each new project has. */

import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSources } from "../../project.ts";
import { formatAnswers } from "../reading.fixture.ts";
import { readReturned } from "./returned.ts";

const TEMPLATE = fileURLToPath(new URL("../../../template", import.meta.url));

test("the contract knows all that the sample routes return", () => {
  const sources = readSources(TEMPLATE);
  const returned = sources.project.routes.map((route) => {
    const { answers, diagnostics } = readReturned(sources, route, undefined);
    assert.equal(diagnostics, []);
    return [`${route.method} ${route.pattern}`, formatAnswers(answers)];
  });
  assert.equal(Object.fromEntries(returned), {
    "GET /": "200 { message: string }",
    "POST /items": "400 { error: string }; 201 { message: string }",
    "GET /items/<item_id>": "200 { id: string, name: string }",
    "GET /products/": "200 { count: number }",
    "POST /products/":
      "400 { error: string }; 400 { error: string }; 201 { product: { name: string, price: number } }",
    "GET /products/all": "200 { products: #Product[] }",
    "GET /products/featured/items": "200 { items: #Product[] }",
    "DELETE /products/item": "200 { deleted: boolean }",
    "GET /users/by/id/<user_id>": "200 { user: { id: int, name: string } }",
    "GET /users/by/username/<username>": "200 { user: { username: string } }",
  });
});

test.run();
