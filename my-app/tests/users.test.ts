import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("GET /users/by/id/7 answers with user 7, the id a number", async () => {
  const response = await request(`${url}/users/by/id/7`);
  assert.equal(await response.body.json(), { user: { id: 7, name: "Ada" } });
});

test("GET /users/by/id/abc is a 404, because an id has digits only", async () => {
  const response = await request(`${url}/users/by/id/abc`);
  assert.is(response.statusCode, 404);
});

test("GET /users/by/username/ada%20l answers with the decoded username", async () => {
  const response = await request(`${url}/users/by/username/ada%20l`);
  assert.equal(await response.body.json(), { user: { username: "ada l" } });
});

test.run();
