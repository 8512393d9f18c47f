import { setLaunch } from "./app.js";
import { createProductionLog, Problem, parsePort, consoleLog } from "./log.js";
import { adviseOnListenError, closeServers } from "./node.js";

/** What a built server does around its app, on each platform: its address, its exports, and a message if it can't start. */

let created;
let listens = false;

/** Runs before the project's first module. From here to {@link finishStart}, an error ends the process with a message. */
function beginStart(loadProject) {
  setLaunch({ adopt, loadProject });
  if (!canListen()) return;
  setLaunch({ log: createProductionLog() });
  process.on("uncaughtException", endWithMessage);
  process.env.NODE_ENV ??= "production";
  readAddress(process.argv.slice(2));
}

/**
 * A build runs nothing of the project, so only the server finds that its modules export other functions than were read.
 *
 * @param checks each with a message, and what to do.
 * @throws {Problem}
 */
function requireExports(checks) {
  const wrong = checks.find(([isRight]) => !isRight);
  if (wrong) throw new Problem(wrong[1], wrong[2]);
}

/** @throws {Problem} when the main file has not created an app. */
function finishStart() {
  if (created === undefined)
    throw new Problem("app.ts did not create an app.", "It has to call `await createApp()`.");
  if (canListen()) process.off("uncaughtException", endWithMessage);
  const { fetch } = created;
  return { fetch, served: listens ? undefined : { fetch } };
}

/** A platform without sockets serves the exports, so the main file's `app.listen()` has nothing to do there. */
function adopt(app) {
  created ??= app;
  return {
    ...app,
    async listen(options) {
      if (!canListen()) return NOT_LISTENING;
      listens = true;
      return app.listen(options);
    },
  };
}

/** Such a platform does not report when it stops. */
const NOT_LISTENING = {
  url: "",
  host: "",
  port: 0,
  close: async () => {},
  closed: new Promise(() => {}),
};

/** Cloudflare's engine has a `process`, too, when it is set to be compatible with Node. It still calls the exports. */
function canListen() {
  const { navigator, process } = globalThis;
  return process?.getBuiltinModule !== undefined && navigator?.userAgent !== "Cloudflare-Workers";
}

/** `--port` and `--host` override the environment by replacing its values, as with `framework start`. Other words are the project's. */
function readAddress(words) {
  for (const [at, word] of words.entries()) {
    const [, name, value = words[at + 1] ?? ""] = /^--(port|host)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "port") process.env.PORT = String(parsePort(value, "--port"));
    else if (name === "host") process.env.HOST = value;
  }
}

/** Shows the error, and ends the process even if the project has opened something that keeps it alive. */
async function endWithMessage(error) {
  const advice = error instanceof Problem ? error : adviseOnListenError(error);
  const hint = advice?.hint === undefined ? "" : `\n  hint: ${advice.hint}`;
  consoleLog.error(
    advice ? { message: advice.message + hint } : { message: "The server could not start.", error },
  );
  process.exitCode = 1;
  await closeServers();
  process.exit();
}

export { beginStart, finishStart, requireExports };
