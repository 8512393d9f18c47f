/** What `framework dev` prints about the project that it serves. */

import { basename } from "node:path";
import { kleur } from "#convention/deps/kleur";
import { formatCounts, formatProblem } from "#convention/diagnostics/format";
import type { Project } from "#convention/project";
import { createTableRouter } from "#convention/rule/table-router";
import { escapeControl } from "#runtime/escape";
import type { Address } from "#runtime/node/listen";
import { formatUrl } from "#runtime/node/server";
import type { ClientOutcome } from "#toolchain/dev/client-keeper";
import type { DevEvents } from "#toolchain/dev/messages";
import { formatFiles } from "#toolchain/dev/report";
import type { Terminal } from "../command.ts";
import { count } from "../count.ts";
import { formatColumns, formatLabels, labelsOf } from "../route-formats.ts";

export const KEYS_LINE = "r reload   l list routes   q quit   h help";

export interface DevMessages extends Omit<DevEvents, "onAddressRefused"> {
  /** `framework client` has ended. */
  onClient(outcome: ClientOutcome): void;
}

/** @returns handlers that print what happened. The session handles a refused address. */
export function createDevMessages(root: string, terminal: Terminal): DevMessages {
  let isFirst = true;
  const warn = (message: string, hint?: string): void =>
    terminal.printError(`\n${formatProblem(message, hint, terminal.color)}\n`);
  return {
    onServed(served) {
      kleur.enabled = terminal.color;
      const { address, changed, report, milliseconds, project } = served;
      const state = `${formatState(project)}, in ${Math.round(milliseconds)} ms`;
      if (isFirst) terminal.print(formatBanner(root, address, formatDocs(project, address), state, terminal));
      else
        terminal.print(`  ${kleur.dim(changed.length === 0 ? "reloaded" : formatFiles(changed))}: ${state}`);
      isFirst = false;
      if (report) terminal.printError(`\n${report.terminal}\n`);
    },
    onFailed(report, address) {
      kleur.enabled = terminal.color;
      const state = kleur.red("not served: there are errors");
      if (isFirst) terminal.print(formatBanner(root, address, formatDocsUrl(address), state, terminal));
      isFirst = false;
      terminal.printError(`\n${report.terminal}\n`);
    },
    onWarning: (message) => warn(message),
    onSilent(isSilent) {
      if (isSilent) warn(SILENT, "Requests wait until it answers again. The next save replaces it.");
      else terminal.print("  The project's process answers again.");
    },
    onRestless: (files) =>
      warn(
        `${formatFiles(files)} keeps changing. Does the project write it?`,
        "Write it only when its text differs: each change loads the project again.",
      ),
    onClient(outcome) {
      if ("failed" in outcome) terminal.printError(`\n${outcome.failed}\n`);
      else if (!outcome.done.endsWith(", unchanged"))
        terminal.print(`  ${kleur.dim("client written")}: ${outcome.done}`);
    },
    onBlind: (folder, { code, message }) =>
      warn(
        `The folder ${folder} can't be watched for changes: ${message}`,
        code === "ENOSPC" || code === "EMFILE" ? TOO_MANY_WATCHED : undefined,
      ),
  };
}

const SILENT =
  "The project's process has not answered for 5 seconds. Is it paused in a debugger, or in a loop that never ends?";

const TOO_MANY_WATCHED =
  "The system does not allow more watched folders. Raise fs.inotify.max_user_watches and max_user_instances, or use --poll.";

function formatBanner(
  root: string,
  address: Address,
  docs: string,
  state: string,
  { interactive }: Terminal,
): string {
  const name = escapeControl(basename(root));
  const width = Math.max(name.length, DOCS.length);
  const end = interactive ? `\n\n  ${kleur.dim(KEYS_LINE)}` : " Press Ctrl-C to stop.";
  return [
    `\n  ${kleur.bold(name.padEnd(width))}  ${kleur.cyan(formatUrl(address))}`,
    `\n  ${DOCS.padEnd(width)}  ${docs}`,
    `\n\n  ${state}.${end}\n`,
  ].join("");
}

const DOCS = "docs";

function formatDocsUrl(address: Address): string {
  return kleur.cyan(`${formatUrl(address)}/docs`);
}

/** A route of the project that serves one of the paths comes first. */
function formatDocs(project: Project, address: Address): string {
  const router = createTableRouter(project);
  const taken = ["/docs", "/openapi.json"].find((path) => router.find("GET", path).kind === "match");
  return taken ? `none, because the project has a route for GET ${taken}` : formatDocsUrl(address);
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
