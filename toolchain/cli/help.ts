/** The help texts: one for all commands, one for each. */

import { kleur } from "#convention/deps/kleur";
import { wrapText } from "#convention/diagnostics/columns";
import type { Command, Terminal } from "./command.ts";

type Screen = Pick<Terminal, "color" | "columns">;

/** Longer lines are hard to read, however wide the screen is. */
const LONGEST_LINE = 110;

/** The part of the screen's width that commands and options may take beside what explains them. */
const WIDEST_LEFT = 0.4;

const OTHERS = [
  ["framework <command> --help", "Show a command's options and examples."],
  ["framework --version", "Show the version of the vendored framework."],
] as const;

export function formatHelp(commands: readonly Command[], { color, columns }: Screen): string {
  kleur.enabled = color;
  const rows = commands.map(({ usage, summary }) => [usage.replace(/ \[options\]$/, ""), summary] as const);
  return [kleur.bold("Commands"), ...formatRows([...rows, ...OTHERS], columns)].join("\n");
}

export function formatCommandHelp(command: Command, { color, columns }: Screen): string {
  kleur.enabled = color;
  const options = Object.entries(command.options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : "";
    const placeholder = option.value ?? "<value>";
    const joined = option.fallback === undefined ? ` ${placeholder}` : `[=${placeholder}]`;
    const value = option.type === "string" ? joined : "";
    return [`${short}--${name}${value}`, option.description] as const;
  });
  return [
    ...wrapText(command.usage, columns).map((line) => kleur.bold(line)),
    "",
    ...wrapText(command.summary, columns),
    ...(command.details ? ["", ...formatDetails(command.details, columns)] : []),
    "",
    kleur.bold("Options"),
    ...formatRows([...options, ["-h, --help", "Show this help."]], columns),
    "",
    kleur.bold("Examples"),
    // Whole, so that they can be copied.
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

/** A line that ends a sentence ends a paragraph; any other line break is only the source's. */
function formatDetails(details: string, columns: number): string[] {
  return details
    .split(/(?<=[.:])\n/)
    .flatMap((paragraph) => wrapText(paragraph, Math.min(columns, LONGEST_LINE)));
}

/** A left text that is too long has its line to itself. */
function formatRows(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const lengths = rows.map(([left]) => left.length);
  const width = Math.max(0, ...lengths.filter((length) => length <= columns * WIDEST_LEFT));
  return rows.flatMap(([left, right]) => {
    const above = left.length > width ? wrapText(left, columns - 2) : [];
    const beside = above.length > 0 ? "" : left;
    const below = wrapText(right, columns - width - "     ".length).map(
      (line, index) => `${(index === 0 ? beside : "").padEnd(width)}   ${line}`,
    );
    return [...above, ...below].map((line) => `  ${line}`);
  });
}
