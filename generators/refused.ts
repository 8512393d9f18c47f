/** Why a generator does nothing: thrown where it is found, as wrong usage is, and caught once for each command. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";

export class Refused extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(...diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n"));
    this.diagnostics = diagnostics;
  }
}

/** Takes what `diagnose` takes. @throws {Refused} */
export function refuse<Code extends Parameters<typeof diagnose>[0]>(
  code: Code,
  details: Parameters<typeof diagnose<Code>>[1],
  ...locations: readonly Location[]
): never {
  throw new Refused(diagnose(code, details, ...locations));
}

/** Refuses a word of the command that can't be a name, a path or a field. @throws {Refused} */
export function refuseWord(why: string, hint: string): never {
  throw new Refused(diagnose("FW601", { why, hint }));
}

/** @returns what `act` returns, or why it refuses. */
export function orRefused<Result>(act: () => Result): Result | Refused {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
