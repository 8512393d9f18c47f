/** Generates the code that reads the arguments of one function: a handler, a provider or a guard. */

import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { resolve } from "#runtime/wire/shape";
import type { Inputs } from "../typed-route.ts";
import { formatValue } from "./conversions.ts";
import { toLocal, toPascal } from "./names.ts";
import type { WireText } from "./readers.ts";

/**
 * @param path the prefix for names of readers.
 * @param more the lines of additional members.
 * @returns the lines of an object literal that implements `FunctionInputs`, without its braces.
 */
export function writeInputs(
  inputs: Inputs,
  path: string,
  text: WireText,
  more: readonly string[] = [],
): readonly string[] {
  const takes = inputs.takes.map((take, index) => writeTake(take, index, text, path));
  const isAsync = takes.some(({ asksSchema }) => asksSchema);
  return [
    `takes: [${takes.map(({ bound }) => bound).join(", ")}],`,
    ...more,
    `${isAsync ? "async " : ""}read(reader) {`,
    ...takes.flatMap(({ lines }) => lines.map((line) => `  ${line}`)),
    `  return [${formatArguments(inputs, takes).join(", ")}];`,
    "},",
  ];
}

function formatArguments(inputs: Inputs, takes: readonly WrittenTake[]): string[] {
  const [taken, provided] = [takes.values(), inputs.provided.values()];
  return inputs.arguments.map((argument) => {
    if (argument === "request") return "reader.request";
    if (argument === "provided") return `reader.results[${provided.next().value}]`;
    return argument === "taken"
      ? (taken.next().value?.argument ?? "undefined")
      : `reader.values[${argument}]`;
  });
}

interface WrittenTake {
  /** The expression for the `BoundInput`. */
  readonly bound: string;
  /** The statements that read the value, or refuse it. */
  readonly lines: readonly string[];
  /** The expression for the argument. */
  readonly argument: string;
  readonly asksSchema?: true;
}

function writeTake(take: DeclaredInput, index: number, text: WireText, path: string): WrittenTake {
  const { in: place, name, key, shape, optional } = take;
  const data = JSON.stringify(take);
  const local = toLocal(name, index);
  if (isCredential(place)) {
    const where = [place, key, take.from].filter((part) => part !== undefined);
    const source = `credential(${where.map((part) => JSON.stringify(part)).join(", ")})`;
    return { bound: data, lines: [`const ${local} = reader.${source};`], argument: local };
  }
  const value = place === "body" ? "reader.body" : formatValue(take, place, text);
  const getter = text.hoist("take", `(reader) => ${value.startsWith("{") ? `(${value})` : value}`);
  const bound = data.replace(/\}$/, `,"value":${getter}`);
  const source = place === "body" ? value : `${getter}(reader)`;
  const found = resolve(shape, text.definitions);
  if (found.kind !== "schema") {
    const lines = text.take({ shape, optional }, local, source, path + toPascal(name), "0");
    return { bound: `${bound}}`, lines, argument: local };
  }
  const schema = text.import(found.file, found.exported);
  const asked = `await ${text.use("askSchema")}(${schema}, ${source})`;
  const whole = optional ? `${source} === undefined ? {} : ${asked}` : asked;
  const lines = [`const ${local} = ${whole};`, `if (${local}.issues !== undefined) return undefined;`];
  return { bound: `${bound},"schema":${schema}}`, lines, argument: `${local}.value`, asksSchema: true };
}
