/** A process that has nothing left to do, although something in it still waits. */

import type { Problem } from "#runtime/problem";

/** Node would end the process without a word. @throws {Problem} when the process has nothing left to do before the promise is settled. */
export function unlessIdle<Value>(promise: Promise<Value>, toProblem: () => Problem): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onIdle = (): void => reject(toProblem());
    process.once("beforeExit", onIdle);
    promise.then(resolve, reject).finally(() => process.off("beforeExit", onIdle));
  });
}
