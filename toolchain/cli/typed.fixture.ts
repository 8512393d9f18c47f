/** For tests: a command as it is typed, and what a person sees. */

import { toCommandInput } from "./arguments.ts";
import type { Command, Terminal } from "./command.ts";
import { findCommand } from "./commands.ts";

export interface Printed {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export type Screen = Partial<Pick<Terminal, "columns" | "color">>;

/** @param run is given a terminal that keeps what is printed. */
export async function print(
  run: (terminal: Terminal) => Promise<number>,
  { columns = 10_000, color = false }: Screen = {},
): Promise<Printed> {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await run({
    columns,
    color,
    interactive: false,
    print: (text) => void out.push(text),
    printError: (text) => void err.push(text),
  });
  return { status, out: out.join("\n"), err: err.join("\n") };
}

/** @param line what follows `framework`; no word of it has a space. */
export async function type(cwd: string, line: string): Promise<Printed> {
  const found = findCommand(line.split(" "));
  if (found === undefined) throw new Error(`There is no command "${line}".`);
  const command: Command = await found.load();
  return print((terminal) => command.run({ ...toCommandInput(command, found.rest, terminal), cwd }));
}
