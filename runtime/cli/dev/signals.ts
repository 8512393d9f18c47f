/** The signals that end `framework dev`. */

export interface Signals {
  /** Calls this for each signal, at once if one has come before. */
  bind(onSignal: () => void): void;
}

/** Keeps signals from ending the process. Call it before making anything that has to be removed. */
export function holdSignals(): Signals {
  let hasCome = false;
  let receive = (): void => {
    hasCome = true;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => receive());
  return {
    bind(onSignal) {
      receive = onSignal;
      if (hasCome) onSignal();
    },
  };
}
