/** For tests: a program in a process of its own, which imports our modules by their names with `#`. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @returns the arguments of Node: with modules as the tests' bundle has them, and those that it does not have by tsx. */
export function toArguments(program: string): readonly string[] {
  const modules = program.replaceAll(/(?<=from ")#[^"]+/g, resolve);
  const tsx = /from "file:[^"]+\.ts"/.test(modules) ? ["--import", import.meta.resolve("tsx")] : [];
  return [...tsx, "--input-type=module", "-e", modules];
}

function resolve(name: string): string {
  const url = import.meta.resolve(name);
  return existsSync(fileURLToPath(url)) ? url : new URL(`../${name.slice(1)}.ts`, import.meta.url).href;
}
