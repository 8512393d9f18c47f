/** What `--json` prints: one object, with the same fields whatever happened. */

import { type Outcome, toGitSetback, toInstallSetback, toNextCommands, toReplay } from "./outcome.ts";
import type { Advice } from "./refusal.ts";

interface Told {
  readonly message: string;
  readonly hint: string;
}

interface Report {
  /** True when the exit status is 0. */
  readonly ok: boolean;
  /** Why it is not. */
  readonly error: Told | null;
  /** What was made; null when nothing was. */
  readonly project: {
    readonly name: string;
    /** Absolute. */
    readonly directory: string;
    readonly files: number;
    readonly apps: readonly string[];
    /** True when it has no samples of any kind. */
    readonly bare: boolean;
    readonly packageManager: string;
    readonly installed: boolean;
    /** True when there is a repository of its own with one commit. */
    readonly committed: boolean;
  } | null;
  /** The commands to type next, from the folder that the run was started in. */
  readonly next: readonly string[];
  /** The command that makes the same project without a question. */
  readonly replay: string | null;
  readonly warnings: readonly Told[];
}

/** @param notices what was to be said before the project was made */
export function formatOutcomeJson(outcome: Outcome, notices: readonly Advice[]): string {
  const { name, directory, files, choices, installation, git } = outcome;
  const [failure, setback] = [toInstallSetback(outcome), toGitSetback(outcome)];
  return format({
    ok: failure === undefined,
    error: failure ? toTold(failure) : null,
    project: {
      name,
      directory,
      files,
      apps: choices.apps,
      bare: choices.bare,
      packageManager: choices.pm,
      installed: installation === "done",
      committed: git === "committed",
    },
    next: toNextCommands(outcome).map(({ command }) => command),
    replay: toReplay(choices, outcome.runner),
    warnings: [...notices, ...(setback ? [setback] : [])].map(toTold),
  });
}

export function formatRefusalJson(refusal: Advice, notices: readonly Advice[] = []): string {
  const warnings = notices.map(toTold);
  return format({ ok: false, error: toTold(refusal), project: null, next: [], replay: null, warnings });
}

function toTold({ problem, hint }: Advice): Told {
  return { message: problem, hint };
}

function format(report: Report): string {
  return JSON.stringify(report, null, 2);
}
