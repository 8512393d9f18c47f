/** node:http by hand: what the others are held against. Content-Length, one `writeHead`, the body by `data` events. */

import { createServer } from "node:http";
import { page } from "./page.mjs";
import { checkSignup, toSignupAnswer } from "./signup.mjs";

const BY_ID = /^\/users\/by\/id\/([0-9]+)$/;

function send(response, status, value, headers = undefined) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

function readBody(request, done) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
}

const user = { id: 1, name: "Ada" };

function get(path, request, response) {
  if (path === "/") return send(response, 200, { message: "Hello, world" });
  if (path === "/page") return send(response, 200, page);
  const byId = BY_ID.exec(path);
  if (byId !== null) return send(response, 200, { user: { id: Number(byId[1]), name: "Ada" } });
  if (path === "/open/account") return send(response, 200, { user });
  if (path === "/guarded/account") {
    const isKnown = request.headers.authorization === "Bearer secret";
    return isKnown ? send(response, 200, { user }) : send(response, 401, { error: "The token is not valid" });
  }
  if (path === "/stream") return stream(response, 160);
  if (path === "/ticks") return tick(response);
  if (path === "/wrapped/account") return send(response, 200, { user }, { "X-Served-By": "bench" });
  send(response, 404, { error: "Not Found" });
}

const piece = new Uint8Array(64 * 1024).fill(120);

function stream(response, count) {
  if (!response.headersSent) response.writeHead(200, { "Content-Type": "application/octet-stream" });
  for (let left = count; left > 0; left--)
    if (!response.write(piece)) return response.once("drain", () => stream(response, left - 1));
  response.end();
}

function tick(response) {
  let count = 0;
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  response.write(":\n\n");
  const timer = setInterval(() => response.write(`data: ${JSON.stringify({ count: count++ })}\n\n`), 200);
  response.on("close", () => clearInterval(timer));
}

function countPieces(request, response) {
  let bytes = 0;
  request.on("data", (chunk) => {
    bytes += chunk.length;
  });
  request.on("end", () => send(response, 200, { bytes }));
}

function post(path, request, response) {
  if (path === "/uploads/pieces") return countPieces(request, response);
  readBody(request, (body) => {
    if (path === "/items") {
      const { name } = JSON.parse(body.toString());
      return send(response, 201, { message: `Item ${name} created` });
    }
    if (path === "/signups") return send(response, ...checkSignup(JSON.parse(body.toString())));
    if (path === "/signups/unchecked")
      return send(response, 201, toSignupAnswer(JSON.parse(body.toString())));
    if (path === "/documents")
      return send(response, 200, { lines: JSON.parse(body.toString()).lines.length });
    if (path === "/uploads") return send(response, 200, { bytes: body.length });
    send(response, 404, { error: "Not Found" });
  });
}

const server = createServer((request, response) => {
  const { method, url } = request;
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (method === "POST") post(path, request, response);
  else get(path, request, response);
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
