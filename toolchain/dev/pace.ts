/** How fast files change: changes that never end must not keep requests waiting for ever. */

/** Changes are a storm if there are so many of them, and requests would have to wait for longer than this. */
const MANY = 5;
const PATIENCE_MS = 1_000;
/** No person changes a file so many times without a pause of a second. */
const TOO_MANY = 20;
const PAUSE_MS = 1_000;

export class Pace {
  /** How many times each file has changed since the last pause. */
  readonly #times = new Map<string, number>();
  readonly #named = new Set<string>();
  /** Changes since the newest source was served or reported. */
  #count = 0;
  #since: number | undefined;
  #activeAt: number = performance.now();

  /** True if waiting for the last change would mean to serve nothing. */
  get isStorm(): boolean {
    return this.#count >= MANY && this.age > PATIENCE_MS;
  }

  /** Milliseconds since the first change that is not served. */
  get age(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since;
  }

  notice(): void {
    this.#since ??= performance.now();
  }

  /** These files have changed. @returns those that keep changing; each is returned only once. */
  add(files: readonly string[]): string[] {
    if (performance.now() - this.#activeAt > PAUSE_MS && !this.isStorm) this.#times.clear();
    this.#activeAt = performance.now();
    this.#count += 1;
    for (const file of files) this.#times.set(file, (this.#times.get(file) ?? 0) + 1);
    const restless = files.filter(
      (file) => Number(this.#times.get(file)) >= TOO_MANY && !this.#named.has(file),
    );
    for (const file of restless) this.#named.add(file);
    return restless;
  }

  /** The newest source is served, or reported as a mistake. */
  settle(): void {
    // On a busy machine, this takes longer than a pause.
    this.#activeAt = performance.now();
    this.#count = 0;
    this.#since = undefined;
  }
}
