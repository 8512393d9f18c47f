/** Answers requests to a project that can't be served with a 500: the terminal's text, as a page for a browser and as JSON for others. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "#runtime/message/result";
import { splitAbsoluteForm } from "#runtime/node/guard";
import type { CorsSettings } from "#runtime/settings";
import { refuseHost } from "./front.ts";

/** What every request is answered with. */
export interface Failure {
  /** What is wrong, as the terminal shows it, without colours. */
  readonly text: string;
  /** Which scripts may read it. */
  readonly cors: CorsSettings | undefined;
  /** As in {@link refuseHost}. */
  readonly hosts: readonly string[];
}

/** The newest request of each connection. */
const last = new WeakMap<Socket, IncomingMessage>();

/** @returns what answers the requests of a connection that was accepted paused. */
export function createErrorServer(): (socket: Socket, failure: Failure) => void {
  let newest: Failure = { text: "", cors: undefined, hosts: [] };
  const server = createServer((request, response) => {
    last.set(request.socket, request);
    void respond(request, response, newest);
  });
  return (socket, failure) => {
    newest = failure;
    server.emit("connection", socket);
    socket.resume();
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, failure: Failure): Promise<void> {
  const host = splitAbsoluteForm(request.url ?? "")?.authority ?? request.headers.host;
  const answer =
    refuseHost(host, failure.hosts) ?? (await share(request, toAnswer(request, failure), failure));
  // The next request may go to a worker.
  const end = last.get(request.socket) === request ? ["Connection", "close"] : [];
  response.writeHead(answer.status, [...answer.headers, ...end]);
  if (typeof answer.body === "string") response.write(answer.body);
  // The end closes the connection: a client that is still sending would miss the answer.
  request.resume().once("close", () => response.end());
}

function toAnswer({ headers }: IncomingMessage, { text }: Failure): Answer<never> {
  const isBrowser = headers.accept?.includes("text/html") === true;
  const body = isBrowser
    ? formatPage(text)
    : JSON.stringify({ error: "The project is not served.", detail: text });
  const type = isBrowser ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
  const length = String(Buffer.byteLength(body));
  return {
    status: 500,
    headers: ["Content-Type", type, "Content-Length", length, "Cache-Control", "no-store"],
    body,
  };
}

/** Otherwise a page of another origin would report its lack of CORS instead of what is wrong. */
async function share(request: IncomingMessage, answer: Answer<never>, { cors }: Failure): Promise<Answer> {
  if (cors === undefined) return answer;
  const sharing = (await import("#runtime/hooks/cors")).createCors(cors);
  const asked = {
    method: request.method ?? "",
    header: (name: string) => request.headers[name]?.toString(),
  };
  return sharing.preflight(asked, () => undefined) ?? sharing.share(answer, asked);
}

function formatPage(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>The project is not served</title>
<style>
  body { margin: 0 auto; max-width: 66rem; padding: 3rem 1.5rem; font: 15px/1.6 system-ui, sans-serif }
  h1 { font-size: 1.3rem; color: light-dark(#b3261e, #ff7b72) }
  pre { padding: 1.25rem; overflow-x: auto; border: 1px solid light-dark(#e2e2e8, #34343c); border-radius: 6px; font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace }
</style>
<h1>The project is not served</h1>
<pre>${escaped}</pre>
<p>Fix it, save, and reload this page.</p>
</html>
`;
}
