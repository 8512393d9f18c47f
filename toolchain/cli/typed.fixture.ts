/** For tests: a command as it is typed, and what a person sees. */

import type { CommandInput, Terminal } from "./command.ts";
import { execute } from "./run.ts";

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
export function type(cwd: string, line: string): Promise<Printed> {
  return print((terminal) => execute(line.split(" "), { cwd, terminal }));
}

/** Options as they are given: true for one without a value. */
export type Given = Readonly<Record<string, string | true>>;

export function given(options: Given = {}): Pick<CommandInput, "flags" | "values"> {
  const [flags, values]: [Record<string, true>, Record<string, string>] = [{}, {}];
  for (const [name, option] of Object.entries(options)) {
    if (option === true) flags[name] = true;
    else values[name] = option;
  }
  return { flags, values };
}
