/** node:http and node:sqlite by hand: a prepared statement for each request, the pragmas and the answers of ours. */

import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.env.DATABASE_URL.replace(/^sqlite:/, ""));
db.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on");
const byId = db.prepare("select id, title, pages, is_read from books where id = ?");
const insert = db.prepare(
  "insert into books (title, pages, is_read) values (?, ?, ?) returning id, title, pages, is_read",
);

const BY_ID = /^\/books\/by\/id\/([0-9]+)$/;

function send(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

function sendBook(response, status, row) {
  row.is_read = row.is_read === 1;
  send(response, status, row);
}

function get(path, response) {
  const [, id] = BY_ID.exec(path) ?? [];
  if (id === undefined) return send(response, 404, { error: "Not Found" });
  const row = byId.get(Number(id));
  if (row === undefined) return send(response, 404, { error: `There is no book ${id}.` });
  sendBook(response, 200, row);
}

function post(path, request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (path !== "/books/") return send(response, 404, { error: "Not Found" });
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const { title, pages, is_read } = JSON.parse(body.toString());
    if (typeof title !== "string" || !Number.isSafeInteger(pages) || typeof is_read !== "boolean")
      return send(response, 422, { error: "title, pages and is_read are needed." });
    sendBook(response, 201, insert.get(title, pages, is_read ? 1 : 0));
  });
}

const server = createServer((request, response) => {
  if (request.method === "GET") get(request.url, response);
  else if (request.method === "POST") post(request.url, request, response);
  else send(response, 405, { error: "Method Not Allowed" });
});

server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(`http://${process.env.HOST}:${server.address().port}`);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit());
