/** The signals that end `framework dev`. */

export interface Signals {
  /** Tells each from here on, and at once that one came before. */
  bind(onSignal: () => void): void;
}

/** Called before anything is made that has to be cleared away: from here on no signal ends the process by itself. */
export function holdSignals(): Signals {
  let isHeld = false;
  let tell = (): void => {
    isHeld = true;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => tell());
  return {
    bind(onSignal) {
      tell = onSignal;
      if (isHeld) onSignal();
    },
  };
}
