/** Ends the process of a command that has failed. */

import type { Terminal } from "./command.ts";
import { report } from "./report.ts";

let isEnding = false;

/** Reports the error, and finishes the requests in flight. A second error meanwhile changes nothing. */
export async function endFailed(error: unknown, terminal: Terminal): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const { closeServers } = await import("#runtime/node/process");
  process.exitCode = await report(error, terminal);
  await closeServers();
  await Promise.all([process.stdout, process.stderr].map(untilWritten));
  // What the project opened before it failed, a timer or a connection to a database, would keep the process alive.
  process.exit();
}

/** What waits for a pipe's reader would be lost at the end of the process. */
function untilWritten(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
