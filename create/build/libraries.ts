/** Third-party code of the tools, apart from ours: minified, in a module of its own where much of it is not always needed. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { collectLicences } from "./licences.ts";

/** Only Node before 22.18 loads Sucrase, and only what reads TypeScript loads the parser. */
const ALONE: Readonly<Record<string, string>> = { "babel-parser": "parser", sucrase: "sucrase" };

/** @returns the module of `tools/` that has this file of a library; undefined for any other file. @example libraryOf("deps/kleur") // "libraries" */
export function libraryOf(path: string): string | undefined {
  const [, name = ""] = /^deps\/(.*)$/.exec(path) ?? [];
  return name === "" ? undefined : (ALONE[name] ?? "libraries");
}

/**
 * Called by the build.
 *
 * @param from the folder with one TypeScript file a library
 * @param framework the folder of the vendored framework
 * @returns the licences of what is in each module
 */
export async function bundleLibraries(from: string, framework: string): Promise<readonly string[]> {
  const files = readdirSync(from).filter((name) => name.endsWith(".ts"));
  const moduleOfFile = (file: string): string => libraryOf(`deps/${basename(file, ".ts")}`) ?? "";
  const licences: string[] = [];
  for (const module of new Set(files.map(moduleOfFile))) {
    const inside = files.filter((file) => moduleOfFile(file) === module);
    // There is no such file: it is all that the libraries in the module export.
    const all = join(from, module);
    const bundle = await rolldown({
      input: all,
      platform: "node",
      logLevel: "warn",
      // ES modules where a library has them: a CommonJS one stands in a function, which Node 20 compiles twice.
      resolve: { mainFields: ["module", "main"] },
      plugins: [
        {
          name: "libraries",
          resolveId: (specifier) => (specifier === all ? all : undefined),
          load: (id) =>
            id === all
              ? inside.map((file) => `export * from ${JSON.stringify(join(from, file))};`).join("\n")
              : undefined,
        },
        leaveOutPlugins(),
        leaveOut(),
        inlineNumbers(),
        collectLicences(),
      ],
    });
    const { output } = await bundle.generate({
      entryFileNames: `tools/${module}.js`,
      format: "esm",
      minify: true,
      // Nobody bundles these modules again.
      comments: { annotation: false },
      codeSplitting: false,
    });
    await bundle.close();
    for (const one of output) {
      if (one.type === "chunk") writeFileSync(join(framework, one.fileName), one.code);
      else licences.push(String(one.source));
    }
  }
  return licences;
}

/** Of the plugins of @babel/parser keeps the one for TypeScript: with all of them it would be a third larger. */
function leaveOutPlugins(): Plugin {
  return {
    name: "leave-out-plugins",
    transform(code, id) {
      if (!/[\\/]@babel[\\/]parser[\\/]lib[\\/]index\.js$/.test(id)) return undefined;
      const kept = code.replace(
        /^const mixinPlugins = \{[^}]*\btypescript,[^}]*\}/m,
        "const mixinPlugins = { typescript }",
      );
      if (kept === code) throw new Error(`${id} has another form now.`);
      return { code: kept, moduleType: "js" };
    },
  };
}

/** Modules of Sucrase for what is not asked of it: other languages than TypeScript, CommonJS, and to check its options. */
const NOT_CALLED: readonly string[] = [
  "CJSImportProcessor",
  "Options",
  "parser/plugins/flow",
  "parser/plugins/jsx/index",
  "transformers/CJSImportTransformer",
  "transformers/FlowTransformer",
  "transformers/JSXTransformer",
  "transformers/JestHoistTransformer",
  "transformers/ReactDisplayNameTransformer",
  "transformers/ReactHotLoaderTransformer",
].map((name) => `/sucrase/dist/esm/${name}.js`);

/** Puts functions and classes without a body in the place of those that are never called, which are a third of Sucrase. */
function leaveOut(): Plugin {
  return {
    name: "leave-out",
    load(id) {
      if (!NOT_CALLED.some((file) => id.replaceAll("\\", "/").endsWith(file))) return undefined;
      const exported = readFileSync(id, "utf8").matchAll(/^export (?:default )?(?:class|function) \w+/gm);
      return [...exported].map(([start]) => `${start}${start.includes("class") ? "" : "()"} {}`).join("\n");
    },
  };
}

/** Writes the members of Sucrase's enums as numbers, and its tree of keywords without the empty places: together a third of it. */
function inlineNumbers(): Plugin {
  const require = createRequire(import.meta.url);
  const { charCodes } = require("sucrase/dist/parser/util/charcodes.js");
  const { TokenType } = require("sucrase/dist/parser/tokenizer/types.js");
  const { ContextualKeyword } = require("sucrase/dist/parser/tokenizer/keywords.js");
  const { READ_WORD_TREE } = require("sucrase/dist/parser/tokenizer/readWordTree.js");
  const enums: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    charCodes,
    ContextualKeyword,
    TokenType,
    tt: TokenType,
  };
  const toNumber = (name: string, member: string): string => {
    const value = enums[name]?.[member];
    if (typeof value !== "number") throw new Error(`Sucrase has no ${name}.${member}.`);
    return String(value);
  };
  return {
    name: "inline-numbers",
    transform(code, id) {
      if (!/[\\/]sucrase[\\/]dist[\\/]esm[\\/]/.test(id)) return undefined;
      if (id.endsWith("readWordTree.js")) return formatTree(READ_WORD_TREE);
      return code
        .replace(
          /^export var (charCodes|ContextualKeyword|TokenType); [\s\S]*?^\}\)\(.*\);$/m,
          "export const $1 = {};",
        )
        .replace(/(?<![\w$.])(charCodes|ContextualKeyword|TokenType|tt)\.(\w+)/g, (_, name, member) =>
          toNumber(name, member),
        );
    },
  };
}

/** @param tree nearly all of it is -1. */
function formatTree(tree: Int32Array): string {
  const places = [...tree.entries()].filter(([, value]) => value !== -1);
  return [
    `export const READ_WORD_TREE = new Int32Array(${tree.length}).fill(-1);`,
    `for (const [place, value] of ${JSON.stringify(places)}) READ_WORD_TREE[place] = value;`,
  ].join("\n");
}
