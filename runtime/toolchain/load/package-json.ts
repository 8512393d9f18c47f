/** Whether package.json still has what makes `framework` be the vendored one, and what hosts and CI call. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { PACKAGE_FILE } from "#runtime/convention/layout";
import type { Files } from "#runtime/convention/source/files";
import { isJsonFile, type JsonFile, lookUp, readJsonFile } from "./project-json.ts";

const PURPOSE = "npm and Node.js read from it what the project is";

interface Expectation {
  readonly path: readonly string[];
  readonly isMet: (value: unknown) => boolean;
  readonly wanted: string;
  readonly why: string;
}

const EXPECTATIONS: readonly Expectation[] = [
  {
    path: ["type"],
    isMet: (value) => value === "module",
    wanted: '"type": "module"',
    why: "its files are ES modules, which Node.js otherwise finds out by reading each twice, and the type checker not at all",
  },
  {
    path: ["bin", "framework"],
    isMet: isText(/^(?:\.\/)?vendor\/framework\/cli\/main\.js$/),
    wanted: '"bin": { "framework": "vendor/framework/cli/main.js" }',
    why: "`npx framework` would fetch an unrelated package of that name and run it",
  },
  {
    path: ["dependencies", "framework"],
    isMet: isText(/^(?:(?:file|link|portal):(?:\.\/)?vendor\/framework\/?$|workspace:)/),
    wanted: '"dependencies": { "framework": "file:vendor/framework" }',
    why: "tools that look in node_modules/ find no `framework` there, or an unrelated package of that name",
  },
];

interface Script {
  readonly script: string;
  readonly who: string;
  readonly command: string;
}

const SCRIPTS: readonly Script[] = [
  { script: "start", who: "hosts call", command: "node vendor/framework start" },
  {
    script: "check",
    who: "CI calls, and you before a commit",
    command: "node vendor/framework doctor && npm run typecheck && npm run test",
  },
];

/** npm is stricter than whoever reads tsconfig.json. */
export const LAXITY = "it has a comment, a comma too many or single quotes, which npm does not take";

export function readPackageJson(files: Files): JsonFile | readonly Diagnostic[] {
  return readJsonFile(files, PACKAGE_FILE, PURPOSE);
}

export function checkPackageJson(files: Files): readonly Diagnostic[] {
  const read = readPackageJson(files);
  if (!isJsonFile(read)) return read;
  return [
    ...(read.lax === undefined ? [] : [diagnose("FW827", { file: PACKAGE_FILE, why: LAXITY }, read.lax)]),
    ...EXPECTATIONS.filter(({ path, isMet }) => !isMet(lookUp(read.value, ...path))).map((expectation) =>
      tellExpectation(read, expectation),
    ),
    ...SCRIPTS.filter(({ script }) => lookUp(read.value, "scripts", script) === undefined).map((script) =>
      diagnose("FW830", script, read.locate("scripts")),
    ),
  ];
}

function tellExpectation({ locate }: JsonFile, { path, wanted, why }: Expectation): Diagnostic {
  const key = path.join(".");
  return diagnose("FW829", { key, wanted, why }, locate(key));
}

function isText(shape: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && shape.test(value);
}
