/** The 500 of a project that can't be loaded: the text of the terminal, as a page for a browser and as JSON for others. */

import type { IncomingMessage, ServerResponse } from "node:http";

export function answerWithError(request: IncomingMessage, response: ServerResponse, text: string): void {
  const isBrowser = request.headers.accept?.includes("text/html") === true;
  response.writeHead(500, {
    "content-type": isBrowser ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "cache-control": "no-store",
    // The next request should meet the source as it is then, not this process.
    connection: "close",
  });
  response.end(
    isBrowser
      ? formatPage(text)
      : JSON.stringify({ error: "The project could not be loaded.", detail: text }),
  );
}

function formatPage(text: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The project could not be loaded</title>
<style>
  body { margin: 0; padding: 3rem; background: #16161a; color: #e8e8ea; font: 15px/1.6 ui-monospace, Consolas, monospace }
  h1 { margin: 0 0 1.5rem; font-size: 1.1rem; color: #ff7b72 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
  p { color: #9a9aa2 }
</style>
<h1>The project could not be loaded</h1>
<pre>${escapeHtml(text)}</pre>
<p>Save a file and load this page again.</p>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
