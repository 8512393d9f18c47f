/** Refuses TypeScript that is more than types: the bundler would compile it, and Node, which only erases, does not run the source. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { mayBeInerasable } from "#convention/source/erasure";
import { parseModule } from "#convention/source/reader";
import { isOwnFile, toPath } from "../load/project-files.ts";

/** @param diagnostics takes what is found in the project's own files. */
export function refuseInerasable(
  root: string,
  diagnostics: Diagnostic[],
): { readonly name: string; transform(code: string, id: string): undefined } {
  return {
    name: "framework-inerasable",
    transform(code, id) {
      if (!isOwnFile(root, id) || !/\.m?ts$/.test(id) || !mayBeInerasable(code)) return;
      const { inerasable } = parseModule(code, toPath(root, id));
      diagnostics.push(...inerasable.map((found) => diagnose("FW318", found, found.location)));
    },
  };
}
