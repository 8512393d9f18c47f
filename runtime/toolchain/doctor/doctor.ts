/**
 * All that can be said about a project's health without running it. A project may be broken in any way, and so may the vendored
 * framework itself: each check loads what it needs when its turn comes, and one that fails is a diagnostic and not the end.
 */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { type Diagnostic, isError, SEVERITIES } from "#runtime/convention/diagnostics/diagnostic";
import type { Files } from "#runtime/convention/source/files";

/** One thing that is looked at. */
export interface Check {
  /** As the subject of a sentence: "What is installed". */
  readonly subject: string;
  readonly run: () => Promise<readonly Diagnostic[]>;
}

export interface Examination {
  readonly checks: number;
  /** Errors first, and those of a kind in the order of the checks. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param root of the project, absolute.
 * @param further checks of the caller's own.
 * @example (await examine("/home/ada/shop")).diagnostics.filter(isError)
 */
export async function examine(root: string, further: readonly Check[] = []): Promise<Examination> {
  const { checkNodeVersion } = await import("./node-version.ts");
  const found = [checkNodeVersion(process.versions.node)];
  // On a version that is too old, what else is wrong would only be what follows from it.
  const checks = found.flat().some(isError) ? [] : [...listChecks(root), ...further];
  for (const check of checks) found.push(await runGuarded(check));
  const diagnostics = SEVERITIES.flatMap((wanted) =>
    found.flat().filter(({ severity }) => severity === wanted),
  );
  return { checks: found.length, diagnostics };
}

function listChecks(root: string): Check[] {
  const readFiles = async (): Promise<Files> =>
    (await import("#runtime/convention/source/files")).createFiles(root);
  return [
    {
      subject: "The vendored framework",
      run: async () => (await import("./vendored-files.ts")).checkVendoredFiles(root),
    },
    {
      subject: "What git has of the framework",
      run: async () => (await import("./git.ts")).checkFrameworkInGit(root),
    },
    {
      subject: "An upgrade under way",
      run: async () => (await import("./vendored-files.ts")).checkUpgrade(root),
    },
    {
      subject: "The configuration and the routes",
      run: async () => (await import("#runtime/convention/project")).readProject(root).diagnostics,
    },
    {
      subject: "The main file",
      run: async () => (await import("./server.ts")).checkMainFile(await readFiles()),
    },
    {
      subject: "package.json",
      run: async () => (await import("./package-file.ts")).checkPackageFile(await readFiles()),
    },
    {
      subject: "The set-up of the type checker",
      run: async () => (await import("./type-check.ts")).checkTypeCheck(root, await readFiles()),
    },
    {
      subject: "What is installed",
      run: async () => (await import("./installed.ts")).checkInstalled(root, await readFiles()),
    },
    {
      subject: "The built server",
      run: async () => (await import("./server.ts")).checkBuiltServer(root),
    },
    {
      subject: ".env",
      run: async () => (await import("./environment-file.ts")).checkEnvironmentFile(root),
    },
  ];
}

async function runGuarded({ subject, run }: Check): Promise<readonly Diagnostic[]> {
  try {
    return await run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [diagnose("FW839", { subject, why: why.replace(/\.$/, "") })];
  }
}
