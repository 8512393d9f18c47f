/** Has one holder at a time, in the order in which they asked. */

export class Lock {
  #isHeld = false;
  /** What gives the lock to each that waits. */
  readonly #waiting = new Set<() => void>();

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** @returns whether it was had before the time was over. */
  acquire(milliseconds: number): Promise<boolean> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        resolve(false);
      }, milliseconds);
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(take);
    });
  }

  /** Gives it to the next one at once, so that nobody comes in between. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isHeld = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
