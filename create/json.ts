/** Formats what `--json` prints: one object, with the same fields whatever happened. */

import {
  type Outcome,
  toGitSetback,
  toInstallSetback,
  toNextCommands,
  toNodeSetback,
  toReplay,
} from "./outcome.ts";
import type { Advice } from "./refusal.ts";

interface Report {
  /** True if the exit status is 0. */
  readonly ok: boolean;
  /** Why it is not 0. */
  readonly error: ReturnType<typeof toMessage> | null;
  /** Null if nothing was created. */
  readonly project: ReturnType<typeof toProject> | null;
  /** The commands to type next, in the folder where the run was started. */
  readonly next: readonly string[];
  /** The command that creates the same project without a question. */
  readonly replay: string | null;
  readonly warnings: readonly ReturnType<typeof toMessage>[];
}

/** @param notices what to know before the project is created */
export function formatOutcomeJson(outcome: Outcome, notices: readonly Advice[]): string {
  const failure = toInstallSetback(outcome);
  const setbacks = [toGitSetback(outcome), toNodeSetback(outcome)].filter((setback) => setback !== undefined);
  return format({
    ok: failure === undefined,
    error: failure ? toMessage(failure) : null,
    project: toProject(outcome),
    next: toNextCommands(outcome).map(({ command }) => command),
    replay: toReplay(outcome.choices, outcome.runner),
    warnings: [...notices, ...setbacks].map(toMessage),
  });
}

export function formatRefusalJson(refusal: Advice, notices: readonly Advice[] = []): string {
  const warnings = notices.map(toMessage);
  return format({ ok: false, error: toMessage(refusal), project: null, next: [], replay: null, warnings });
}

/** The directory is absolute, and `bare` means without samples of any kind. */
function toProject({ name, directory, files, choices, installation, git }: Outcome) {
  return {
    name,
    directory,
    files,
    apps: choices.apps,
    bare: choices.bare,
    database: choices.database ?? null,
    packageManager: choices.pm,
    installed: installation === "done",
    committed: git === "committed",
  };
}

function toMessage({ problem, hint }: Advice) {
  return { message: problem, hint };
}

function format(report: Report): string {
  return JSON.stringify(report, null, 2);
}
