/** What a built script does before its first module runs. */

import { reportFailure } from "./failure.ts";

/** As `framework run` does from source: what nobody catches ends the script with a message. */
export function beginScript(): void {
  process.env.NODE_ENV ??= "production";
  process.on("uncaughtException", (error) => {
    reportFailure(error);
    // What waits for a pipe's reader would be lost.
    process.stderr.write("", () => process.exit());
  });
}
