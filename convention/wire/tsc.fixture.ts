/** Checks many values against many types in one run of the TypeScript compiler, for tests. */

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Question {
  /** The index of the module that exports the type as `T`. */
  readonly module: number;
  /** The value as JSON. */
  readonly value: unknown;
  /** True to allow undeclared keys. */
  readonly withExcess: boolean;
}

const COMPILER = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const SETTINGS = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: "es2022",
    module: "nodenext",
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ["types", "checks"],
};

/** A generic parameter allows excess keys, and keeps the literal types and tuples of its argument. */
const HEAD =
  "declare function toCheck<T>(): <const V extends T>(value: V) => void; const check = toCheck<T>();";
/** The line of the first question. */
const FIRST_LINE = 3;

/** Writes the modules as `types/t<n>.ts`. */
export function writeTypes(folder: string, modules: readonly string[]): void {
  mkdirSync(join(folder, "types"), { recursive: true });
  for (const [at, text] of modules.entries()) writeFileSync(join(folder, `types/t${at}.ts`), text);
}

/**
 * @param folder a folder prepared by {@link writeTypes}.
 * @returns for each question, whether the value is assignable to the type.
 * @throws for any other error, such as one in a type.
 */
export function askTypeScript(folder: string, questions: readonly Question[]): boolean[] {
  const lines = new Map<string, string[]>();
  const places = questions.map(({ module, value, withExcess }) => {
    const file = `checks/c${module}.ts`;
    const head = [`import type { T } from "../types/t${module}.ts";`, HEAD];
    const text = lines.get(file) ?? head;
    const json = JSON.stringify(value);
    lines.set(file, text);
    text.push(withExcess ? `check(${json});` : `{ const x: T = ${json}; void x; }`);
    return `${file}:${text.length}`;
  });
  mkdirSync(join(folder, "checks"), { recursive: true });
  for (const [file, text] of lines) writeFileSync(join(folder, file), text.join("\n"));
  const refused = compile(folder);
  return places.map((place) => !refused.has(place));
}

/** @returns the locations of the errors, as `checks/c0.ts:3`. */
function compile(folder: string): Set<string> {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(SETTINGS));
  const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const errors = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+): (.*)$/gm)];
  const [other] = errors.filter(
    ([, file = "", line]) => !file.startsWith("checks/") || Number(line) < FIRST_LINE,
  );
  if (other !== undefined || stderr !== "") throw new Error(other?.[0] ?? stderr);
  return new Set(errors.map(([, file, line]) => `${file}:${line}`));
}
