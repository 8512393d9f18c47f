/** Collects changes that follow each other closely into one. */

/** Editors write a file in several steps. A burst of changes ends when none has come for so many milliseconds. */
export const QUIET_MS = 15;
/** A burst that would never end is cut off. */
const LONGEST_BURST_MS = 200;

export interface Burst {
  add(file: string): void;
  close(): void;
}

export function createBurst(onEnd: (files: readonly string[]) => void): Burst {
  const files = new Set<string>();
  let began = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    add(file) {
      if (files.size === 0) began = performance.now();
      files.add(file);
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(QUIET_MS, Math.max(0, began + LONGEST_BURST_MS - performance.now())));
    },
    close: () => clearTimeout(timer),
  };

  function end(): void {
    const ended = [...files];
    files.clear();
    onEnd(ended);
  }
}
