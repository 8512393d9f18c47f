/** Has one holder at a time, in the order in which they asked. */

/** Milliseconds that the holders of this process follow on each other at once. */
const TURN = 200;

/** Then it is free for so long: longer than a process that waits for the file sleeps between two attempts. */
const GAP = 10;

export class Lock {
  #isHeld = false;
  /** What gives the lock to each that waits. */
  readonly #waiting = new Set<() => void>();
  readonly #isShared: boolean;
  /** When the first of them was done: until then it may have waited for another process. */
  #turnBegan: number | undefined;

  /** @param isShared whether other processes want the same: without a gap between holders they would never get it. */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** @returns whether it was had before the time was over. */
  acquire(milliseconds: number): Promise<boolean> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      this.#turnBegan = undefined;
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

  /** Gives it to the next one of this process, so that nobody of this process comes in between. */
  release(): void {
    this.#turnBegan ??= performance.now();
    const isOver = this.#isShared && this.#waiting.size > 0 && performance.now() - this.#turnBegan > TURN;
    if (isOver) {
      this.#turnBegan = undefined;
      setTimeout(() => this.#pass(), GAP);
    } else this.#pass();
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isHeld = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
