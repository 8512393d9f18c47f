/** The help texts: one for all commands, one for each. */

import { kleur } from "../deps/kleur.ts";
import type { Command, Terminal } from "./command.ts";

export function formatHelp(commands: readonly Command[], { color }: Pick<Terminal, "color">): string {
  kleur.enabled = color;
  const rows = commands.map(
    (command) => [command.usage.replace(/ \[options\]$/, ""), command.summary] as const,
  );
  const hints = [
    "framework <command> --help   a command's options, with examples",
    "framework --version          the version of the vendored framework",
  ];
  return [kleur.bold("Commands"), ...formatColumns(rows), "", ...hints.map((hint) => `  ${hint}`)].join("\n");
}

export function formatCommandHelp(command: Command, { color }: Pick<Terminal, "color">): string {
  kleur.enabled = color;
  const options = Object.entries(command.options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.type === "string" ? ` ${option.value ?? "<value>"}` : "";
    return [`${short}--${name}${value}`, option.description] as const;
  });
  return [
    kleur.bold(command.usage),
    "",
    command.summary,
    ...(command.details ? ["", command.details] : []),
    "",
    kleur.bold("Options"),
    ...formatColumns([...options, ["-h, --help", "Show this help."]]),
    "",
    kleur.bold("Examples"),
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`);
}
