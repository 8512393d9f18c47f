/** For tests: what happens when the test says so, however slow the machine is. */

export interface Gate<T = void> {
  readonly opened: Promise<T>;
  readonly open: (value: T) => void;
}

/** A promise, and what settles it. */
export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const TICKS = 10;

/**
 * Resolves when all has happened that waits for nothing but turns of the event loop, or for a chain of its shortest timers: timers of
 * one length run in their order. What comes over a socket may still be on its way.
 */
export async function settle(): Promise<void> {
  for (let ticks = 0; ticks < TICKS; ticks++) await new Promise((resolve) => setTimeout(resolve, 0));
}
