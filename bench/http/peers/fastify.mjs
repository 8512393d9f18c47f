/** Fastify, with schemas for what comes in by the path and what goes out, as its "Getting started" has it. */

import Fastify from "fastify";
import { page } from "./page.mjs";
import { toSignupAnswer } from "./signup.mjs";

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties) => ({ type: "object", properties });
const answer = (properties, status = 200) => ({ response: { [status]: object(properties) } });

const between = (minLength, maxLength) => ({ ...text, minLength, maxLength });
/** What is not declared is dropped. */
const strict = (properties, optional = []) => ({
  ...object(properties),
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const signup = strict(
  {
    name: between(1, 80),
    email: between(3, 254),
    age: { ...integer, minimum: 0, maximum: 150 },
    newsletter: { type: "boolean" },
    plan: { enum: ["free", "team", "business"] },
    tags: { type: "array", items: text },
    address: strict({ street: between(1, 200), city: between(1, 100), postcode: between(1, 20) }),
    credit: { type: "number" },
    language: text,
    referrer: text,
  },
  ["referrer"],
);
const account = answer(
  { account: object({ id: integer, name: text, plan: text, tags: integer, city: text }) },
  201,
);
const signUp = async (request, reply) => {
  reply.code(201);
  return toSignupAnswer(request.body);
};

const app = Fastify({ logger: process.env.ACCESS_LOG === "true" });
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
const user = answer({ user: object({ id: integer, name: text }) });
app.get("/open/account", { schema: user }, async () => ({ user: { id: 1, name: "Ada" } }));
app.register(async (guarded) => {
  guarded.decorateRequest("user", null);
  guarded.addHook("preHandler", async (request, reply) => {
    if (request.headers.authorization !== "Bearer secret")
      return reply.code(401).send({ error: "The token is not valid" });
    request.user = { id: 1, name: "Ada" };
  });
  guarded.get("/guarded/account", { schema: user }, async (request) => ({ user: request.user }));
});
app.register(async (wrapped) => {
  wrapped.addHook("onSend", async (_request, reply, payload) => {
    reply.header("X-Served-By", "bench");
    return payload;
  });
  wrapped.get("/wrapped/account", { schema: user }, async () => ({ user: { id: 1, name: "Ada" } }));
});
app.get("/page", async () => page);
app.post("/items", { schema: answer({ message: text }, 201) }, async (request, reply) => {
  reply.code(201);
  return { message: `Item ${request.body.name} created` };
});
app.post("/signups", { schema: { body: signup, ...account } }, signUp);
app.post("/signups/unchecked", { schema: account }, signUp);
app.post("/documents", { schema: answer({ lines: integer }) }, async (request) => ({
  lines: request.body.lines.length,
}));
app.post("/uploads", { schema: answer({ bytes: integer }) }, async (request) => ({
  bytes: request.body.length,
}));

console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })}`);
