/** Elysia on Node, by its adapter. */

import { node } from "@elysiajs/node";
import { Elysia, t } from "elysia";
import { page } from "./page.mjs";

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
  .post("/documents", ({ body }) => ({ lines: body.lines.length }))
  .post("/uploads", ({ body }) => ({ bytes: body.byteLength }), { parse: "arrayBuffer" })
  .listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" }, ({ port }) => {
    console.log(`Listening on http://127.0.0.1:${port}`);
  });
