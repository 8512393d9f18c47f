/**
 * Writes lines to stdout in batches, and never more than fits, so that no request and no stop waits for the reader. Each write is
 * synchronous but does not block, so the writer knows at each moment what is written.
 */

/** The limit for waiting lines. If the reader is too slow, lines are lost, but the server does not run out of memory. */
const MOST_UNITS = 4 * 1024 * 1024;
/** How long lines wait for others, and how long a stream that is full waits for its reader. */
const BATCH_MS = 10;
/** A reader that takes nothing in so many batches hangs. */
const TRIES = 100;
const RETRY_AT_END_MS = 1;
/** PIPE_BUF of Linux: a pipe takes a write up to this size whole or not at all, and never mixes it with other writes. */
const UNMIXED_BYTES = 4096;
/** How long the end of the process waits for a reader. */
const END_MS = 1000;
/** The same for a reader that hangs: less than a stopping server leaves for it (`stop.ts`). */
const HUNG_END_MS = 200;
export const STDOUT = 1;
const LINE_END = 0x0a;

/**
 * @param formatLost makes the line that reports how many lines were lost.
 * @returns writes a line, which is given with its line end.
 */
export function createLineWriter(formatLost: (count: number) => string): (line: string) => void {
  const fs = process.getBuiltinModule("node:fs");
  // Read before any child process starts: the first read makes stdout non-blocking, also for a child process that shares it.
  const { stdout } = process;
  const fd = openStdout();
  let waiting = "";
  let lost = 0;
  let batch: Uint8Array = Buffer.of();
  let failures = 0;
  let isScheduled = false;
  process.on("exit", writeAtEnd);
  return write;

  function write(line: string): void {
    if (waiting.length > MOST_UNITS) {
      lost += 1;
      return;
    }
    waiting += line;
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(writeBatches, BATCH_MS);
  }

  function writeBatches(): void {
    // Node may have written only a part of a `console.log`: the rest of it comes first.
    isScheduled = stdout.writableLength > 0 || !writeAll();
    if (!isScheduled) return;
    failures += 1;
    const retry = setTimeout(writeBatches, BATCH_MS);
    // A process whose reader hangs ends when it has nothing else to do.
    if (failures > TRIES) retry.unref();
  }

  /** @returns false if stdout is full. */
  function writeAll(): boolean {
    try {
      while (batch.length > 0 || waiting !== "") {
        if (batch.length === 0) batch = takeBatch();
        if (fd === STDOUT) keepFromBlocking();
        batch = batch.subarray(fs.writeSync(fd, batch, 0, lengthOfLines(batch)));
        failures = 0;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
      // Nobody reads any more, or the disk is full: that must not end the server.
      batch = Buffer.of();
      waiting = "";
    }
    return true;
  }

  function takeBatch(): Uint8Array {
    const taken = Buffer.from(lost > 0 ? waiting + formatLost(lost) : waiting);
    waiting = "";
    lost = 0;
    return taken;
  }

  function writeAtEnd(): void {
    const end = performance.now() + (failures > TRIES ? HUNG_END_MS : END_MS);
    while (!writeAll() && performance.now() < end) pause(RETRY_AT_END_MS);
  }
}

/**
 * Opens a pipe at stdout once more, for the log alone. A child process that gets the stdout of this process needs blocking writes, and
 * Node changes that for all processes that share it.
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

/** The undocumented handle of stdout, if it is a pipe or a socket. */
interface Inner {
  readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } | null;
}

/**
 * For a stdout that can't be opened again: a socket, another user's pipe, a pipe on a system other than Linux. A child process that shares it
 * makes it blocking when it starts and when it ends, so this runs before each write. Such a child may get EAGAIN when stdout is full.
 */
function keepFromBlocking(): void {
  const { _handle: handle }: NodeJS.WriteStream & Inner = process.stdout;
  if (process.platform !== "win32") handle?.setBlocking?.(false);
}

/** The length of as many whole lines as a pipe takes unmixed; of one line if that is longer. */
function lengthOfLines(batch: Uint8Array): number {
  if (batch.length <= UNMIXED_BYTES) return batch.length;
  return batch.lastIndexOf(LINE_END, UNMIXED_BYTES - 1) + 1 || batch.indexOf(LINE_END) + 1 || batch.length;
}

/** Blocks the whole thread. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
