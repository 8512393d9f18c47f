/** What `framework dev` prints about the project that it serves. */

import { basename } from "node:path";
import { escapeControl } from "../convention/diagnostics.ts";
import { formatUrl } from "../core/node.ts";
import { kleur } from "../deps/kleur.ts";
import type { DevEvents } from "../toolchain/dev/events.ts";
import type { Served } from "../toolchain/dev/messages.ts";
import type { Terminal } from "./command.ts";

/** @returns what prints each event. An address that can't be listened on is left to the command. */
export function createDevMessages(root: string, terminal: Terminal): Omit<DevEvents, "onAddressRefused"> {
  kleur.enabled = terminal.color;
  return {
    onServed(served, changed, milliseconds) {
      const time = `in ${Math.round(milliseconds)} ms`;
      const files = formatFiles(changed);
      terminal.print(
        files === ""
          ? formatBanner(root, served, time)
          : `  ${kleur.dim(files)}: ${formatState(served)}, ${time}`,
      );
      if (served.findings) terminal.printError(`\n${served.findings}\n`);
    },
    onFailed(what) {
      terminal.printError(
        `\n${kleur.red().bold("error")} ${what.split("\n").map(escapeControl).join("\n  ")}\n`,
      );
    },
  };
}

function formatBanner(root: string, served: Served, time: string): string {
  const name = kleur.bold(escapeControl(basename(root)));
  const url = kleur.cyan(formatUrl(served.address));
  return `\n  ${name}  ${url}\n\n  ${formatState(served)}, ${time}. Ctrl-C ends it.\n`;
}

function formatFiles(changed: readonly string[]): string {
  const [first = "", ...others] = changed.map(escapeControl);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function formatState({ apps, failed, routes }: Served): string {
  if (failed) return kleur.red("not served: there are errors");
  return `${routes} ${routes === 1 ? "route" : "routes"}, ${apps} ${apps === 1 ? "app" : "apps"}`;
}
