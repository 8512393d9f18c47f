/** h3, version 2, by its own `serve`. */

import { H3, serve } from "h3";
import { page } from "./page.mjs";

const app = new H3();
app.get("/", () => ({ message: "Hello, world" }));
app.get("/users/by/id/:id", (event) => ({ user: { id: Number(event.context.params.id), name: "Ada" } }));
app.get("/page", () => page);
app.post("/items", async (event) => {
  const { name } = await event.req.json();
  event.res.status = 201;
  return { message: `Item ${name} created` };
});
app.post("/documents", async (event) => ({ lines: (await event.req.json()).lines.length }));
app.post("/uploads", async (event) => ({ bytes: (await event.req.arrayBuffer()).byteLength }));
app.all("/**", (event) => {
  event.res.status = 404;
  return { error: "Not Found" };
});

const server = serve(app, { port: Number(process.env.PORT), hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(`Listening on ${server.url}`);
