/** What has changed since the newest source was served, and whether the changes ever end. */

export interface Changes {
  /** The changed files that are not served yet. */
  readonly files: readonly string[];
  /** Grows with every notice, so that work for an earlier change can be dropped. */
  readonly newest: number;
  /** True if the newest change is served, or reported as a mistake. */
  readonly isSettled: boolean;
  /** True if changes have come so fast, and for so long, that waiting for the last one would mean to serve nothing. */
  readonly isRestless: boolean;
  /** Something is changing. */
  notice(): void;
  /** These files have changed. @returns those that keep changing; each is returned only once. */
  add(files: readonly string[]): string[];
  settle(): void;
  /** Milliseconds since the first change that is not served yet. */
  age(): number;
  /** All files that were added are served. */
  clear(): void;
}

/** Changes are restless if there are so many of them and requests would have to wait for longer than this. */
const MANY = 5;
const PATIENCE_MS = 1_000;
/** No person changes a file so many times without a pause of a second. */
const TOO_MANY = 20;
const PAUSE_MS = 1_000;

export function createChanges(): Changes {
  const files = new Set<string>();
  /** How many times each file has changed since the last pause. */
  const times = new Map<string, number>();
  const reported = new Set<string>();
  let newest = 0;
  let isSettled = true;
  /** Of changes since they were settled last. */
  let count = 0;
  let changedAt = performance.now();
  let unsettledAt = changedAt;
  let noticedAt: number | undefined;
  const isRestless = (): boolean =>
    !isSettled && count >= MANY && performance.now() - unsettledAt > PATIENCE_MS;
  return {
    get files() {
      return [...files];
    },
    get newest() {
      return newest;
    },
    get isSettled() {
      return isSettled;
    },
    get isRestless() {
      return isRestless();
    },
    notice() {
      newest += 1;
      const now = performance.now();
      if (isSettled) {
        unsettledAt = now;
        noticedAt = now;
      }
      noticedAt ??= now;
      isSettled = false;
    },
    add(added) {
      if (performance.now() - changedAt > PAUSE_MS && !isRestless()) times.clear();
      changedAt = performance.now();
      count += 1;
      for (const file of added) {
        files.add(file);
        times.set(file, (times.get(file) ?? 0) + 1);
      }
      const least = isRestless() ? MANY : TOO_MANY;
      const restless = added.filter((file) => (times.get(file) ?? 0) >= least && !reported.has(file));
      for (const file of restless) reported.add(file);
      return restless;
    },
    settle() {
      isSettled = true;
      count = 0;
    },
    age: () => performance.now() - (noticedAt ?? changedAt),
    clear() {
      files.clear();
      noticedAt = undefined;
    },
  };
}
