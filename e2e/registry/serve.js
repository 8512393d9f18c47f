/**
 * A registry in memory's reach only: on a free port of the loopback address, its storage in the folder that is given,
 * anyone may publish, and no other registry is asked for what is missing here.
 */

import { runServer } from "verdaccio";

const [storage] = process.argv.slice(2);
if (storage === undefined) throw new Error("Give the folder to keep packages in.");

const registry = await runServer({
  storage,
  // Where it would look for plugins and further settings.
  self_path: storage,
  uplinks: {},
  packages: { "**": { access: "$all", publish: "$all" } },
  web: { enable: false },
  log: { type: "stdout", format: "json", level: "error" },
});

registry.listen(0, "127.0.0.1", () => {
  process.stdout.write(`registry http://127.0.0.1:${registry.address().port}/\n`);
});
