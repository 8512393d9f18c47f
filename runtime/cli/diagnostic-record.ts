/** What `--json` gives for a diagnostic, with its fields in this order. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";

export function toDiagnosticRecord({ code, severity, message, hint, locations }: Diagnostic): Diagnostic {
  const places = locations.map(({ file, line, column }) => ({ file, line, column }));
  return { code, severity, message, hint, locations: places };
}
