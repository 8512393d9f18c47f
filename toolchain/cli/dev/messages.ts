/** What `framework dev` prints about the project that it serves. */

import { basename } from "node:path";
import { kleur } from "#convention/deps/kleur";
import { formatCounts, formatProblem } from "#convention/diagnostics/format";
import type { Project } from "#convention/project";
import { escapeControl } from "#runtime/escape";
import type { Address } from "#runtime/node/listen";
import { formatUrl } from "#runtime/node/server";
import type { DevEvents } from "#toolchain/dev/messages";
import { formatFiles } from "#toolchain/dev/supervisor";
import type { Terminal } from "../command.ts";
import { count } from "../count.ts";
import { formatColumns, formatLabels, labelsOf } from "../route-formats.ts";

export const KEYS_LINE = "r reload   l list routes   q quit   h help";

/** @returns handlers that print what happened. The session handles a refused address. */
export function createDevMessages(root: string, terminal: Terminal): Omit<DevEvents, "onAddressRefused"> {
  kleur.enabled = terminal.color;
  let isFirst = true;
  /** Once with the address, and from then on in a line. */
  const print = (state: string, address: Address, line?: string): void => {
    if (isFirst) terminal.print(formatBanner(root, address, state, terminal));
    else if (line !== undefined) terminal.print(`  ${kleur.dim(line)}: ${state}`);
    isFirst = false;
  };
  return {
    onServed({ address, changed, milliseconds, project }, warnings) {
      const state = `${formatState(project)}, in ${Math.round(milliseconds)} ms`;
      print(state, address, changed.length === 0 ? "reloaded" : formatFiles(changed));
      if (warnings !== undefined) terminal.printError(`\n${warnings}\n`);
    },
    onFailed(report, address) {
      print(kleur.red("not served: there are errors"), address);
      terminal.printError(`\n${report}\n`);
    },
    onWarning: (message, hint) => terminal.printError(`\n${formatProblem(message, hint, terminal.color)}\n`),
  };
}

const DOCS = "docs";

function formatBanner(root: string, address: Address, state: string, { interactive }: Terminal): string {
  const name = escapeControl(basename(root));
  const width = Math.max(name.length, DOCS.length);
  const end = interactive ? `\n\n  ${kleur.dim(KEYS_LINE)}` : " Press Ctrl-C to stop.";
  return [
    `\n  ${kleur.bold(name.padEnd(width))}  ${kleur.cyan(formatUrl(address))}`,
    `\n  ${DOCS.padEnd(width)}  ${kleur.cyan(`${formatUrl(address)}/docs`)}`,
    `\n\n  ${state}.${end}\n`,
  ].join("");
}

/** Lists the routes, and under them the apps' labels. */
export function formatRoutes({ routes, apps }: Project, { color, columns }: Terminal): string {
  const labels = formatLabels(routes, labelsOf(apps), columns);
  const blocks = [formatColumns(routes, columns, color), labels.join("\n")];
  return `\n${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** @example formatState(project) // "10 routes, 2 apps, 1 warning" */
function formatState({ apps, diagnostics, routes }: Project): string {
  const counts = [count(routes.length, "route"), count(apps.length, "app"), formatCounts(diagnostics)];
  return counts.filter((part) => part !== "").join(", ");
}
