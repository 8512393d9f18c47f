/** Our server with the planned handlers. */

import { type App, createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import { listenOn } from "../node/listen.ts";
import { useTransport } from "../node/server.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { type Lane, openLane } from "./lane.fixture.ts";
import {
  BODY_LIMIT,
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

export async function openOurs(): Promise<Lane> {
  const { lane, onSocket } = openLane();
  const before = useTransport((http, address) => {
    http.on("connection", onSocket);
    return listenOn(http, address);
  });
  const server = await createApp(lane.calls).listen();
  useTransport(before);
  return { ...lane, port: server.port, close: () => server.close() };
}

function createApp(calls: Call[]): App {
  const handler = (request: Request): unknown => serve(request, calls);
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, bodyLimit: BODY_LIMIT };
  const log = { info() {}, error() {} };
  const routes = ["GET", "POST"].map((method) =>
    bind(`${method} /<when:str>/<reads:str>/<gives:str>`, handler),
  );
  return createCoreApp(routes, { settings, log });
}

function serve(request: Request, calls: Call[]): unknown {
  const plan = parsePlan(request.path);
  if (plan === undefined) throw new HttpError(404, "Not Found");
  const { method, url, headers } = request;
  const call = newCall(method, url, listHeaders(headers));
  const id = calls.push(call) - 1;
  if (plan.when === "once" && plan.reads === "nothing") return give(plan, call, id, request);
  return serveLate(plan, call, id, request);
}

async function serveLate(plan: Plan, call: Call, id: number, request: Request): Promise<unknown> {
  await pause(plan.when);
  try {
    await read(plan.reads, call, request);
  } catch (error) {
    call.read = error instanceof HttpError && error.status === 413 ? "too large" : "broken";
    call.isDone = true;
    throw error;
  }
  return give(plan, call, id, request);
}

async function read(reads: Plan["reads"], call: Call, request: Request): Promise<void> {
  if (reads === "nothing") return;
  call.read = "begun";
  if (reads === "peek") {
    await request.body?.getReader().read();
    return;
  }
  const pieces: Uint8Array[] = [];
  if (reads === "whole") pieces.push(await request.bytes());
  else for await (const piece of request.body ?? []) pieces.push(piece);
  call.body = Buffer.concat(pieces).toString("latin1");
  call.read = "whole";
}

function give({ gives }: Plan, call: Call, id: number, request: Request): unknown {
  const headers = { "x-call": `${id}` };
  if (gives === "echo") return reply(echo(call, request), 200, headers);
  if (gives === "stream") return reply(inPieces(call, PIECES), 200, headers);
  if (gives === "flood") return reply(inPieces(call, FLOOD), 200, headers);
  if (gives === "sized")
    return new Response(toStream(call), { headers: { ...headers, "content-length": "18" } });
  call.isDone = true;
  const { body = null } = call;
  switch (gives) {
    case "object":
      return { call: id, body };
    case "created":
      return [{ call: id, body }, 201];
    case "text":
      return reply(TEXT, 200, headers);
    case "unicode":
      return reply(UNICODE, 200, headers);
    case "large":
      return reply(LARGE, 200, headers);
    case "empty":
      return reply(undefined, 204, headers);
    case "reset":
      return reply(undefined, 205, headers);
    case "unchanged":
      return reply(undefined, 304, headers);
    case "fails":
      throw new HttpError(422, FAILURE, { headers });
  }
}

async function* inPieces(call: Call, pieces: readonly string[]): AsyncGenerator<string> {
  try {
    for (const piece of pieces) {
      yield piece;
      await nextTurn();
    }
  } finally {
    call.isDone = true;
  }
}

function toStream(call: Call): ReadableStream<Uint8Array> {
  const pieces = [...PIECES];
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) {
        call.isDone = true;
        controller.close();
      } else controller.enqueue(new TextEncoder().encode(piece));
      await nextTurn();
    },
    cancel() {
      call.isDone = true;
    },
  });
}

/** What was read before, or the body as it comes. */
async function* echo(call: Call, request: Request): AsyncGenerator<Uint8Array> {
  try {
    if (call.read !== "not") {
      yield Buffer.from(call.body ?? "", "latin1");
      return;
    }
    call.read = "begun";
    const pieces: Uint8Array[] = [];
    for await (const piece of request.body ?? []) {
      pieces.push(piece);
      yield piece;
    }
    call.body = Buffer.concat(pieces).toString("latin1");
    call.read = "whole";
  } catch (error) {
    call.read = error instanceof HttpError ? "too large" : "broken";
    throw error;
  } finally {
    call.isDone = true;
  }
}
