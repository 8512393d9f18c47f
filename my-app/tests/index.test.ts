import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("GET / answers with a message", async () => {
  const response = await request(`${url}/`);
  const { message } = (await response.body.json()) as { message: unknown };
  assert.type(message, "string");
});

test.run();
