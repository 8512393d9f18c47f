/** Ctrl-C and SIGTERM: we note them, call the listeners, and stop where nothing is half-done. */

const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type StopSignal = keyof typeof STATUSES;

export interface Interruption {
  /** The exit status of the signal that came: 128 plus its number. */
  status(): number | undefined;
  /** Lets Node deliver pending signals first: synchronous work holds them back. */
  hasCome(): Promise<boolean>;
  /** @returns a function that stops listening */
  onInterrupt(act: (signal: StopSignal) => void): () => void;
}

export function watchInterruption(): Interruption {
  let came: StopSignal | undefined;
  const listeners = new Set<(signal: StopSignal) => void>();
  for (const signal of Object.keys(STATUSES) as StopSignal[]) {
    process.on(signal, () => {
      came = signal;
      for (const act of listeners) act(signal);
    });
  }
  const status = (): number | undefined => (came === undefined ? undefined : STATUSES[came]);
  return {
    status,
    async hasCome() {
      await new Promise((resolve) => setImmediate(resolve));
      return came !== undefined;
    },
    onInterrupt(act) {
      listeners.add(act);
      return () => void listeners.delete(act);
    },
  };
}
