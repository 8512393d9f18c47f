/** `framework build`: one file to ship. */

import { buildProject } from "../toolchain/build.ts";
import type { Command } from "./command.ts";
import { requireProjectRoot } from "./options.ts";

export const build: Command = {
  usage: "framework build [options]",
  summary: "Make dist/server.js: the whole API in one file, with nothing to install.",
  details: "Needs the project's devDependencies (npm install). Run the result with: node dist/server.js",
  options: {},
  examples: ["framework build && node dist/server.js"],
  async run(input) {
    const started = performance.now();
    const { file, routes, size } = await buildProject(requireProjectRoot(input));
    const milliseconds = Math.round(performance.now() - started);
    input.terminal.print(`${file}: ${routes} routes, ${(size / 1024).toFixed(1)} kB, in ${milliseconds} ms`);
    return 0;
  },
};
