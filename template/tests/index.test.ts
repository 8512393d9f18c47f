import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("GET / greets", async () => {
  const response = await request(`${url}/`);
  assert.is(response.statusCode, 200);
  assert.type(((await response.body.json()) as { message: string }).message, "string");
});

test.run();
