/** One request and its whole answer. The path goes out as it is written: no client tidies `..` or `%2e` on its way. */

import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Client } from "undici";
import { LIMIT_MS } from "./limit.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body read as JSON. */
  readonly json: unknown;
}

export interface Question {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @example await ask(server.url, "GET /users/by/id/7") */
export async function ask(url: string, line: string, question: Question = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const client = new Client(url, {
    headersTimeout: LIMIT_MS,
    bodyTimeout: LIMIT_MS,
    connectTimeout: LIMIT_MS,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: method as "GET",
      path,
      body: question.body ?? null,
      headers: question.headers ?? {},
    });
    const text = await body.text();
    return {
      status: statusCode,
      headers,
      text,
      get json() {
        return JSON.parse(text) as unknown;
      },
    };
  } finally {
    await client.close();
  }
}

/** Bytes to a server and all that comes back until it closes: for what no client would send. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.setTimeout(LIMIT_MS, () =>
      socket.destroy(new Error(`No end of the answer after ${LIMIT_MS} ms: ${received}`)),
    );
    socket.on("error", reject).on("close", () => resolve(received));
  });
}

/** Milliseconds: without a pause, the processor would serve these questions and not what they wait for. */
const PAUSE_MS = 25;

/** Asks again and again until the answer is as wanted, and gives every answer until then. */
export async function askUntil(
  url: string,
  line: string,
  isWanted: (answer: Answer) => boolean,
  question: Question = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask(url, line, question);
    answers.push(answer);
    if (isWanted(answer)) return answers;
    if (performance.now() > deadline) {
      throw new Error(`${line} still answers ${answer.status} ${answer.text} after ${LIMIT_MS} ms.`);
    }
    await setTimeout(PAUSE_MS);
  }
}
