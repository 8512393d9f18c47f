/** `framework dev`: serves the project while it is being written. */

import { basename } from "node:path";
import { escapeControl } from "../convention/diagnostics.ts";
import { formatUrl } from "../core/node.ts";
import { kleur } from "../deps/kleur.ts";
import type { Served } from "../toolchain/dev/messages.ts";
import { superviseProject } from "../toolchain/dev/supervisor.ts";
import type { Command } from "./command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, requireProjectRoot } from "./options.ts";
import { report } from "./report.ts";

export const dev: Command = {
  usage: "framework dev [options]",
  summary: "Serve the project, and reload it when a file changes.",
  details:
    "A mistake does not end it: the terminal and every answer show the mistake until it is mended.\n" +
    "The address is framework.toml's [server] host and port, outranked by HOST and PORT, outranked by the options.",
  options: ADDRESS_OPTIONS,
  examples: ["framework dev", "framework dev --port 9000"],
  run(input) {
    const root = requireProjectRoot(input);
    applyAddressOptions(input);
    const { terminal } = input;
    kleur.enabled = terminal.color;
    return new Promise((resolve) => {
      const supervisor = superviseProject(root, terminal.color, {
        onServed(served, changed, milliseconds) {
          const isStart = changed.length === 0;
          terminal.print(
            isStart ? formatBanner(root, served, milliseconds) : formatReload(served, changed, milliseconds),
          );
          if (served.findings) terminal.printError(`\n${served.findings}\n`);
        },
        onLost(status, signal) {
          const end = signal ?? `exit status ${status}`;
          terminal.printError(
            `${kleur.red("ended")} The project ended its own process (${end}). It is started again.`,
          );
        },
        onAddressRefused: async (error) => close(await report(error, terminal)),
      });
      function close(status: number): void {
        supervisor.close();
        resolve(status);
      }
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => close(0));
    });
  },
};

function formatBanner(root: string, served: Served, milliseconds: number): string {
  const name = escapeControl(basename(root));
  const url = kleur.cyan(formatUrl(served.address));
  return `\n  ${kleur.bold(name)}  ${url}\n\n  ${formatState(served)}, in ${Math.round(milliseconds)} ms. Ctrl-C ends it.\n`;
}

function formatReload(served: Served, changed: readonly string[], milliseconds: number): string {
  const [first = "", ...others] = changed.map(escapeControl);
  const files = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `  ${kleur.dim(files)}: ${formatState(served)}, in ${Math.round(milliseconds)} ms`;
}

function formatState({ apps, failed, routes }: Served): string {
  if (failed) return kleur.red("not served: there are errors");
  return `${routes} ${routes === 1 ? "route" : "routes"}, ${apps} ${apps === 1 ? "app" : "apps"}`;
}
