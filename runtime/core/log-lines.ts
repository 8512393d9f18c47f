/** Writes lines to a stream of the process without keeping a request waiting: in batches, one at a time, and never more than fits. */

import { isWorker } from "./worker.ts";

/** What waits, in characters. A reader that does not keep up loses lines, and not the server its memory. */
const MOST_WAITING = 4 * 1024 * 1024;
const BATCH_MS = 10;
/** A stream that takes nothing is tried again after so many milliseconds, at the end of the process so often at most. */
const RETRY_MS = 10;
const TRIES_AT_END = 100;
/** PIPE_BUF of Linux: what is not longer is never mixed with what another process writes. */
const UNMIXED_BYTES = 4096;
const LINE_END = 0x0a;
const NOTHING = new Uint8Array(0);

export interface LineWriter {
  /** @param line with its end. */
  write(line: string): void;
}

/**
 * @param fd 1 or 2.
 * @param formatLost makes the line that tells how many were lost.
 */
export function createLineWriter(fd: number, formatLost: (count: number) => string): LineWriter {
  const fs = process.getBuiltinModule("node:fs");
  const hasNeighbours = isWorker();
  let lines: string[] = [];
  let waiting = 0;
  let lost = 0;
  let batch: Uint8Array = NOTHING;
  /** Of the batch, what the system is writing. */
  let handed = 0;
  let isScheduled = false;
  process.on("exit", writeRest);
  return { write };

  function write(line: string): void {
    if (waiting > MOST_WAITING) {
      lost += 1;
      return;
    }
    lines.push(line);
    waiting += line.length;
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(writeNext, BATCH_MS);
  }

  function writeNext(): void {
    if (batch.length === 0) batch = takeBatch();
    isScheduled = batch.length > 0;
    if (!isScheduled) return;
    handed = hasNeighbours ? unmixedLength(batch) : batch.length;
    fs.write(fd, batch, 0, handed, null, (error, written) => {
      handed = 0;
      if (error === null) batch = batch.subarray(written);
      // Nobody reads any more, or the disk is full: what can't be written must not end the server.
      else if (error.code !== "EAGAIN") batch = NOTHING;
      if (error !== null) setTimeout(writeNext, RETRY_MS);
      else if (batch.length > 0) writeNext();
      // Not at once: each write wakes another thread, and under load a few lines more have always come.
      else setTimeout(writeNext, BATCH_MS);
    });
  }

  function takeBatch(): Uint8Array {
    if (lost > 0) lines.push(formatLost(lost));
    const taken = Buffer.from(lines.join(""));
    lines = [];
    waiting = 0;
    lost = 0;
    return taken;
  }

  /** What was handed over is written by Node before it ends. */
  function writeRest(): void {
    let rest: Uint8Array = Buffer.concat([batch.subarray(handed), takeBatch()]);
    for (let tries = 0; rest.length > 0 && tries < TRIES_AT_END; tries++) {
      try {
        rest = rest.subarray(fs.writeSync(fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

/** As many whole lines as are never mixed with another process's; a longer one by itself. */
function unmixedLength(batch: Uint8Array): number {
  if (batch.length <= UNMIXED_BYTES) return batch.length;
  return batch.lastIndexOf(LINE_END, UNMIXED_BYTES - 1) + 1 || batch.indexOf(LINE_END) + 1 || batch.length;
}
