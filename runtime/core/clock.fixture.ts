/** For tests: the time that `performance.now` and `setInterval` have, as handler_timeout and heartbeats do. It passes when the test says so. */

export interface Clock {
  /** Runs what is due, in its order. */
  pass(seconds: number): void;
}

/** Other timers run on in real time. */
export async function stopClock(use: (clock: Clock) => Promise<void>): Promise<void> {
  const { mock } = process.getBuiltinModule("node:test");
  let now = performance.now();
  const reading = mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    await use({
      pass(seconds) {
        now += seconds * 1000;
        mock.timers.tick(seconds * 1000);
      },
    });
  } finally {
    mock.timers.reset();
    reading.mock.restore();
  }
}
