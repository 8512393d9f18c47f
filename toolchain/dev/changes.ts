/** What has changed since the newest source was served, and whether the changes ever end. */

/** Changes are restless if there are so many of them and requests would have to wait for longer than this. */
const MANY = 5;
const PATIENCE_MS = 1_000;
/** No person changes a file so many times without a pause of a second. */
const TOO_MANY = 20;
const PAUSE_MS = 1_000;

export class Changes {
  /** Grows with every notice, so that work for an earlier change can be dropped. */
  newest = 0;
  /** True if the newest change is served, or reported as a mistake. */
  isSettled = true;
  readonly #files = new Set<string>();
  /** How many times each file has changed since the last pause. */
  readonly #times = new Map<string, number>();
  readonly #reported = new Set<string>();
  /** Of changes since they were settled last. */
  #count = 0;
  /** When something changed or was served last: on a busy machine, serving takes longer than a pause. */
  #activeAt: number = performance.now();
  #unsettledAt: number = this.#activeAt;
  #noticedAt: number | undefined;

  /** The changed files that are not served yet. */
  get files(): readonly string[] {
    return [...this.#files];
  }

  /** True if changes have come so fast, and for so long, that waiting for the last one would mean to serve nothing. */
  get isRestless(): boolean {
    return !this.isSettled && this.#count >= MANY && performance.now() - this.#unsettledAt > PATIENCE_MS;
  }

  /** Something is changing. */
  notice(): void {
    this.newest += 1;
    const now = performance.now();
    if (this.isSettled) {
      this.#unsettledAt = now;
      this.#noticedAt = now;
    }
    this.#noticedAt ??= now;
    this.isSettled = false;
  }

  /** These files have changed. @returns those that keep changing; each is returned only once. */
  add(files: readonly string[]): string[] {
    if (performance.now() - this.#activeAt > PAUSE_MS && !this.isRestless) this.#times.clear();
    this.#activeAt = performance.now();
    this.#count += 1;
    for (const file of files) {
      this.#files.add(file);
      this.#times.set(file, (this.#times.get(file) ?? 0) + 1);
    }
    const least = this.isRestless ? MANY : TOO_MANY;
    const restless = files.filter(
      (file) => (this.#times.get(file) ?? 0) >= least && !this.#reported.has(file),
    );
    for (const file of restless) this.#reported.add(file);
    return restless;
  }

  settle(): void {
    this.isSettled = true;
    this.#count = 0;
  }

  /** Milliseconds since the first change that is not served yet. */
  age(): number {
    return performance.now() - (this.#noticedAt ?? this.#activeAt);
  }

  /** All files that were added are served. */
  clear(): void {
    this.#activeAt = performance.now();
    this.#files.clear();
    this.#noticedAt = undefined;
  }
}
