/** Express 5, with its own body parsers. */

import express from "express";
import { page } from "./page.mjs";
import { checkSignup, toSignupAnswer } from "./signup.mjs";

const app = express();
app.get("/", (_request, response) => {
  response.json({ message: "Hello, world" });
});
app.get("/users/by/id/:id", (request, response) => {
  response.json({ user: { id: Number(request.params.id), name: "Ada" } });
});
app.get("/page", (_request, response) => {
  response.json(page);
});
app.post("/items", express.json(), (request, response) => {
  response.status(201).json({ message: `Item ${request.body.name} created` });
});
app.post("/signups", express.json(), (request, response) => {
  const [status, answer] = checkSignup(request.body);
  response.status(status).json(answer);
});
app.post("/signups/unchecked", express.json(), (request, response) => {
  response.status(201).json(toSignupAnswer(request.body));
});
app.post("/documents", express.json({ limit: "1mb" }), (request, response) => {
  response.json({ lines: request.body.lines.length });
});
app.post("/uploads", express.raw({ limit: "1mb" }), (request, response) => {
  response.json({ bytes: request.body.length });
});
app.use((_request, response) => {
  response.status(404).json({ error: "Not Found" });
});

const server = app.listen(Number(process.env.PORT), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
