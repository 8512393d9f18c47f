/**
 * Finds packages with a native part that they look for when they run. `imports.ts` finds what is imported by a written-out name.
 * sharp and all that napi-rs makes try one name after the other, so that they catch a failure says nothing.
 */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isRecord } from "#convention/source/record";
import { readInstalled } from "../load/package-file.ts";
import { packageOf, toPath } from "../load/project-files.ts";
import type { Parser } from "./caught.ts";
import { type Graph, isOfBuild } from "./graph.ts";

/** What of the bundler's outputs is used here: their modules by file, with what is left of the text of each. */
type Outputs = Readonly<Record<string, { modules?: Readonly<Record<string, { code: string | null }>> }>>;

export interface NativePlugin {
  readonly name: string;
  generateBundle(this: Parser, options: object, outputs: Outputs): void;
}

/** In the built file: where it is, and what loads a file by a path that only the running code knows. */
const LOADS_BY_PATH = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__require\b|\bdlopen\b/;
/** `sqlite3.node"`, `${platform}.node`, and `+ ".node"`; not the `".node"` in a list of endings. */
const NAMES_ADDON = /(?:[\w)}]|\+\s*["'])\.node["'`]/;
const FOLLOWED = /\brequire\(\s*(["'])[^"'\n]*\1\s*\)/g;
/** As in `@img/sharp-linux-x64`: packages that have a native part each, and of which npm installs one. */
const OF_A_PLATFORM = /[/-](?:linux|darwin|win32)-(?:x64|arm64)\b/;

/**
 * @param graph has every import of the build.
 * @param diagnostics takes what is found.
 */
export function findNativeParts(root: string, graph: Graph, diagnostics: Diagnostic[]): NativePlugin {
  return {
    name: "framework-native",
    generateBundle(_, outputs) {
      const modules = Object.values(outputs).flatMap((output) => Object.entries(output.modules ?? {}));
      for (const [id, { code }] of modules) {
        const name = packageOf(id);
        if (name === undefined || isOfBuild(id) || !LOADS_BY_PATH.test(code ?? "")) continue;
        if (!namesAddon(readFileSync(id, "utf8")) && !hasPlatforms(id, name)) continue;
        if (!graph.isFileNeeded(this, id)) continue;
        const file = toPath(root, id);
        const place = graph.placeOfFile(id) ?? startOf(file);
        diagnostics.push(diagnose("FW701", { name, file: `loaded by ${file}` }, place));
      }
    },
  };
}

/** What the bundler can follow, `imports.ts` judges. It follows no `require` that a module has made. */
function namesAddon(text: string): boolean {
  return NAMES_ADDON.test(/\bcreateRequire\b/.test(text) ? text : text.replace(FOLLOWED, ""));
}

function hasPlatforms(id: string, name: string): boolean {
  const names = readInstalled(dirname(id), name)?.optionalDependencies;
  return isRecord(names) && Object.keys(names).some((one) => OF_A_PLATFORM.test(one));
}
