/** Whether tsconfig.json lets the type checker find the mistakes that would otherwise show when the server runs. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { isRecord } from "#convention/source/record";
import { isJsonFile, lookUp, readJsonFile } from "../load/json.ts";
import { nearestPackage } from "../load/package-file.ts";

const TYPE_CHECK_FILE = "tsconfig.json";
const PURPOSE = "`npm run typecheck` has nothing to go by";

/** What Node's own erasing of types asks of the sources, and how they name each other. */
const OPTIONS: readonly (readonly [option: string, why: string])[] = [
  [
    "verbatimModuleSyntax",
    "an import of a type without the word `type` passes, and fails when the server runs",
  ],
  ["erasableSyntaxOnly", "an enum or a parameter property passes, and fails when the server runs"],
  ["allowImportingTsExtensions", "an import of a file by its real name, `./x.ts`, is refused"],
  ["noEmit", "the type checker writes a .js file beside each source"],
];

const PATHS = {
  key: "paths",
  why: 'the type checker finds "framework" neither there nor installed',
  wanted:
    'under "compilerOptions": "paths": { "framework": ["./vendor/framework/index.d.ts"], "framework/*": ["./vendor/framework/*.d.ts"] }',
};

export function checkTypeCheck(root: string, files: Files): readonly Diagnostic[] {
  // A copy that only serves needs none.
  if (!files.has(TYPE_CHECK_FILE)) return [diagnose("FW844", {})];
  const read = readJsonFile(files, TYPE_CHECK_FILE, PURPOSE, true);
  if (!isJsonFile(read)) return read;
  const found = lookUp(read.value, "compilerOptions");
  const options = isRecord(found) ? found : {};
  // What is not set here may be set in a file that this one extends.
  const hasBase = read.value.extends !== undefined;
  const bad = OPTIONS.filter(([option]) => {
    const isUnset = options[option] === undefined;
    return options[option] !== true && !(isUnset && hasBase) && !isReplaced(option, options);
  });
  return [
    ...bad.map(([key, why]) => ({ key, why, wanted: `under "compilerOptions": "${key}": true` })),
    ...(hasBase || findsFramework(root, options) ? [] : [PATHS]),
  ].map((details) => diagnose("FW829", details, read.locate("compilerOptions", details.key)));
}

type Options = Readonly<Record<string, unknown>>;

/** Other options that come to the same. */
function isReplaced(option: string, options: Options): boolean {
  if (option === "allowImportingTsExtensions") return options.rewriteRelativeImportExtensions === true;
  return option === "noEmit" && (options.emitDeclarationOnly === true || typeof options.outDir === "string");
}

function findsFramework(root: string, { paths }: Options): boolean {
  return lookUp(paths, "framework") !== undefined || nearestPackage(root, "framework") !== undefined;
}
