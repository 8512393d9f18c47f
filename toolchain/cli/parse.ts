/** From the words that were typed after a command to its input, checked against the options it declares. */

import { parseArgs } from "node:util";
import {
  type Command,
  type CommandInput,
  type CommandOption,
  commandName,
  type Shell,
  UsageError,
} from "./command.ts";
import { suggest } from "./suggest.ts";

/** @throws {UsageError} on an unknown option, a missing value, a value or a word where none is taken. */
export function toCommandInput(command: Command, typed: readonly string[], shell: Shell): CommandInput {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => {
      // The word after an option that can do without a value is none.
      const type = option.fallback === undefined ? option.type : "boolean";
      return [name, option.short ? { type, short: option.short } : { type }];
    }),
  );
  const { own, passed } = splitTyped(command, typed);
  const { tokens, positionals } = parseArgs({
    args: [...own],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: Record<string, true> = {};
  const values: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined;
    if (option === undefined) {
      const known = [...Object.keys(command.options), "help"];
      throw new UsageError(
        `${token.rawName} is not an option of "${commandName(command)}".`,
        suggest(token.name, known, (name) => `--${name}`),
      );
    }
    const { name, rawName } = token;
    if (option.type === "string")
      values[name] = joinValues(option, values[name], requireValue(rawName, option, token.value));
    else if (token.value === undefined) flags[name] = true;
    else throw new UsageError(`${rawName} takes no value.`);
  }
  checkWords(command, positionals);
  return { ...shell, words: [...positionals, ...passed], flags, values };
}

/** @throws {UsageError} where there are fewer words than the usage has as `<name>`, or more than it has at all. Lists are the commands' own. */
function checkWords(command: Command, words: readonly string[]): void {
  const { usage, examples, takesMore = false } = command;
  const places = (usage.match(/\[[^\]]+\]|<[^>]+>/g) ?? []).filter((place) => place !== "[options]");
  const needed = places.filter((place) => /^<[^…]*>$/.test(place));
  const missing = needed.filter((_, at) => !words[at]?.trim());
  const hint = places.length > 0 ? `As in: ${examples[0]}` : undefined;
  if (missing.length > 0)
    throw new UsageError(`"${commandName(command)}" needs ${missing.join(" and ")}.`, hint);
  const hasEnd = !takesMore && !usage.includes("…");
  const extra = hasEnd ? words[places.length] : undefined;
  if (extra !== undefined)
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)} for "${commandName(command)}".`, hint);
}

/** Splits what was typed into what the command reads, and what it passes on as it is. */
export function splitTyped(
  { passesWords }: Pick<Command, "passesWords">,
  typed: readonly string[],
): { readonly own: readonly string[]; readonly passed: readonly string[] } {
  const first = passesWords ? typed.findIndex((word) => !word.startsWith("-")) : -1;
  const end = first === -1 ? typed.length : first + 1;
  return { own: typed.slice(0, end), passed: typed.slice(end) };
}

/** Of several values the last one holds, so that `npm start -- --port 9000` overrides a script. */
function joinValues({ isList }: CommandOption, before: string | undefined, value: string): string {
  return isList && before !== undefined && before !== value ? `${before},${value}` : value;
}

function requireValue(
  name: string,
  { value: placeholder = "<value>", fallback }: CommandOption,
  value: string | undefined = fallback,
): string {
  // `--app --json` would otherwise take the next option for the value.
  if (value !== undefined && value !== "" && !/^--?[a-z]/i.test(value)) return value;
  const joint = fallback === undefined ? " " : "=";
  throw new UsageError(`${name} needs a value.`, `Give it as ${name}${joint}${placeholder}`);
}
