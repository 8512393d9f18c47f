/** h3, version 2, by its own `serve`; a checked body by valibot. */

import { H3, readValidatedBody, serve } from "h3";
import * as v from "valibot";
import { page } from "./page.mjs";
import { toSignupAnswer } from "./signup.mjs";

const text = (least, most) => v.pipe(v.string(), v.minLength(least), v.maxLength(most));
const signup = v.object({
  name: text(1, 80),
  email: text(3, 254),
  age: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(150)),
  newsletter: v.boolean(),
  plan: v.picklist(["free", "team", "business"]),
  tags: v.array(v.string()),
  address: v.object({ street: text(1, 200), city: text(1, 100), postcode: text(1, 20) }),
  credit: v.number(),
  language: v.string(),
  referrer: v.optional(v.string()),
});

const app = new H3();
app.get("/", () => ({ message: "Hello, world" }));
app.get("/users/by/id/:id", (event) => ({ user: { id: Number(event.context.params.id), name: "Ada" } }));
app.get("/page", () => page);
app.post("/items", async (event) => {
  const { name } = await event.req.json();
  event.res.status = 201;
  return { message: `Item ${name} created` };
});
app.post("/signups", async (event) => {
  const body = await readValidatedBody(event, signup);
  event.res.status = 201;
  return toSignupAnswer(body);
});
app.post("/signups/unchecked", async (event) => {
  const body = await event.req.json();
  event.res.status = 201;
  return toSignupAnswer(body);
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
