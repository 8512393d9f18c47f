/**
 * All that can be said about a project's health without running it. A project may be broken in any way, and so may the vendored
 * framework itself: what reads the project is loaded by the checks that need it, and a check that fails is a diagnostic and not the end.
 */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isError, SEVERITIES } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { checkFrameworkInGit } from "./git.ts";
import { checkInstalled } from "./installed.ts";
import { checkNodeVersion } from "./node-version.ts";
import { checkPackageFile } from "./package-file.ts";
import { checkBuiltServer, checkEnvironmentFile, checkMainFile } from "./server.ts";
import { checkTypeCheck } from "./type-check.ts";
import { checkUpgrade, checkVendoredFiles } from "./vendored-files.ts";

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
  const readFiles = async (): Promise<Files> => (await import("#convention/source/files")).createFiles(root);
  return [
    { subject: "The vendored framework", run: async () => checkVendoredFiles(root) },
    { subject: "What git has of the framework", run: async () => checkFrameworkInGit(root) },
    { subject: "An upgrade under way", run: async () => checkUpgrade(root) },
    {
      subject: "The configuration and the routes",
      run: async () => {
        const { checkRoutes } = await import("#convention/rule/audit");
        return checkRoutes((await import("#convention/project")).readProject(root));
      },
    },
    { subject: "The main file", run: async () => checkMainFile(await readFiles()) },
    { subject: "package.json", run: async () => checkPackageFile(await readFiles()) },
    { subject: "The set-up of the type checker", run: async () => checkTypeCheck(root, await readFiles()) },
    { subject: "What is installed", run: async () => checkInstalled(root, await readFiles()) },
    { subject: "The built server", run: async () => checkBuiltServer(root) },
    { subject: ".env", run: async () => checkEnvironmentFile(root) },
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
