/** Sends a request, and shows what comes back while it comes. */

import { makeCode } from "./copy.ts";
import { type Child, fill, make } from "./element.ts";
import { formatJsonText } from "./json-text.ts";
import { parseJson, type Sent } from "./request.ts";

export interface Outcome {
  readonly element: HTMLElement;
  readonly stop: HTMLElement;
  send(sent: Sent): Promise<void>;
}

/** Browsers become slow with longer texts. In characters. */
const MOST_SHOWN = 200_000;
const IS_TEXT = /^text\/|[/+](json|xml|javascript|x-ndjson|x-www-form-urlencoded)\b/;

let running: AbortController | undefined;

/** Ends a request whose answer nobody sees any more. */
export function stopRequest(): void {
  running?.abort();
  running = undefined;
}

/** @param name of a file that is saved. */
export function makeOutcome(name: string): Outcome {
  const status = make("p.outcome", { role: "status" });
  const inside = make("div");
  const stop = make("button", { type: "button", hidden: true }, "Stop");
  stop.addEventListener("click", stopRequest);
  return { element: make("div", status, inside), stop, send };

  async function send(sent: Sent): Promise<void> {
    stopRequest();
    const mine = new AbortController();
    running = mine;
    const began = performance.now();
    stop.hidden = false;
    fill(inside);
    status.textContent = "Waiting for the answer…";
    try {
      const response = await fetch(sent.url, toInit(sent, mine.signal));
      const title = `${response.status} ${response.statusText}`.trim();
      status.textContent = `${title}, receiving…`;
      const size = await receive(response, inside, name, mine.signal);
      const took = `${Math.round(performance.now() - began)} ms`;
      const parts = [title, took, formatSize(size), response.redirected ? `from ${response.url}` : ""];
      const ended = mine.signal.aborted ? "stopped" : "";
      status.textContent = [...parts, ended].filter((part) => part !== "").join(", ");
    } catch (error) {
      status.textContent = mine.signal.aborted ? "Stopped." : explainFailure(error);
    } finally {
      if (running === mine) running = undefined;
      stop.hidden = true;
    }
  }
}

function toInit({ method, headers, body }: Sent, signal: AbortSignal): RequestInit {
  const shared: RequestInit = {
    method,
    headers: headers.map((pair) => [...pair]),
    signal,
    cache: "no-store",
  };
  if (body === undefined) return shared;
  if (typeof body === "string") return { ...shared, body };
  const form = new FormData();
  for (const { name, value } of body) form.append(name, value);
  return { ...shared, body: form };
}

function explainFailure(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The browser got no answer (${why}). Does the server run? Of another origin, does it allow this page by CORS?`;
}

/** @returns the size of the body in bytes. */
async function receive(
  response: Response,
  place: HTMLElement,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const type = response.headers.get("content-type") ?? "";
  const isText = IS_TEXT.test(type);
  const isJson = /json\b/.test(type) && !/ndjson/.test(type);
  const view = makeCode("Body");
  const note = make("p.quiet");
  fill(place, showReceived(response.headers), response.body !== null && isText && view.element, note);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    for await (const chunk of readAll(response)) {
      chunks.push(chunk);
      size += chunk.length;
      if (!isText || text.length > MOST_SHOWN) continue;
      text += decoder.decode(chunk, { stream: true });
      if (!isJson) view.show(text.slice(0, MOST_SHOWN));
    }
  } catch (error) {
    if (!signal.aborted)
      note.append(`The answer broke off: ${error instanceof Error ? error.message : error}`);
  }
  const isWhole = text.length <= MOST_SHOWN;
  if (isJson)
    view.show(isWhole && parseJson(text) !== undefined ? formatJsonText(text) : text.slice(0, MOST_SHOWN));
  if (size === 0) view.element.remove();
  else if (!isText || !isWhole)
    note.append(isText ? "Only its beginning is shown. " : "", makeSave(chunks, type, name));
  return size;
}

/** Not every browser can iterate over a stream. */
async function* readAll({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
}

function showReceived(headers: Headers): Child {
  const rows = [...headers].map(([name, value]) =>
    make("div", make("dt", make("code", name)), make("dd", value)),
  );
  return make("details", make("summary", `${rows.length} headers`), make("dl", rows));
}

function makeSave(chunks: readonly Uint8Array<ArrayBuffer>[], type: string, name: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([...chunks], { type }));
  return make("a", { href, download: name }, `Save ${type === "" ? "the body" : `the ${type}`}`);
}

/** @example formatSize(2048) // "2 KiB" */
function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KiB"] : [bytes / 1024 ** 2, "MiB"];
  return `${Number(size.toFixed(1))} ${unit}`;
}
