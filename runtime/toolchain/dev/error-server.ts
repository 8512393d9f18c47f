/** Answers requests to a project that can't be served with a 500: the terminal's text, as a page for a browser and as JSON for others. */

import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { formatErrorPage } from "./error-page.ts";

/** @returns what answers the requests of a connection that was accepted paused; `text` is what is wrong. */
export function createErrorServer(): (socket: Socket, text: string) => void {
  let newest = "";
  const server = http.createServer((request, response) => respond(request, response, newest));
  return (socket, text) => {
    newest = text;
    server.emit("connection", socket);
    socket.resume();
  };
}

function respond(request: IncomingMessage, response: ServerResponse, text: string): void {
  const isBrowser = request.headers.accept?.includes("text/html") === true;
  const body = isBrowser
    ? formatErrorPage(text)
    : JSON.stringify({ error: "The project is not served.", detail: text });
  response.writeHead(500, {
    "content-type": isBrowser ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    // The next request may go to a worker.
    connection: "close",
  });
  response.write(body);
  // The end closes the connection: a client that is still sending would miss the answer.
  request.resume().once("close", () => response.end());
}
