/** What the signals mean to the primary of `framework start --workers`. */

import { isatty } from "node:tty";
import { closeSockets } from "./sockets.ts";
import type { Workers } from "./workers.ts";

const STDIN = 0;

/** SIGTERM and SIGINT drain, a second one ends all at once; SIGHUP restarts the workers one by one. */
export function obeySignals(workers: Workers): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) void endAt(signal, workers);
    else {
      closeSockets();
      workers.stop();
    }
    isStopping = true;
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  const hadTerminal = isatty(STDIN);
  process.on("SIGHUP", (signal) => {
    // A terminal that was closed sends it, too, and then is none any more.
    if (hadTerminal && !isatty(STDIN)) stop(signal);
    else if (!isStopping) workers.restart();
  });
}

/** By the default action of the signal, so that whoever waits for the process sees what ended it: but not before the workers are gone. */
async function endAt(signal: NodeJS.Signals, workers: Workers): Promise<void> {
  workers.kill();
  await workers.ended;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
