/** The entry of a built script: runs before the first module of the project. */

import { reportFailure } from "./failure.ts";

/** Ends the script with a message for an uncaught error, as `framework run` does from source. */
export function beginScript(): void {
  process.env.NODE_ENV ??= "production";
  process.on("uncaughtException", (error) => {
    reportFailure(error);
    // Exit only when stderr is flushed: output that waits for a pipe's reader would be lost.
    process.stderr.write("", () => process.exit());
  });
}
