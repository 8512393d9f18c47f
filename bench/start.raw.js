/** The sample routes written by hand on node:http: what a start costs at least. */

import { createServer } from "node:http";

const products = [
  { id: 1, name: "Notebook", price: 4.5, featured: true },
  { id: 2, name: "Pencil", price: 1.2, featured: false },
];

function readJson(request, use) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => use(JSON.parse(Buffer.concat(chunks))));
}

function send(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(Buffer.byteLength(body)),
  ]);
  response.end(body);
}

const server = createServer((request, response) => {
  const { method, url } = request;
  const user = /^\/users\/by\/id\/([0-9]+)$/.exec(url);
  const username = /^\/users\/by\/username\/([^/]+)$/.exec(url);
  const item = /^\/items\/([^/]+)$/.exec(url);
  if (method === "GET" && url === "/") send(response, 200, { message: "Hello, world" });
  else if (method === "GET" && url === "/products/") send(response, 200, { count: products.length });
  else if (method === "GET" && url === "/products/all") send(response, 200, { products });
  else if (method === "GET" && url === "/products/featured/items")
    send(response, 200, { items: products.filter((product) => product.featured) });
  else if (method === "DELETE" && url === "/products/item") send(response, 200, { deleted: true });
  else if (method === "POST" && url === "/products/")
    readJson(request, ({ name, price }) => send(response, 201, { product: { name, price } }));
  else if (method === "POST" && url === "/items")
    readJson(request, ({ name }) => send(response, 201, { message: `Item ${name} created` }));
  else if (method === "GET" && user) send(response, 200, { user: { id: Number(user[1]), name: "Ada" } });
  else if (method === "GET" && username) send(response, 200, { user: { username: username[1] } });
  else if (method === "GET" && item) send(response, 200, { id: item[1], name: `Item ${item[1]}` });
  else send(response, 404, { error: "Not Found" });
});

server.listen(Number(process.env.PORT), process.env.HOST);
