/**
 * The process that `load.test.ts` serves its projects from: the built framework on plain Node, as in a user's project.
 * It is told the folder of one project after the other, and answers with what `routes list --json` prints and where the
 * project is served, or with why it can't be.
 */

import { createApp } from "../../dist/framework/index.js";
import { routesList } from "../../dist/framework/tools/commands.js";
import { ProjectError } from "../../dist/framework/tools/shared.js";

let server;

process.on("message", async (folder) => {
  await server?.close();
  process.send(await serve(folder).catch(refuse));
});
process.on("disconnect", () => process.exit());

async function serve(folder) {
  process.chdir(folder);
  const { listed, status } = await list(folder);
  const app = await createApp();
  server = await app.listen();
  return { kind: "served", url: server.url, listed, status };
}

async function list(cwd) {
  const printed = [];
  const print = (text) => void printed.push(text);
  const terminal = { columns: 80, color: false, interactive: false, print, printError: () => {} };
  const status = await routesList.run({ cwd, words: [], flags: { json: true }, values: {}, terminal });
  return { listed: printed.join("\n"), status };
}

function refuse(error) {
  if (error instanceof ProjectError) return { kind: "refused", diagnostics: error.diagnostics };
  return { kind: "failed", message: String(error?.stack ?? error) };
}
