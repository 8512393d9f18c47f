/** Whose turn it is to write: one at a time, in the order in which they asked. */

/** Milliseconds that those of this process follow on each other at once. */
const LONGEST_ROW = 200;

/** Then it is free for so long: longer than a process that waits for the file sleeps between two attempts. */
const GAP = 10;

export class Turns {
  #isTaken = false;
  readonly #waiting = new Set<() => void>();
  /** When the first of those who followed each other was done: until then it may have waited for another process. */
  #rowBegan: number | undefined;

  get areTaken(): boolean {
    return this.#isTaken;
  }

  /** @returns false if it was not free in time. */
  take(milliseconds: number): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#rowBegan = undefined;
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

  /** Other processes would never get the file if there were no gap between those of this one. */
  end(): void {
    this.#rowBegan ??= performance.now();
    if (this.#waiting.size > 0 && performance.now() - this.#rowBegan > LONGEST_ROW) {
      this.#rowBegan = undefined;
      setTimeout(() => this.#pass(), GAP);
    } else this.#pass();
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next) this.#waiting.delete(next);
    else this.#isTaken = false;
    next?.();
  }
}
