/** The signals that end `framework dev`. */

/**
 * Keeps signals from ending the process. Call it before making anything that has to be removed.
 *
 * @returns sets what to call for each signal; calls it at once if one has come before.
 */
export function holdSignals(): (onSignal: () => void) => void {
  let hasCome = false;
  let receive = (): void => {
    hasCome = true;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => receive());
  return (onSignal) => {
    receive = onSignal;
    if (hasCome) onSignal();
  };
}
