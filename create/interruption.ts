/** Ctrl-C and SIGTERM: noted, told to whoever listens, and acted on where nothing is half-done. */

const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type StopSignal = keyof typeof STATUSES;

export interface Interruption {
  /** The exit status of the signal that came, 128 and its number; undefined while none did. */
  status(): number | undefined;
  /** Lets signals that wait be delivered, then tells whether one came. Synchronous work holds them back until then. */
  hasCome(): Promise<boolean>;
  /** @returns what takes it back */
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
