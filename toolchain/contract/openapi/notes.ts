/** What a reader of the document should know: what is not known, and what OpenAPI can't say. */

import type { Contract, Operation } from "#convention/contract/contract";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#convention/diagnostics/order";
import { toPaths } from "./paths.ts";

/** @returns infos, by place. */
export function noteDocument({ operations, diagnostics }: Contract): readonly Diagnostic[] {
  const hidden = toPaths(operations).flatMap((path) => path.hidden);
  const notes = hidden.map(({ operation, by }) =>
    diagnose("FW930", { hidden: nameOf(operation), shown: nameOf(by) }, operation.location, by.location),
  );
  const headers = operations.flatMap((operation) =>
    operation.inputs.flatMap(({ in: place, name, location }) =>
      place === "header" && name === "authorization"
        ? [diagnose("FW933", { route: nameOf(operation) }, location)]
        : [],
    ),
  );
  return sortDiagnostics([...diagnostics, ...notes, ...headers]);
}

function nameOf({ method, pattern }: Operation): string {
  return `${method} ${pattern}`;
}
