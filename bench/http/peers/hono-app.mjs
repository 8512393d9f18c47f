/** Hono on Node, by @hono/node-server, with one of the checks that it has for a body. */

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { page } from "./page.mjs";
import { toSignupAnswer } from "./signup.mjs";

/** @param checkSignup a middleware that leaves what it checked as `json`. */
export function serveHono(checkSignup) {
  const app = new Hono();
  app.get("/", (c) => c.json({ message: "Hello, world" }));
  app.get("/users/by/id/:id{[0-9]+}", (c) =>
    c.json({ user: { id: Number(c.req.param("id")), name: "Ada" } }),
  );
  app.get("/open/account", (c) => c.json({ user: { id: 1, name: "Ada" } }));
  app.use("/guarded/*", async (c, next) => {
    if (c.req.header("Authorization") !== "Bearer secret")
      return c.json({ error: "The token is not valid" }, 401);
    c.set("user", { id: 1, name: "Ada" });
    await next();
  });
  app.get("/guarded/account", (c) => c.json({ user: c.get("user") }));
  app.use("/wrapped/*", async (c, next) => {
    await next();
    c.header("X-Served-By", "bench");
  });
  app.get("/wrapped/account", (c) => c.json({ user: { id: 1, name: "Ada" } }));
  app.get("/page", (c) => c.json(page));
  app.post("/items", async (c) => {
    const { name } = await c.req.json();
    return c.json({ message: `Item ${name} created` }, 201);
  });
  app.post("/signups", checkSignup, (c) => c.json(toSignupAnswer(c.req.valid("json")), 201));
  app.post("/signups/unchecked", async (c) => c.json(toSignupAnswer(await c.req.json()), 201));
  app.post("/documents", async (c) => c.json({ lines: (await c.req.json()).lines.length }));
  app.post("/uploads", async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }));
  app.notFound((c) => c.json({ error: "Not Found" }, 404));

  serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" }, ({ port }) => {
    console.log(`Listening on http://127.0.0.1:${port}`);
  });
}
