/** Polka, with body-parser, as its readme has it. */

import parsers from "body-parser";
import polka from "polka";
import { page } from "./page.mjs";
import { checkSignup, toSignupAnswer } from "./signup.mjs";

function send(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

const app = polka({ onNoMatch: (_request, response) => send(response, 404, { error: "Not Found" }) });
app.get("/", (_request, response) => send(response, 200, { message: "Hello, world" }));
app.get("/users/by/id/:id", ({ params }, response) =>
  send(response, 200, { user: { id: Number(params.id), name: "Ada" } }),
);
app.get("/page", (_request, response) => send(response, 200, page));
app.post("/items", parsers.json(), ({ body }, response) =>
  send(response, 201, { message: `Item ${body.name} created` }),
);
app.post("/signups", parsers.json(), ({ body }, response) => send(response, ...checkSignup(body)));
app.post("/signups/unchecked", parsers.json(), ({ body }, response) =>
  send(response, 201, toSignupAnswer(body)),
);
app.post("/documents", parsers.json({ limit: "1mb" }), ({ body }, response) =>
  send(response, 200, { lines: body.lines.length }),
);
app.post("/uploads", parsers.raw({ limit: "1mb" }), ({ body }, response) =>
  send(response, 200, { bytes: body.length }),
);

app.listen(Number(process.env.PORT), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${app.server.address().port}`);
});
