/** The help texts: one for all commands, one for each. */

import { kleur } from "#convention/deps/kleur";
import { wrapText } from "#convention/diagnostics/columns";
import { type Command, commandName, type Terminal } from "./command.ts";

type Screen = Pick<Terminal, "color" | "columns">;

/** Longer lines are hard to read, however wide the screen is. */
const LONGEST_LINE = 110;

/** A column of text that is narrower goes below what it explains. */
const NARROWEST_COLUMN = 30;

export function formatHelp(commands: readonly Command[], { color, columns }: Screen): string {
  kleur.enabled = color;
  const rows = commands.map((command) => [commandName(command), command.summary] as const);
  const hints = [
    ["framework <command> --help", "a command's options, with examples"],
    ["framework --version", "the version of the vendored framework"],
  ] as const;
  return [kleur.bold("Commands"), ...formatRows(rows, columns), "", ...formatRows(hints, columns)].join("\n");
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

function formatRows(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const room = columns - width - "     ".length;
  if (room >= NARROWEST_COLUMN) {
    return rows.flatMap(([left, right]) =>
      wrapText(right, room).map((line, index) => `  ${(index === 0 ? left : "").padEnd(width)}   ${line}`),
    );
  }
  return rows.flatMap(([left, right]) => [
    ...wrapText(left, columns - 2).map((line) => `  ${line}`),
    ...wrapText(right, columns - 6).map((line) => `      ${line}`),
  ]);
}
