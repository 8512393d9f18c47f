/** What TypeScript is told for the copies: the project's own settings, but for what would keep it from writing declarations. */

import { existsSync } from "node:fs";
import { join, parse, sep } from "node:path";

export const SETTINGS_FILE = "tsconfig.json";
export const OUT_FOLDER = ".out";
export const GLOBALS_FILE = "$globals.d.ts";

/**
 * TypeScript makes an array of both of a literal with two values. With `$pair` those that are sent as a value and its status stay
 * apart: after what is no object the second one is no status. And no `$Pair` is a subtype of another, because TypeScript leaves
 * subtypes out of a union: of `[{ a }, 200]` and `[{ a, b }, 200]` it would know the first.
 *
 * The types of Node give `new Response()` a type of a package that not every package manager lets a project name. The first
 * declaration of a variable counts.
 */
export const GLOBALS_TEXT = `interface Response {}
declare var Response: {
  prototype: Response;
  new (body?: any, init?: any): Response;
  error(): Response;
  json(data: any, init?: any): Response;
  redirect(url: any, status?: number): Response;
};
interface $Pair<in out T, in out S> extends Array<T | S> {
  0: T;
  1: S;
  length: 2;
}
declare function $pair<T extends object | null | undefined, S extends number>(value: T, status: S): $Pair<T, S>;
declare function $pair<T extends string | number | boolean | bigint | symbol, U>(first: T, second: U): (T | U)[];
declare function $pair<T, S extends number>(value: T, status: S): $Pair<T, S>;
declare function $pair<T, U>(first: T, second: U): (T | U)[];
`;

const ALWAYS = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  noEmitOnError: false,
  // A version that does not know it checks, which takes longer.
  noCheck: true,
  skipLibCheck: true,
  // Without it no type says what may be undefined or null.
  strictNullChecks: true,
  noErrorTruncation: true,
  removeComments: true,
  stripInternal: false,
  declarationMap: false,
  composite: false,
  incremental: false,
  tsBuildInfoFile: null,
  isolatedDeclarations: false,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
} as const;

/** For a project without settings. */
const DEFAULTS = { module: "nodenext", target: "es2022", strict: true } as const;

/** @param files relative to the folder of the settings. */
export function formatSettings(root: string, folder: string, files: readonly string[]): string {
  const base = join(root, SETTINGS_FILE);
  const isThere = existsSync(base);
  const project = toSlashes(root);
  return JSON.stringify({
    ...(isThere && { extends: toSlashes(base) }),
    compilerOptions: {
      ...(!isThere && DEFAULTS),
      ...ALWAYS,
      // No file is outside of it, so that none is written anywhere but into the folder.
      rootDir: toSlashes(parse(folder).root),
      outDir: `./${OUT_FOLDER}`,
      declarationDir: `./${OUT_FOLDER}`,
    },
    files,
    // What they declare holds for all files.
    include: [`${project}/**/*.d.ts`],
    exclude: ["node_modules", "dist", "vendor"].map((name) => `${project}/**/${name}`),
    references: [],
  });
}

function toSlashes(path: string): string {
  return path.split(sep).join("/");
}
