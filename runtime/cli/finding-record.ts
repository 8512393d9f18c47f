/** What `--json` gives for a finding, with its fields in this order. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostics";

export function toFindingRecord({ code, severity, message, hint, locations }: Diagnostic): Diagnostic {
  const places = locations.map(({ file, line, column }) => ({ file, line, column }));
  return { code, severity, message, hint, locations: places };
}
