/** `framework routes check`: everything that is wrong with the routes, and nothing else: for CI. */

import { readProject } from "#convention/project";
import { checkRoutes } from "#convention/rule/audit";
import { formatJson } from "#runtime/escape";
import { type Command, flag } from "../command.ts";
import { count } from "../count.ts";
import { requireProjectRoot } from "../project-root.ts";
import { printDiagnostics, toDiagnosticRecord } from "../report.ts";

export const routesCheck: Command = {
  usage: "framework routes check [options]",
  summary: "Check the configuration and every handler, and show what is wrong.",
  details:
    "It reads the source and runs nothing of the project. With an error, the exit status is 1, so CI stops.\n" +
    "If framework.toml has `[exposure]`, it includes what `framework routes audit` finds.",
  options: {
    "warnings-as-errors": flag("Exit with 1 on a warning, too."),
    json: flag("Print the diagnostics as a JSON array, for programs."),
  },
  examples: [
    "framework routes check",
    "framework routes check --warnings-as-errors",
    "framework routes check --json",
  ],
  async run(input) {
    const { flags, terminal } = input;
    const project = readProject(requireProjectRoot(input));
    const { root, routes } = project;
    const diagnostics = checkRoutes(project);
    if (flags.json) terminal.print(formatJson(diagnostics.map(toDiagnosticRecord), 2));
    else if (diagnostics.length === 0) terminal.print(`No problems in ${count(routes.length, "route")}.`);
    else printDiagnostics(root, diagnostics, terminal.print, terminal);
    const failing = flags["warnings-as-errors"] ? ["error", "warning"] : ["error"];
    return diagnostics.some(({ severity }) => failing.includes(severity)) ? 1 : 0;
  },
};
