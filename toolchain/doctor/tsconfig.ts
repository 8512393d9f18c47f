/** Whether tsconfig.json lets the type checker find the mistakes that would otherwise show when the server runs. */

import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFiles, type Files } from "#convention/source/files";
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
  const read = readJsonFile(files, TYPE_CHECK_FILE, PURPOSE);
  if (!isJsonFile(read)) return read;
  const options = collectOptions(root, read.value);
  // What a base sets that can't be read is not known, so that nothing is said about it.
  if (options === undefined) return [];
  const unset = OPTIONS.filter(([option]) => options[option] !== true && !isReplaced(option, options));
  return [
    ...unset.map(([option, why]) =>
      diagnose(
        "FW829",
        { key: option, why, wanted: `under "compilerOptions": "${option}": true` },
        read.locate("compilerOptions", option),
      ),
    ),
    ...(findsFramework(root, options)
      ? []
      : [diagnose("FW829", PATHS, read.locate("compilerOptions", "paths"))]),
  ];
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

/** Its own options and those of the files it extends. @returns undefined where one of these can't be read */
function collectOptions(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  seen: readonly string[] = [],
): Options | undefined {
  const bases = [config.extends].flat().filter((base) => typeof base === "string");
  const inherited = bases.map((base) => {
    const path = resolveBase(folder, base);
    if (path === undefined || seen.includes(path)) return undefined;
    const files = createFiles(dirname(path));
    const read = readJsonFile(files, basename(path), PURPOSE);
    return isJsonFile(read) ? collectOptions(dirname(path), read.value, [...seen, path]) : undefined;
  });
  if (inherited.includes(undefined)) return undefined;
  const own = config.compilerOptions;
  return Object.assign({}, ...inherited, isRecord(own) ? own : {});
}

/** A path, with or without its ending, or a file of a package. */
function resolveBase(folder: string, base: string): string | undefined {
  const isPath = isAbsolute(base) || /^\.{1,2}(?:\/|$)/.test(base);
  if (isPath) return resolve(folder, base.endsWith(".json") ? base : `${base}.json`);
  const require = createRequire(join(folder, TYPE_CHECK_FILE));
  for (const file of [base, `${base}.json`, `${base}/${TYPE_CHECK_FILE}`]) {
    try {
      return require.resolve(file);
    } catch {}
  }
  return undefined;
}
