/** `framework build`: one file to ship. */

import type { BuiltFile } from "#toolchain/build/build";
import { ProjectError } from "#toolchain/load/project-error";
import { type Command, flag, value } from "./command.ts";
import { count } from "./count.ts";
import { requireProjectRoot } from "./project-root.ts";

export const build: Command = {
  usage: "framework build [options]",
  summary: "Make dist/server.js: the whole API in one file, with nothing to install.",
  details:
    "Needs the project's devDependencies (npm install). Run the result with `node dist/server.js`.\n" +
    "It accepts PORT and HOST, and --port and --host. It does not read .env; Node's own --env-file does.\n" +
    "The same file runs on Bun, Deno and Cloudflare: its default export has `fetch`.\n" +
    "A project with a database gets dist/migrate.js, too: `node dist/migrate.js` applies its migrations.\n" +
    "If packages are left out, dist/package.json lists them: `npm install` beside the file installs them.",
  options: {
    external: value(
      "<packages>",
      "Packages to leave out, besides `external` below `[build]`. Separate them by commas.",
      { isList: true },
    ),
    minify: flag("Make the file smaller. Stack traces become harder to read."),
  },
  examples: [
    "framework build && node dist/server.js",
    "framework build --external better-sqlite3 --external sharp",
  ],
  async run({ cwd, flags, values, terminal }) {
    const started = performance.now();
    const root = requireProjectRoot({ cwd });
    const { buildProject } = await import("#toolchain/build/build");
    const { server, migrate, routes, external, copied, warnings } = await buildProject(root, {
      minify: flags.minify === true,
      external: splitList(values.external ?? ""),
    });
    const milliseconds = Math.round(performance.now() - started);
    if (warnings.length > 0) terminal.printError(new ProjectError(root, warnings).format(terminal.color));
    terminal.print(`${server.file}: ${count(routes, "route")}, ${formatSize(server)}, in ${milliseconds} ms`);
    if (migrate) terminal.print(`${migrate.file}: ${formatSize(migrate)}, applies the migrations`);
    if (copied > 0) terminal.print(`dist: ${count(copied, "file")} copied`);
    if (external.length > 0)
      terminal.print(`dist/package.json: ${external.join(", ")}, to be installed beside the file`);
    return 0;
  },
};

function splitList(text: string): string[] {
  return text.split(",").flatMap((one) => one.trim() || []);
}

function formatSize({ size }: BuiltFile): string {
  return `${(size / 1024).toFixed(1)} kB`;
}
