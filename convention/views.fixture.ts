/** For tests: projects in memory whose handlers are in one file, and tables of what is read of them. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Project, readProject } from "./project.ts";

export const VIEWS = "apps/a/views.ts";

export type Files = Readonly<Record<string, string>>;

/** An app with one `views.ts`, of which nothing is on disk. */
export function readViews(source: string, others: Files = {}): Project {
  const files = { "framework.toml": 'apps = ["a"]', "apps/a/app.toml": "", [VIEWS]: source, ...others };
  return readProject("/nowhere", new Map(Object.entries(files)));
}

/** As in `FW315 2:23`. A place in another file has the file before it. */
export function summarizeDiagnostics({ diagnostics }: Project): string[] {
  return diagnostics.map(({ code, locations: [location] }) => {
    const file = location?.file === VIEWS ? "" : `${location?.file}:`;
    return `${code} ${file}${location?.line}:${location?.column}`;
  });
}

export type Case = readonly [source: string, read: string, others?: Files];

/**
 * @param summarize what was read of a project, in one line.
 * @param base files of each project.
 * @returns a function that tests a table of sources, each with the imports before it.
 */
export function createCheck(
  summarize: (project: Project) => string,
  base: Files = {},
): (title: string, imports: string, cases: readonly Case[]) => void {
  return (title, imports, cases) =>
    test(title, () => {
      for (const [source, expected, others] of cases)
        assert.is(summarize(readViews(imports + source, { ...base, ...others })), expected, source);
    });
}
