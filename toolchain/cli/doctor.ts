/** `framework doctor`: what is wrong with a project and around it, each with what to do. */

import { type Diagnostic, hasErrors } from "#convention/diagnostics/diagnostic";
import { formatCounts, formatDiagnostic } from "#convention/diagnostics/format";
import { VENDORED_FOLDER } from "#convention/layout";
import { createFiles } from "#convention/source/files";
import { formatJson } from "#runtime/escape";
import { CONFIG_FILE, findAbove } from "#runtime/project-root";
import { type Command, type CommandInput, flag, type Terminal } from "./command.ts";
import { count } from "./count.ts";
import { requireProjectRoot } from "./project-root.ts";
import { toDiagnosticRecord } from "./report.ts";

export const doctor: Command = {
  usage: "framework doctor [options]",
  summary: "Check the project's vendored files, Node.js, routes and setup, and say what to do.",
  details:
    "It looks at the vendored framework, the version of Node.js, the configuration and the routes, the main file and the\n" +
    "migrations, package.json and what is installed, the built server and .env.\n" +
    "It runs nothing of the project, changes nothing, and needs nothing installed.\n" +
    "It includes what `framework routes check` finds. With an error, the exit status is 1.",
  options: {
    json: flag("Print the diagnostics as a JSON array, for programs."),
  },
  examples: ["framework doctor", "framework doctor --json"],
  async run(input) {
    const { flags, terminal } = input;
    const root = findRoot(input);
    const { examine } = await import("#toolchain/doctor/doctor");
    const { checks, diagnostics } = await examine(root);
    if (flags.json) terminal.print(formatJson(diagnostics.map(toDiagnosticRecord), 2));
    else printDiagnostics(root, checks, diagnostics, terminal);
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

/** A project without framework.toml needs a doctor most: it is known by its vendored framework, too. */
function findRoot(input: CommandInput): string {
  const found = [CONFIG_FILE, VENDORED_FOLDER].map((entry) => findAbove(input.cwd, entry) ?? "");
  const [nearest = ""] = found.sort((one, other) => other.length - one.length);
  return nearest === "" ? requireProjectRoot(input) : nearest;
}

/** So many places of a diagnostic are shown: a person reads no thousand. With `--json`, all are. */
const MOST_PLACES = 5;

function printDiagnostics(
  root: string,
  checks: number,
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
): void {
  const files = createFiles(root);
  const readSource = (file: string): string | undefined => (isShown(file) ? files.read(file) : undefined);
  for (const diagnostic of diagnostics) {
    const shown = { ...diagnostic, locations: diagnostic.locations.slice(0, MOST_PLACES) };
    terminal.print(`${formatDiagnostic(shown, readSource, terminal.color)}\n`);
  }
  const found = diagnostics.length === 0 ? ", nothing found" : `: ${formatCounts(diagnostics)}`;
  terminal.print(count(checks, "check") + found);
}

/** Not what nobody edits by hand, nor the secrets in `.env`. */
function isShown(file: string): boolean {
  return !/^(?:vendor|node_modules|dist|\.framework)\/|^\.env/.test(file);
}
