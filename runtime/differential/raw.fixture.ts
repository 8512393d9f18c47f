/** A plain server on node:http with the planned handlers, written by hand: what ours is compared with. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { joinHeaders } from "../message/headers.ts";
import { type Lane, openLane, type Seen } from "./lane.fixture.ts";
import {
  type Call,
  FAILURE,
  FLOOD,
  LARGE,
  listHeaders,
  newCall,
  nextTurn,
  PIECES,
  type Plan,
  parsePlan,
  pause,
  TEXT,
  UNICODE,
} from "./plan.fixture.ts";

const TEXT_TYPE = "text/plain; charset=utf-8";
const BYTES_TYPE = "application/octet-stream";
const JSON_TYPE = "application/json; charset=utf-8";
const KEEP_ALIVE_MS = 65_000;

export async function openRaw(): Promise<Lane> {
  const { lane, onSocket } = openLane();
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    const { httpVersion: version, method = "", url: target = "", rawHeaders: headers } = incoming;
    const seen: Seen = { version, method, target, headers, call: undefined };
    outgoing.setHeader("x-seen", lane.seen.push(seen) - 1);
    const before = lane.calls.length;
    void serve(incoming, outgoing, lane.calls);
    if (lane.calls.length > before) seen.call = before;
  });
  // As ours: by default node:http drops the answers to a client that has ended its side, and headers beyond the thousandth.
  Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: 0 });
  server.on("connection", (socket) => {
    socket.setMaxListeners(0);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { ...lane, port, close };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, calls: Call[]): Promise<void> {
  const { method = "", url = "" } = incoming;
  const [, authority, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const target = rest.startsWith("/") || rest === "*" ? rest : `/${rest}`;
  const plan = parsePlan(target.split("?")[0] ?? "");
  if (target === "*" && method === "OPTIONS")
    return end(outgoing, 204, { allow: "GET, POST, HEAD, OPTIONS" });
  const allow = "GET, POST, HEAD, OPTIONS";
  const isRead = method === "GET" || method === "POST" || method === "HEAD";
  if (plan === undefined && (isRead || !/^(?:\/[^/?]+){3}\/?(?:\?|$)/.test(target)))
    return end(outgoing, 404, { "content-type": JSON_TYPE }, '{"error":"Not Found"}');
  if (method === "OPTIONS") return end(outgoing, 204, { allow });
  if (plan === undefined || !isRead)
    return end(outgoing, 405, { allow, "content-type": JSON_TYPE }, '{"error":"Method Not Allowed"}');
  const host = authority ?? incoming.headers.host ?? "localhost";
  const headers = toHeaders(incoming.rawHeaders);
  const call = newCall(method, `http://${host}${target}`, headers);
  const id = calls.push(call) - 1;
  if (plan.when !== "once" || plan.reads !== "nothing") {
    await pause(plan.when);
    try {
      await read(plan.reads, call, incoming);
    } catch {
      call.read = "broken";
      call.isDone = true;
      outgoing.destroy();
      return;
    }
  }
  await give(plan, call, id, incoming, outgoing);
  call.isDone = true;
}

/** The parser of an older Node takes names that are none. */
function toHeaders(flat: readonly string[]): readonly string[] {
  try {
    return listHeaders(joinHeaders(flat));
  } catch {
    return flat;
  }
}

/** Rejects when the client leaves before the end. */
async function read(reads: Plan["reads"], call: Call, incoming: IncomingMessage): Promise<void> {
  if (reads === "nothing") return;
  call.read = "begun";
  if (incoming.destroyed) throw new Error("The client is gone.");
  const pieces: Uint8Array[] = [];
  await new Promise<void>((resolve, reject) => {
    incoming.on("data", (piece: Uint8Array) => {
      pieces.push(piece);
      if (reads === "peek") resolve();
    });
    incoming.on("end", resolve).on("error", reject).on("close", reject);
  });
  if (reads === "peek") return;
  call.body = Buffer.concat(pieces).toString("latin1");
  call.read = "whole";
}

async function give(
  { gives }: Plan,
  call: Call,
  id: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const json = { "content-type": JSON_TYPE };
  const text = { "x-call": id, "content-type": TEXT_TYPE };
  const { body = null } = call;
  switch (gives) {
    case "object":
      return end(outgoing, 200, json, JSON.stringify({ call: id, body }));
    case "created":
      return end(outgoing, 201, json, JSON.stringify({ call: id, body }));
    case "text":
      return end(outgoing, 200, text, TEXT);
    case "unicode":
      return end(outgoing, 200, text, UNICODE);
    case "large":
      return end(outgoing, 200, text, LARGE);
    case "empty":
      return end(outgoing, 204, { "x-call": id });
    case "reset":
      return end(outgoing, 205, { "x-call": id, ...(call.method !== "HEAD" && { "content-length": 0 }) });
    case "unchanged":
      return end(outgoing, 304, { "x-call": id });
    case "fails":
      return end(outgoing, 422, { "x-call": id, ...json }, JSON.stringify({ error: FAILURE }));
    case "stream":
      outgoing.writeHead(200, text);
      return writePieces(outgoing, PIECES);
    case "flood":
      outgoing.writeHead(200, text);
      return writePieces(outgoing, FLOOD);
    case "sized":
      outgoing.writeHead(200, { "x-call": id, "content-length": 18 });
      return writePieces(outgoing, PIECES);
    case "echo":
      if (call.read !== "not")
        return end(
          outgoing,
          200,
          { "x-call": id, "content-type": BYTES_TYPE },
          Buffer.from(body ?? "", "latin1"),
        );
      outgoing.writeHead(200, { "x-call": id, "content-type": BYTES_TYPE });
      return echo(call, incoming, outgoing);
  }
}

function end(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body?: string | Uint8Array,
): void {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body);
}

async function writePieces(outgoing: ServerResponse, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    outgoing.write(piece);
    await nextTurn();
  }
  outgoing.end();
}

async function echo(call: Call, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  call.read = incoming.destroyed ? "broken" : "begun";
  if (incoming.destroyed) return;
  const pieces: Uint8Array[] = [];
  await new Promise<void>((resolve) => {
    const onBroken = (): void => {
      if (call.read !== "whole") {
        call.read = "broken";
        outgoing.destroy();
      }
      resolve();
    };
    incoming.on("data", (piece: Uint8Array) => {
      pieces.push(piece);
      outgoing.write(piece);
    });
    incoming.on("end", () => {
      call.body = Buffer.concat(pieces).toString("latin1");
      call.read = "whole";
      outgoing.end();
      resolve();
    });
    incoming.on("error", onBroken).on("close", onBroken);
  });
}
