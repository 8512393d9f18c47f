/**
 * All that can be said about a project's health without running it. A project may be broken in any way, and so may the vendored
 * framework itself: a check that fails is a diagnostic, and not the end.
 */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, SEVERITIES } from "#convention/diagnostics/diagnostic";
import { createFiles, type Files } from "#convention/source/files";
import { checkFramework, checkUnfinished } from "./framework.ts";
import { checkModules } from "./modules.ts";
import { checkEngines, checkNode } from "./node.ts";
import { checkPackages } from "./packages.ts";
import { checkServer } from "./server.ts";

type Diagnostics = readonly Diagnostic[];

/** @param files of the project, as they are on disk. */
type Check = (root: string, files: Files) => Diagnostics | Promise<Diagnostics>;

/** By what each looks at, as the subject of a sentence. */
const CHECKS: Readonly<Record<string, Check>> = {
  "The version of Node.js": (_, files) => checkEngines(process.versions.node, files),
  "The vendored framework": checkFramework,
  "What earlier commands left": checkUnfinished,
  "The configuration and the routes": checkRoutes,
  "The main file and the migrations": (_, files) => checkModules(files),
  "package.json and what is installed": checkPackages,
  "The built server and .env": checkServer,
};

export interface Examination {
  readonly checks: number;
  /** Errors first, and those of a kind in the order of the checks. */
  readonly diagnostics: Diagnostics;
}

/**
 * @param root of the project, absolute.
 * @example (await examine("/home/ada/shop")).diagnostics.filter(isError)
 */
export async function examine(root: string): Promise<Examination> {
  const tooOld = checkNode(process.versions.node);
  // What else is wrong would only follow from it.
  if (tooOld.length > 0) return { checks: 1, diagnostics: tooOld };
  const found: Diagnostic[] = [];
  for (const [subject, check] of Object.entries(CHECKS))
    found.push(...(await runGuarded(subject, check, root)));
  const diagnostics = SEVERITIES.flatMap((wanted) => found.filter(({ severity }) => severity === wanted));
  return { checks: Object.keys(CHECKS).length, diagnostics };
}

async function runGuarded(subject: string, check: Check, root: string): Promise<Diagnostics> {
  try {
    return await check(root, createFiles(root));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [diagnose("FW839", { subject, why: why.replace(/\.$/, "") })];
  }
}

async function checkRoutes(root: string): Promise<Diagnostics> {
  const { checkRoutes } = await import("#convention/rule/audit");
  return checkRoutes((await import("#convention/project")).readProject(root));
}
