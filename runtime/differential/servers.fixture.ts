/** Our server with the planned handlers, and a plain one on node:http that is written by hand: what ours is compared with. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { joinHeaders } from "../message/headers.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { type Call, type Given, give, nextTurn, type Plan, parsePlan, pause } from "./plan.fixture.ts";

export interface TestServer {
  readonly port: number;
  /** What the handlers saw, in the order in which they were called. */
  readonly calls: Call[];
  close(): Promise<void>;
}

export async function openOurs(): Promise<TestServer> {
  const calls: Call[] = [];
  const handler = (request: Request): unknown => {
    const plan = parsePlan(request.path);
    if (plan === undefined) throw new HttpError(404, "Not Found");
    const call: Call = { method: request.method, url: request.url, headers: listHeaders(request.headers) };
    const headers = { "x-call": `${calls.push(call)}` };
    if (plan.when === "once" && plan.reads === "nothing") return answer(give(plan, call), headers);
    return answerLate(plan, call, headers, request);
  };
  const routes = ["GET", "POST"].map((method) =>
    bind(`${method} /<when:str>/<reads:str>/<gives:str>`, handler),
  );
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0 };
  const server = await createCoreApp(routes, { settings, log: { info() {}, error() {} } }).listen();
  return { port: server.port, calls, close: () => server.close() };
}

function answer({ status, body, headers: own }: Given, headers: Record<string, string>): unknown {
  if (status === 422) throw new HttpError(422, body as object, { headers });
  if (Array.isArray(body)) return reply(inPieces(body), status, { ...headers, ...own });
  // Without headers of its own, which is the fast way.
  if (typeof body === "object") return status === 200 ? body : [body, status];
  return reply(body, status, headers);
}

async function answerLate(
  plan: Plan,
  call: Call,
  headers: Record<string, string>,
  request: Request,
): Promise<unknown> {
  await pause(plan.when);
  if (plan.reads === "whole") call.body = Buffer.from(await request.bytes()).toString("latin1");
  if (plan.reads === "pieces") call.body = await readPieces(request.body ?? []);
  return answer(give(plan, call), headers);
}

async function readPieces(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("latin1");
}

async function* inPieces(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

/** In a stable order, because a `Headers` sorts its names and node:http does not. */
function listHeaders(headers: Headers): string[] {
  return [...headers].map(([name, value]) => `${name}: ${value}`);
}

export async function openPlain(): Promise<TestServer> {
  const { createServer } = process.getBuiltinModule("node:http");
  const calls: Call[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    void serve(incoming, outgoing, calls);
  });
  // As ours: by default node:http drops the answers to a client that has ended its side.
  Object.assign(server, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { port, calls, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const ALLOW = { allow: "GET, POST, HEAD, OPTIONS" };

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, calls: Call[]): Promise<void> {
  const { method = "", url = "", rawHeaders } = incoming;
  const path = url.split("?")[0] ?? "";
  const plan = parsePlan(path);
  const isRead = method === "GET" || method === "POST" || method === "HEAD";
  if (plan === undefined && (isRead || !/^(?:\/[^/]+){3}$/.test(path)))
    return end(outgoing, { status: 404, body: { error: "Not Found" } });
  if (method === "OPTIONS") return end(outgoing, { status: 204 }, ALLOW);
  if (plan === undefined || !isRead)
    return end(outgoing, { status: 405, body: { error: "Method Not Allowed" } }, ALLOW);
  const headers = listHeaders(joinHeaders(rawHeaders));
  const call: Call = { method, url: `http://${incoming.headers.host}${url}`, headers };
  const id = { "x-call": `${calls.push(call)}` };
  await pause(plan.when);
  if (plan.reads !== "nothing") call.body = await readPieces(incoming);
  const given = give(plan, call);
  const { status, body, headers: own } = given;
  if (!Array.isArray(body)) return end(outgoing, given, isBare(given) ? {} : id);
  outgoing.writeHead(status, { ...id, ...own, "content-type": "text/plain; charset=utf-8" });
  for (const piece of body) {
    outgoing.write(piece);
    await nextTurn();
  }
  outgoing.end();
}

/** Ours gives these without headers. */
function isBare({ status, body }: Given): boolean {
  return typeof body === "object" && status !== 422;
}

function end(outgoing: ServerResponse, { status, body }: Given, headers: Record<string, string> = {}): void {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type = typeof body === "object" ? "application/json" : "text/plain";
  const framing =
    text !== undefined
      ? { "content-type": `${type}; charset=utf-8`, "content-length": Buffer.byteLength(text) }
      : status === 205 && outgoing.req.method !== "HEAD"
        ? { "content-length": 0 }
        : {};
  outgoing.writeHead(status, { ...headers, ...framing }).end(text);
}
