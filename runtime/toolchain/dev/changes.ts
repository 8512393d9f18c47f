/** What has changed since the newest source was served, and whether the changes ever end. */

export interface Changes {
  /** Those that are not served yet. */
  readonly files: readonly string[];
  /** True where the newest change is served, or told as a mistake. */
  readonly isSettled: boolean;
  /** True where changes follow each other so fast, and for so long, that to wait for the last one is to serve nothing. */
  readonly isRestless: boolean;
  /** Something is changing. */
  notice(): void;
  /** These have changed. @returns files that have changed again and again; each is returned once. */
  add(files: readonly string[]): string[];
  settle(): void;
  /** In milliseconds, since the first change that was not served yet. */
  age(): number;
  /** What was added so far is served. */
  clear(): void;
}

/** So long requests wait for changes to end, if there are so many of them. */
const PATIENCE_MS = 1_000;
const MANY = 5;
/** A file that changes so many times, without a pause of a second, is not changed by a person. */
const TOO_MANY = 20;
const PAUSE_MS = 1_000;

export function createChanges(): Changes {
  const files = new Set<string>();
  /** How many times each has changed since the last pause. */
  const times = new Map<string, number>();
  const told = new Set<string>();
  let isSettled = true;
  /** Since it was settled the last time. */
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
    get isSettled() {
      return isSettled;
    },
    get isRestless() {
      return isRestless();
    },
    notice() {
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
      const restless = added.filter((file) => (times.get(file) ?? 0) >= least && !told.has(file));
      for (const file of restless) told.add(file);
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
