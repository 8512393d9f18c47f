/** Starts a built script, before its first module runs. */

import { reportFailure } from "./failure.ts";

/** Ends the script with a message for an uncaught error, as `framework run` does from source. */
export function beginScript(): void {
  process.env.NODE_ENV ??= "production";
  process.on("uncaughtException", (error) => {
    reportFailure(error);
    // Flushes first: a pipe's reader may be slow.
    process.stderr.write("", () => process.exit());
  });
}
