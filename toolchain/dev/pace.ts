/** How fast files change: changes that never end must not keep requests waiting for ever. */

/** Changes are a storm if there are so many of them, and requests would have to wait for longer than this. */
const MANY = 5;
const PATIENCE_MS = 1_000;

export class Pace {
  /** Bursts of changes since the newest source was served or reported. */
  #count = 0;
  #since: number | undefined;

  /** True if waiting for the last change would mean to serve nothing. */
  get isStorm(): boolean {
    return this.#count >= MANY && this.age > PATIENCE_MS;
  }

  /** Milliseconds since the first change that is not served. */
  get age(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since;
  }

  /** Something has changed, and more may follow. */
  notice(): void {
    this.#since ??= performance.now();
  }

  /** A burst of changes has ended. */
  add(): void {
    this.#count += 1;
  }

  /** The newest source is served, or reported as a mistake. */
  settle(): void {
    this.#count = 0;
    this.#since = undefined;
  }
}
