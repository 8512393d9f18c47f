import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("GET /users/by/id/<user_id> answers with the id as a number", async () => {
  const response = await request(`${url}/users/by/id/7`);
  assert.equal(await response.body.json(), { user: { id: 7, name: "Ada" } });
});

test("GET /users/by/id/<user_id> takes digits only", async () => {
  const response = await request(`${url}/users/by/id/seven`);
  assert.not.match(await response.body.text(), "Ada");
});

test("GET /users/by/username/<username> answers with the name", async () => {
  const response = await request(`${url}/users/by/username/ada%20l`);
  assert.equal(await response.body.json(), { user: { username: "ada l" } });
});

test.run();
