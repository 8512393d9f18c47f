/** Ctrl-C and SIGTERM: we note them, call the listeners, and stop where nothing is half-done. */

const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface Interruption {
  /** The exit status of the signal that came: 128 plus its number. */
  status(): number | undefined;
  /** Lets Node deliver pending signals first: synchronous work holds them back. */
  hasCome(): Promise<boolean>;
  /** @returns a function that stops listening */
  onInterrupt(act: (signal: keyof typeof STATUSES) => void): () => void;
}

export function watchInterruption(): Interruption {
  let status: number | undefined;
  const listeners = new Set<Parameters<Interruption["onInterrupt"]>[0]>();
  for (const signal of Object.keys(STATUSES) as (keyof typeof STATUSES)[]) {
    process.on(signal, () => {
      status = STATUSES[signal];
      for (const act of listeners) act(signal);
    });
  }
  return {
    status: () => status,
    async hasCome() {
      await new Promise((resolve) => setImmediate(resolve));
      return status !== undefined;
    },
    onInterrupt(act) {
      listeners.add(act);
      return () => void listeners.delete(act);
    },
  };
}
