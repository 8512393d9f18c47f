/** The 500 of a project that can't be served: the text of the terminal, as a page for a browser and as JSON for others. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { formatErrorPage } from "./error-page.ts";

export interface ErrorAnswer {
  /** What is wrong; undefined from when that may be out of date. */
  text: string | undefined;
  /** Answers whatever is asked on a connection, once something is. None of them keeps the process alive. */
  give(socket: Socket): void;
}

/** @param onLate is given the connections on which a request begins when nothing is wrong any more. */
export function createErrorAnswer(onLate: (socket: Socket) => void): ErrorAnswer {
  let lastText = "";
  const server = createServer((request, response) => answer(request, response, lastText));
  const error: ErrorAnswer = { text: undefined, give };
  return error;

  function give(socket: Socket): void {
    socket.unref().on("error", () => socket.destroy());
    // A browser opens connections ahead of what it is going to ask.
    socket.once("readable", () => begin(socket));
  }

  function begin(socket: Socket): void {
    if (error.text === undefined) {
      onLate(socket);
      return;
    }
    lastText = error.text;
    server.emit("connection", socket);
    // It was accepted paused.
    socket.resume();
  }
}

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const isBrowser = request.headers.accept?.includes("text/html") === true;
  const body = isBrowser
    ? formatErrorPage(text)
    : JSON.stringify({ error: "The project is not served.", detail: text });
  response.writeHead(500, {
    "content-type": isBrowser ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    // The next request should meet the project as it is then.
    connection: "close",
  });
  response.write(body);
  // The end closes the connection, and a client that is still sending would not come to read the answer.
  request.resume().once("close", () => response.end());
}
