/** Whether package.json still has what makes `framework` be the vendored one. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { isJsonFile, lookUp } from "../load/json.ts";
import { findLaxity, readPackageFile } from "../load/package-file.ts";

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
    isMet: isText(/^(?:\.\/)?vendor\/framework\/tools\/cli\.js$/),
    wanted: '"bin": { "framework": "vendor/framework/tools/cli.js" }',
    why: "`npx framework` would fetch an unrelated package of that name and run it",
  },
  {
    path: ["dependencies", "framework"],
    isMet: isText(/^(?:(?:file|link|portal):(?:\.\/)?vendor\/framework\/?$|workspace:)/),
    wanted: '"dependencies": { "framework": "file:vendor/framework" }',
    why: "tools that look in node_modules/ find no `framework` there, or an unrelated package of that name",
  },
];

export function checkPackageFile(files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  if (!isJsonFile(read)) return read;
  const unmet = EXPECTATIONS.filter(({ path, isMet }) => !isMet(lookUp(read.value, ...path)));
  return [
    ...findLaxity(read),
    ...unmet.map(({ path, wanted, why }) =>
      diagnose("FW829", { key: path.join("."), wanted, why }, read.locate(...path)),
    ),
  ];
}

function isText(shape: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && shape.test(value);
}
