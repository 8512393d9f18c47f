import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** What a project may leave open: nothing of it is a request. */
const PROGRAM = `
  import { createCoreApp } from "./runtime/core/app.ts";
  import { DEFAULT_SETTINGS } from "./runtime/core/settings.ts";
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, shutdownTimeout: 1 };
  // Of two timers the earlier one runs first, however slow the machine is.
  process.once("SIGTERM", () => setTimeout(() => process.exit(1), settings.shutdownTimeout * 1000));
  await createCoreApp([], { settings }).listen();
  setInterval(() => {}, 1000);
`;

test("SIGTERM ends a process within the shutdown time-out with 0, though something else keeps it alive", async () => {
  const program = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await createInterface(program.stdout)[Symbol.asyncIterator]().next();
  program.kill("SIGTERM");
  assert.equal(await once(program, "exit"), [0, null]);
});

test.run();
