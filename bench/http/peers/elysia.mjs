/** Elysia on Node, by its adapter. */

import { node } from "@elysiajs/node";
import { Elysia, t } from "elysia";
import { page } from "./page.mjs";
import { toSignupAnswer } from "./signup.mjs";

const signup = t.Object({
  name: t.String({ minLength: 1, maxLength: 80 }),
  email: t.String({ minLength: 3, maxLength: 254 }),
  age: t.Integer({ minimum: 0, maximum: 150 }),
  newsletter: t.Boolean(),
  plan: t.Union([t.Literal("free"), t.Literal("team"), t.Literal("business")]),
  tags: t.Array(t.String()),
  address: t.Object({
    street: t.String({ minLength: 1, maxLength: 200 }),
    city: t.String({ minLength: 1, maxLength: 100 }),
    postcode: t.String({ minLength: 1, maxLength: 20 }),
  }),
  credit: t.Number(),
  language: t.String(),
  referrer: t.Optional(t.String()),
});

new Elysia({ adapter: node() })
  .onError(({ code, status }) => {
    if (code === "NOT_FOUND") return status(404, { error: "Not Found" });
  })
  .get("/", () => ({ message: "Hello, world" }))
  .get("/users/by/id/:id", ({ params }) => ({ user: { id: params.id, name: "Ada" } }), {
    params: t.Object({ id: t.Number() }),
  })
  .get("/page", () => page)
  .post("/items", ({ body, status }) => status(201, { message: `Item ${body.name} created` }), {
    body: t.Object({ name: t.String() }),
  })
  .post("/signups", ({ body, status }) => status(201, toSignupAnswer(body)), { body: signup })
  .post("/signups/unchecked", ({ body, status }) => status(201, toSignupAnswer(body)))
  .post("/documents", ({ body }) => ({ lines: body.lines.length }))
  .post("/uploads", ({ body }) => ({ bytes: body.byteLength }), { parse: "arrayBuffer" })
  .listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" }, ({ port }) => {
    console.log(`Listening on http://127.0.0.1:${port}`);
  });
