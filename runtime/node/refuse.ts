/** Answers what node:http can't read, and what comes on a socket that it leaves to us. */

import type { Responder } from "../message/exchange.ts";
import { type Answer, errorAnswer } from "../message/result.ts";
import { LINGER_MS } from "./body.ts";
import { type Connection, NEWEST } from "./node-exchange.ts";

/** By the error's code: what node:http can't read, or no longer waits for. */
const BROKEN: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer(408, "Request Timeout"),
  HPE_INVALID_VERSION: errorAnswer(505, "HTTP Version Not Supported"),
  HPE_HEADER_OVERFLOW: errorAnswer(431, "Request Header Fields Too Large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorAnswer(413, "The extensions of the body's chunks are too large."),
};
const MALFORMED: Answer = errorAnswer(400, "The request is malformed.");

/** Answers a `clientError` of node:http, or cuts the connection. */
export function refuseBroken(
  responder: Responder,
  error: NodeJS.ErrnoException,
  connection: Connection,
): void {
  const { code = "" } = error;
  const newest = connection[NEWEST];
  const answer = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
  // An answer is out, and the connection is being closed behind it.
  if (answer !== undefined && (newest?.isEnding || !connection.writable)) return;
  if (answer === undefined) connection.destroy();
  else if (newest === undefined || newest.isComplete) refuseNext(connection, answer);
  // The broken part is this request's body. Its answer may be out already, at least in part.
  else if (newest.isAnswered) newest.cut();
  else {
    newest.close();
    responder.refuse(newest, answer);
  }
}

/** Refuses after the answers that are due before. */
export function refuseNext(connection: Connection, answer: Answer): void {
  const newest = connection[NEWEST];
  // Nothing follows an answer that has announced the end.
  if (newest?.isLast) return;
  if (newest?.isOpen) newest.close(() => refuse(connection, answer));
  else refuse(connection, answer);
}

/** Answers on a socket for which node:http has no response. */
function refuse(connection: Connection, { status, headers, body }: Answer): void {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    `Content-Length: ${String(body).length}`,
  ];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  // Nobody else reads it any more. Unread bytes would hide that the client has left, and could cost it the answer.
  connection.on("error", () => {}).resume();
  connection.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => connection.destroy(), LINGER_MS).unref();
}
