/** Chromium without a window, driven over its DevTools protocol: what a person sees and does on a page. */

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LIMIT_MS } from "./limit.ts";
import { once } from "./once.ts";
import { atEnd, createFolder } from "./workspace.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Its own requests go nowhere, and root may start it. */
const OPTIONS = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

/** @returns undefined where none is in the search path. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Values = Readonly<Record<string, unknown>>;

export interface Page {
  /** Loads a URL, and waits for its modules. */
  open(url: string): Promise<void>;
  /** @param expression may be a promise's. @returns its value, which has to be JSON. */
  run<Value>(expression: string): Promise<Value>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  /** @param key as in `Tab`, `Enter` or `a`. */
  press(key: string, modifiers?: number): Promise<void>;
  type(text: string): Promise<void>;
  /** A method of the protocol. */
  send<Value>(method: string, values?: Values): Promise<Value>;
  /** The URLs of all requests since it was opened. */
  readonly requests: readonly string[];
  /** What the console shows as an error: violations of the policy, too. */
  readonly errors: readonly string[];
}

const KEYS: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Tab: [9],
  Enter: [13, "\r"],
  Escape: [27],
  " ": [32, " "],
  ArrowUp: [38],
  ArrowDown: [40],
};

/** One browser a run. */
export const openPage: () => Promise<Page> = once("browser", async () => {
  const program = findChromium();
  if (program === undefined) throw new Error(`None of ${NAMES.join(", ")} is in the search path.`);
  const child = spawn(program, [...OPTIONS, `--user-data-dir=${createFolder("chromium")}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    // A group, so that the processes that it starts end with it.
    detached: true,
  });
  const forget = atEnd(() => endGroup(child));
  const connection = connect(child);
  close = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await connection.send("Browser.close");
    await ended;
    forget();
  };
  return attach(connection);
});

let close = async (): Promise<void> => {};

/** So that the run can end. */
export function closeChromium(): Promise<void> {
  return close();
}

/** They may still be writing for a moment, into a folder that is to be removed. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  } catch {
    // It has ended.
  }
}

interface Connection {
  send<Value>(method: string, values?: Values, sessionId?: string): Promise<Value>;
  onEvent(listen: (method: string, values: Values) => void): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Values;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Messages are JSON with a NUL after each. */
function connect(child: ChildProcess): Connection {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  let listener: (method: string, values: Values) => void = () => {};
  let [last, rest] = [0, ""];
  output.setEncoding("utf8").on("data", (text: string) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    for (const one of messages) receive(JSON.parse(one));
  });
  const onEvent: Connection["onEvent"] = (listen) => {
    listener = listen;
  };
  return { send, onEvent };

  function receive(message: Message): void {
    if (message.id === undefined) listener(message.method ?? "", message.params ?? {});
    else waiting.get(message.id)?.(message);
  }

  function send<Value>(method: string, params: Values = {}, sessionId?: string): Promise<Value> {
    last += 1;
    const id = last;
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} took more than ${LIMIT_MS} ms.`)), LIMIT_MS);
      waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as Value);
      });
    });
  }
}

async function attach(connection: Connection): Promise<Page> {
  const { targetId } = await connection.send<{ targetId: string }>("Target.createTarget", {
    url: "about:blank",
  });
  const { sessionId } = await connection.send<{ sessionId: string }>("Target.attachToTarget", {
    targetId,
    flatten: true,
  });
  const requests: string[] = [];
  const errors: string[] = [];
  connection.onEvent((method, values) => {
    if (method === "Network.requestWillBeSent") requests.push((values.request as { url: string }).url);
    if (method === "Log.entryAdded") {
      const { level, text } = values.entry as { level: string; text: string };
      if (level === "error") errors.push(text);
    }
    if (method === "Runtime.exceptionThrown") errors.push(JSON.stringify(values.exceptionDetails));
  });
  const send: Page["send"] = (method, values) => connection.send(method, values, sessionId);
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await send(`${domain}.enable`);
  const page = { send, requests, errors, run, until, press, type, open };
  return page;

  async function open(url: string): Promise<void> {
    // An address that differs only in its fragment would load nothing.
    await send("Page.navigate", { url: "about:blank" });
    requests.length = 0;
    errors.length = 0;
    await send("Page.navigate", { url });
    await until("document.readyState === 'complete' && document.querySelector('h1') !== null");
  }

  async function run<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await send<{
      result: { value: Value };
      exceptionDetails?: { exception?: { description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? JSON.stringify(exceptionDetails));
    return result.value;
  }

  async function until(expression: string): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    while (!(await run<boolean>(`Boolean(${expression})`))) {
      if (performance.now() > deadline)
        throw new Error(`${expression} is not true:\n${await run("document.body.innerText")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function press(key: string, modifiers = 0): Promise<void> {
    const [code = key.toUpperCase().charCodeAt(0), text = key.length === 1 ? key : undefined] =
      KEYS[key] ?? [];
    const shared = { key, modifiers, windowsVirtualKeyCode: code };
    await send("Input.dispatchKeyEvent", { type: "keyDown", ...shared, ...(text && { text }) });
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...shared });
  }

  async function type(text: string): Promise<void> {
    await send("Input.insertText", { text });
  }
}
