/** For tests of how long something takes: a machine that stalls, or works for others, does not add to the time of the processor. */

/** @returns the milliseconds that the processor has worked for this process meanwhile. */
export function processorTime(work: () => Promise<void>): Promise<number>;
export function processorTime(work: () => void): number;
export function processorTime(work: () => void | Promise<void>): number | Promise<number> {
  const before = process.cpuUsage();
  const toTime = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const done = work();
  return done === undefined ? toTime() : done.then(toTime);
}
