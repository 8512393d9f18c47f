/** The queue of a file's single writer, in the order of the requests. */

/** Milliseconds for which writers of this process follow each other without a gap. */
const MAX_RUN = 200;

/** Milliseconds of a gap: longer than a process that waits for the file sleeps between two attempts. */
const GAP = 10;

export class WriteQueue {
  #isTaken = false;
  readonly #waiting = new Set<() => void>();
  /** The end of the first writer of the current run, which may have waited for another process itself. */
  #runBegan: number | undefined;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** @returns true if acquired before the timeout. */
  acquire(milliseconds: number): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#runBegan = undefined;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(false);
      }, milliseconds);
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(begin);
    });
  }

  /** Inserts gaps between writers, because other processes would never get the file otherwise. */
  release(): void {
    this.#runBegan ??= performance.now();
    if (this.#waiting.size > 0 && performance.now() - this.#runBegan > MAX_RUN) {
      this.#runBegan = undefined;
      setTimeout(() => this.#next(), GAP);
    } else this.#next();
  }

  #next(): void {
    const [begin] = this.#waiting;
    if (begin) this.#waiting.delete(begin);
    else this.#isTaken = false;
    begin?.();
  }
}
