/**
 * A project's tests preload this (`node --import ./vendor/framework/test.js`). The project's modules then load as in `framework start`.
 * `app.listen()` takes a free port of the loopback address, and does not keep the process alive when the tests are done.
 */

import { setLaunch } from "#runtime/launch";
import { consoleLog } from "#runtime/log/log";
import { REJECTED } from "#runtime/node/process";
import { listenForTests, useTransport } from "#runtime/node/server";
import { registerModules } from "./load/modules.ts";

await registerModules();

process.env.NODE_ENV ??= "test";

setLaunch({
  strict: true,
  // With `access_log`, a line for each request would hide what a test prints.
  log: { ...consoleLog, info: (event) => event.status === undefined && consoleLog.info(event) },
  loadProject: async (_isWhole, stack) =>
    (await import("./contract/hold/under-test.ts")).loadHeldProject(stack),
});

// Node would end the process before the other tests. A server that listens logs the rejection itself. Either way the run fails.
let hasRejected = false;
process.on("unhandledRejection", (error) => {
  hasRejected = true;
  if (process.listenerCount("unhandledRejection") === 1) consoleLog.error({ message: REJECTED, error });
});
process.on("exit", () => {
  if (hasRejected) process.exitCode ||= 1;
});

useTransport((server) => listenForTests(server, { host: "127.0.0.1", port: 0 }));
