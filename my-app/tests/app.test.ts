import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("a path that no handler serves is a 404", async () => {
  const response = await request(`${url}/no/such/path/here`);
  assert.is(response.statusCode, 404);
});

test.run();
