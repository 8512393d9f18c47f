/** Finds what TypeScript infers as the results of the project's functions that write no return type. */

import type { Inferred } from "#convention/contract/results/returned";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explainSystemError } from "#convention/diagnostics/system-error";
import type { Sources } from "#convention/project";
import { parseModule } from "#convention/source/reader";
import type { ScopedType } from "#convention/wire/scope";
import { nearestLockfile } from "../../lockfile.ts";
import { findCompiler } from "./compiler.ts";
import { copySources } from "./copies.ts";
import { readReturnType } from "./declared.ts";
import { keyOf, listWanted, type Wanted } from "./wanted.ts";
import {
  type Compilation,
  openWorkspace,
  toDeclarationFile,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace.ts";

export interface InferredResults {
  readonly inferred: Inferred;
  /** Infos: what is not known, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs the project's own `tsc` once over copies of its sources, and nothing else of it. What is wrong with the project is a diagnostic,
 * never an exception.
 */
export async function inferResults(
  sources: Sources,
  options: WorkspaceOptions = {},
): Promise<InferredResults> {
  const { root } = sources.project;
  const wanted = listWanted(sources);
  if (wanted.size === 0) return unknown();
  const program = findCompiler(root);
  if (program === undefined)
    return unknown(
      notInferred(
        "`typescript` is not installed",
        `Run \`${nearestLockfile(root)?.command ?? "npm install"}\``,
      ),
    );
  let workspace: Workspace | undefined;
  try {
    workspace = openWorkspace(root, options);
    const copies = copySources(sources, wanted, workspace.home);
    workspace.write(copies);
    const compilation = await workspace.compile(program, copies.keys());
    return readResults(sources, wanted, compilation, workspace);
  } catch (error) {
    return unknown(notInferred(`its copies can't be written: ${explainSystemError(error)}`));
  } finally {
    workspace?.close();
  }
}

function notInferred(why: string, hint = "Run `npm run typecheck` to see more"): Diagnostic {
  return diagnose("FW920", { why, hint });
}

function unknown(...diagnostics: readonly Diagnostic[]): InferredResults {
  return { inferred: () => undefined, diagnostics };
}

function readResults(
  { types: { modules } }: Sources,
  wanted: Wanted,
  { complaints, failure }: Compilation,
  { home, readDeclarations }: Workspace,
): InferredResults {
  const files = new Set([...wanted.values()].map(({ module }) => module.file));
  const declarations = new Map(
    [...files].flatMap((file) => {
      const text = failure === undefined ? readDeclarations(file) : undefined;
      return text === undefined ? [] : [[file, parseModule(text, toDeclarationFile(file))] as const];
    }),
  );
  if (declarations.size === 0 && complaints.size === 0)
    return unknown(notInferred(`\`tsc\` ${failure ?? "wrote nothing"}`));
  const known = new Map<string, ScopedType>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, { module, name, location }] of wanted) {
    const found = declarations.get(module.file);
    const why = complaints.get(module.file);
    if (!found && why !== undefined) diagnostics.push(diagnose("FW922", { name, why }, location));
    const type = found && readReturnType(found, name, { module, modules, home }, location);
    if (type) known.set(key, type);
  }
  return { inferred: (file, exported) => known.get(keyOf(file, exported)), diagnostics };
}
