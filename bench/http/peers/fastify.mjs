/** Fastify, with schemas for what comes in by the path and what goes out, as its "Getting started" has it. */

import Fastify from "fastify";
import { page } from "./page.mjs";

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties) => ({ type: "object", properties });
const answer = (properties, status = 200) => ({ response: { [status]: object(properties) } });

const app = Fastify();
app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) =>
  done(null, body),
);
app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: "Not Found" }));

app.get("/", { schema: answer({ message: text }) }, async () => ({ message: "Hello, world" }));
app.get(
  "/users/by/id/:id",
  { schema: { params: object({ id: integer }), ...answer({ user: object({ id: integer, name: text }) }) } },
  async (request) => ({ user: { id: request.params.id, name: "Ada" } }),
);
app.get("/page", async () => page);
app.post("/items", { schema: answer({ message: text }, 201) }, async (request, reply) => {
  reply.code(201);
  return { message: `Item ${request.body.name} created` };
});
app.post("/documents", { schema: answer({ lines: integer }) }, async (request) => ({
  lines: request.body.lines.length,
}));
app.post("/uploads", { schema: answer({ bytes: integer }) }, async (request) => ({
  bytes: request.body.length,
}));

console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })}`);
