/** The 500 of a project that can't be served: the text of the terminal, as a page for a browser and as JSON for others. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { formatErrorPage } from "./error-page.ts";

/** @returns what answers whatever is asked on a connection with this text. */
export function createErrorAnswer(text: string): (socket: Socket) => void {
  const server = createServer((request, response) => answer(request, response, text));
  return (socket) => {
    server.emit("connection", socket);
    // It was accepted paused.
    socket.resume();
  };
}

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const isBrowser = request.headers.accept?.includes("text/html") === true;
  response.writeHead(500, {
    "content-type": isBrowser ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "cache-control": "no-store",
    // The next request should meet the project as it is then.
    connection: "close",
  });
  response.end(
    isBrowser ? formatErrorPage(text) : JSON.stringify({ error: "The project is not served.", detail: text }),
  );
}
