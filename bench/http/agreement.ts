/** That every server does the same work: the same status and the same JSON on every case, or nothing is measured. */

import { isDeepStrictEqual } from "node:util";
import { Problem } from "#runtime/problem";
import { type Answer, ask } from "../../e2e/harness/client.ts";
import { shorten } from "../../e2e/harness/output.ts";
import type { Case } from "./cases.ts";
import type { Started } from "./servers.ts";

/** @throws {Problem} naming the first that differs from the first server. */
export async function requireSameAnswers(servers: readonly Started[], cases: readonly Case[]): Promise<void> {
  for (const asked of cases) {
    const [first, ...others] = await Promise.all(
      servers.map(async (server) => ({ name: server.name, answer: await askCase(server.url, asked) })),
    );
    for (const { name, answer } of first === undefined ? [] : [first, ...others]) {
      const part = asked.isText ? "text" : "json";
      if (answer.status === asked.status && isDeepStrictEqual(answer[part], first?.answer[part])) continue;
      throw new Problem(
        `On "${asked.name}" ${name} answers ${answer.status} ${shorten(answer.text)}`,
        `Wanted is ${asked.status} ${shorten(first?.answer.text ?? "")}: only servers that do the same work are compared.`,
      );
    }
    if (asked.refused !== undefined) await requireRefusal(servers, { ...asked, body: asked.refused });
  }
}

async function requireRefusal(servers: readonly Started[], asked: Case): Promise<void> {
  for (const { name, url } of servers) {
    const { status, text } = await askCase(url, asked);
    if (status >= 400 && status < 500) continue;
    throw new Problem(
      `On a wrong body for "${asked.name}" ${name} answers ${status} ${shorten(text)}`,
      "Wanted is a 4xx: only servers that check the body are compared.",
    );
  }
}

function askCase(url: string, { method, path, headers, body }: Case): Promise<Answer> {
  return ask(url, `${method} ${path}`, { headers, ...(body !== undefined && { body }) });
}
