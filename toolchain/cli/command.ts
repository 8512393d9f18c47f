/** The shape that every `framework` command has, and what it is given to work with. */

import { Problem } from "#runtime/problem";

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What the help text shows for the value, as in `--app <name>`. */
  readonly value?: string;
  /** The value if none is given. A given one must then be joined to the option: `--inspect=9230`. */
  readonly fallback?: string;
  /** True where several values make one list, as `--external a --external b` does. They are joined by commas. */
  readonly isList?: boolean;
  readonly description: string;
}

/** An option without a value. */
export function flag(description: string): CommandOption {
  return { type: "boolean", description };
}

/** An option with a value. @param placeholder what the help text shows for it, as in `<name>`. */
export function value(
  placeholder: string,
  description: string,
  more: Pick<CommandOption, "short" | "fallback" | "isList"> = {},
): CommandOption {
  return { ...more, type: "string", value: placeholder, description };
}

/** Where a command prints, and what it may assume about who reads it. */
export interface Terminal {
  readonly columns: number;
  /** True when colour codes may be written. */
  readonly color: boolean;
  /** True when a person can answer a question. */
  readonly interactive: boolean;
  print(text: string): void;
  printError(text: string): void;
}

export interface CommandInput {
  /** The folder the command was typed in. */
  readonly cwd: string;
  /** The words after the command's own, in order. */
  readonly words: readonly string[];
  /** The options without a value that were given. */
  readonly flags: Readonly<Record<string, true | undefined>>;
  /** Of the options with one. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/** Where a command was typed. */
export type Shell = Pick<CommandInput, "cwd" | "terminal">;

export interface Command {
  /** As in `framework routes diff <ref> [<ref>] [options]`. It says how many words the command takes: without `<…>` and `[…]`, none. */
  readonly usage: string;
  readonly summary: string;
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly string[];
  /** It takes more words than its usage shows. */
  readonly takesMore?: boolean;
  /** True where all that follows the first word belongs to what that word names, what looks like an option too. */
  readonly passesWords?: boolean;
  /** @returns the exit status: 0 done, 1 failed. Wrong usage is thrown as {@link UsageError}. */
  run(input: CommandInput): Promise<number>;
}

/** @example commandName({ usage: "framework generate app <name> [options]" }) // "framework generate app" */
export function commandName({ usage }: Pick<Command, "usage">): string {
  return usage.replace(/ [<[].*$/, "");
}

/** The command was called in a way it does not understand: exit status 2. */
export class UsageError extends Problem {
  override readonly name = "UsageError";
}
