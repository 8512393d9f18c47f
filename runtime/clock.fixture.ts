/** For tests: what runs by `setInterval`, as handler_timeout and heartbeats do, comes when the test says so, however slow the machine is. */

export interface Clock {
  /** Lets so much time pass at once. */
  pass(seconds: number): void;
}

/** Intervals that are set meanwhile come by the clock alone. For `performance.now` the real time passes, too. */
export async function stopClock(use: (clock: Clock) => Promise<void>): Promise<void> {
  const { mock } = process.getBuiltinModule("node:test");
  const now = performance.now.bind(performance);
  let passed = 0;
  const shifted = mock.method(performance, "now", () => now() + passed);
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    await use({
      pass(seconds) {
        passed += seconds * 1000;
        mock.timers.tick(seconds * 1000);
      },
    });
  } finally {
    mock.timers.reset();
    shifted.mock.restore();
  }
}
