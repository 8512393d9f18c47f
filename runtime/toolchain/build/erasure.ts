/** Refuses TypeScript that is more than types, which the bundler would take: a built server is to mean what its source does. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { mayBeInerasable } from "#runtime/convention/source/erasure";
import { parseModule } from "#runtime/convention/source/module";

export interface ErasurePlugin {
  readonly name: string;
  transform(code: string, id: string): undefined;
}

/**
 * @param toOwnFile the path of a file of the project, and undefined for anyone else's.
 * @param diagnostics takes what is found.
 */
export function diagnoseInerasable(
  toOwnFile: (id: string) => string | undefined,
  diagnostics: Diagnostic[],
): ErasurePlugin {
  return {
    name: "framework-erasure",
    transform(code, id) {
      const file = toOwnFile(id);
      if (file === undefined || !/\.m?ts$/.test(file) || !mayBeInerasable(code)) return undefined;
      const { inerasable } = parseModule(code, file);
      diagnostics.push(...inerasable.map((found) => diagnose("FW318", found, found.location)));
      return undefined;
    },
  };
}
