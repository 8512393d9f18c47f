/** The error hooks of the folders around what was thrown: the nearest is asked first, until one answers. */

import { HttpError, hasFailure } from "../message/errors.ts";
import { flattenHeaders } from "../message/headers.ts";
import { type Answer, hasStatus } from "../message/result.ts";
import { isResponse } from "../message/sendable.ts";
import type { Hook, Inside } from "./around.ts";

/**
 * @param hooks the nearest first.
 * @param thrower what messages call the function that threw.
 * @returns never rejects.
 */
export async function answerThrown(
  hooks: readonly Hook[],
  first: unknown,
  thrower: string,
  inside: Inside,
): Promise<Answer> {
  /** A hook may throw another error, which the outer ones are asked about. */
  const thrown: unknown[] = [];
  let answer = await attempt(thrown, thrower, inside, () => Promise.reject(first));
  for (const hook of hooks)
    answer ??= await attempt(thrown, hook.name, inside, () => ask(hook, thrown.at(-1), inside));
  // It logs the newest itself.
  answer ??= inside.fail(thrown.pop());
  if (answer.status >= 500)
    for (const error of thrown) if (!(error instanceof HttpError) || hasFailure(error)) inside.report(error);
  return answer;
}

/** A thrown response is the answer. @param thrown gets what else is thrown. */
async function attempt(
  thrown: unknown[],
  thrower: string,
  inside: Inside,
  step: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    return await step();
  } catch (error) {
    if (isResponse(error)) return attempt(thrown, thrower, inside, () => inside.toAnswer(error, thrower));
    if (thrown.length === 0 || error !== thrown.at(-1)) thrown.push(error);
    return undefined;
  }
}

/** @returns undefined if the hook leaves the error to the outer ones. */
async function ask({ name, call }: Hook, error: unknown, inside: Inside): Promise<Answer | undefined> {
  const result = await call(error, inside.request);
  if (result === undefined || result === null) return undefined;
  const answer = await inside.toAnswer(result, name);
  const own = error instanceof HttpError ? error : undefined;
  const status = hasStatus(result) ? answer.status : (own?.status ?? 500);
  const headers = own?.headers && own.status === status ? withHeaders(answer, own.headers) : answer.headers;
  return { ...answer, status, headers };
}

/** A 401 needs its challenge and a 405 its methods, whoever writes the body. */
function withHeaders({ headers }: Answer, added: Headers): readonly string[] {
  const taken = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return [
    ...headers,
    ...flattenHeaders(added, "content-type", "content-length", "content-encoding", ...taken),
  ];
}
