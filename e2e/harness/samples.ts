/** What the sample apps of a new project answer, as DESIGN section 8 and the files themselves say. */

import * as assert from "uvu/assert";
import { ask } from "./client.ts";

export interface Sample {
  /** Method and path. */
  readonly line: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly status: number;
  readonly json: unknown;
}

const NOTEBOOK = { id: 1, name: "Notebook", price: 4.5, featured: true };
const PENCIL = { id: 2, name: "Pencil", price: 1.2, featured: false };

export const SAMPLES: readonly Sample[] = [
  { line: "GET /", status: 200, json: { message: "Hello, world" } },
  { line: "POST /items", body: { name: "lamp" }, status: 201, json: { message: "Item lamp created" } },
  { line: "POST /items", body: {}, status: 400, json: { error: "name is required" } },
  { line: "POST /items", body: { name: "" }, status: 400, json: { error: "name is required" } },
  { line: "GET /items/42", status: 200, json: { id: "42", name: "Item 42" } },
  { line: "GET /items/a%20b", status: 200, json: { id: "a b", name: "Item a b" } },
  { line: "GET /products/", status: 200, json: { count: 2 } },
  {
    line: "POST /products/",
    body: { name: "Ruler", price: 2 },
    status: 201,
    json: { product: { name: "Ruler", price: 2 } },
  },
  { line: "POST /products/", body: { price: 2 }, status: 400, json: { error: "name is required" } },
  { line: "GET /products/all", status: 200, json: { products: [NOTEBOOK, PENCIL] } },
  { line: "GET /products/featured/items", status: 200, json: { items: [NOTEBOOK] } },
  { line: "DELETE /products/item", status: 200, json: { deleted: true } },
  { line: "GET /users/by/id/7", status: 200, json: { user: { id: 7, name: "Ada" } } },
  { line: "GET /users/by/username/grace", status: 200, json: { user: { username: "grace" } } },
];

export async function checkSample(url: string, { line, body, status, json }: Sample): Promise<void> {
  const answer = await ask(url, line, body === undefined ? {} : { body: JSON.stringify(body) });
  assert.is(answer.status, status, `${line}: ${answer.text}`);
  assert.is(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(answer.json, json);
}

export async function checkSamples(url: string): Promise<void> {
  for (const sample of SAMPLES) await checkSample(url, sample);
}
