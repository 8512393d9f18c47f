/** Writes lines to stdout without making a request wait: in batches, one at a time, and never more than fits. */

import { isWorker } from "../worker.ts";

/** The limit for waiting lines. If the reader is too slow, lines are lost, but the server does not run out of memory. */
const MOST_BYTES = 4 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
/** The most that one unit of UTF-16 takes in UTF-8. */
const BYTES_A_UNIT = 3;
const BATCH_MS = 10;
/** A stream that takes nothing is tried again after so many milliseconds. After so many tries its reader hangs. */
const RETRY_MS = 10;
const TRIES = 100;
const RETRY_AT_END_MS = 1;
/** PIPE_BUF of Linux: a write up to this size is never mixed with the writes of another process. */
const UNMIXED_BYTES = 4096;
/** The size of an empty pipe: writing that much takes no longer than copying it. */
const PIPE_BYTES = 64 * 1024;
/** How long the end of the process waits for a reader. */
const END_MS = 1000;
/** The same for a reader that hangs: less than a stopping server leaves for it (`stop.ts`). */
const HUNG_END_MS = 200;
/** How long the end waits for a write of another thread, which would be cut off otherwise. */
const HANDED_MS = 100;
export const STDOUT = 1;
const LINE_END = 0x0a;
const NOTHING = new Uint8Array(0);

/**
 * @param formatLost makes the line that reports how many lines were lost.
 * @returns writes a line, which is given with its line end.
 */
export function createLineWriter(formatLost: (count: number) => string): (line: string) => void {
  const fs = process.getBuiltinModule("node:fs");
  const fd = openStdout();
  const mostAtOnce = isWorker() ? UNMIXED_BYTES : PIPE_BYTES;
  /** Bytes, because waiting strings would cost more garbage collection than everything else that a line costs. */
  let waiting = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let used = 0;
  let lost = 0;
  let batch: Uint8Array = NOTHING;
  /** How many bytes of the batch the system is writing. */
  let handed = 0;
  let failures = 0;
  let isScheduled = false;
  process.on("exit", writeRest);
  return write;

  function write(line: string): void {
    if (used > MOST_BYTES) {
      lost += 1;
      return;
    }
    append(line);
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(writeNext, BATCH_MS);
  }

  function append(line: string): void {
    const most = used + line.length * BYTES_A_UNIT;
    if (most > waiting.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * waiting.length));
      waiting.copy(larger, 0, 0, used);
      waiting = larger;
    }
    used += waiting.write(line, used);
  }

  function writeNext(): void {
    if (batch.length === 0) batch = takeBatch();
    isScheduled = batch.length > 0;
    if (!isScheduled) return;
    handed = lengthOfLines(batch, mostAtOnce);
    fs.write(fd, batch, 0, handed, null, (error, written) => {
      handed = 0;
      failures = error === null ? 0 : failures + 1;
      if (error === null) batch = batch.subarray(written);
      // Nobody reads any more, or the disk is full: that must not end the server.
      else if (error.code !== "EAGAIN") batch = NOTHING;
      if (error !== null) {
        const retry = setTimeout(writeNext, RETRY_MS);
        // A process whose reader hangs ends when it has nothing else to do.
        if (failures > TRIES) retry.unref();
      } else if (batch.length > 0) writeNext();
      // Not at once: each write wakes another thread, and under load there are soon more lines.
      else setTimeout(writeNext, BATCH_MS);
    });
  }

  function takeBatch(): Uint8Array {
    if (lost > 0) append(formatLost(lost));
    const taken = waiting.subarray(0, used);
    waiting = Buffer.allocUnsafeSlow(FIRST_BYTES);
    used = 0;
    lost = 0;
    return taken;
  }

  function writeRest(): void {
    const end = performance.now() + (failures > TRIES ? HUNG_END_MS : END_MS);
    if (handed > 0) pause(HANDED_MS);
    let rest: Uint8Array = Buffer.concat([batch.subarray(handed), takeBatch()]);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(fs.writeSync(fd, rest, 0, lengthOfLines(rest, UNMIXED_BYTES)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > end) return;
        pause(RETRY_AT_END_MS);
      }
    }
  }
}

/**
 * Opens a pipe at stdout once more. Writes to it then never wait for the reader. With the one that the process was given, they would as
 * soon as a child process gets it, too: Node changes that for all who share it. While a write waits in a thread, a process does not end,
 * not even by `process.exit()`. Only Linux opens a pipe again; elsewhere the log shares it.
 */
function openStdout(): number {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const { O_NONBLOCK, O_WRONLY } = fs.constants;
    if (fs.fstatSync(STDOUT).isFIFO()) return fs.openSync(`/proc/self/fd/${STDOUT}`, O_WRONLY | O_NONBLOCK);
  } catch {
    // It belongs to another user, or there is no /proc.
  }
  return STDOUT;
}

/** The length of as many whole lines as fit into `most` bytes; of one line if that is longer. */
function lengthOfLines(batch: Uint8Array, most: number): number {
  if (batch.length <= most) return batch.length;
  return batch.lastIndexOf(LINE_END, most - 1) + 1 || batch.indexOf(LINE_END) + 1 || batch.length;
}

/** Blocks the whole thread. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
