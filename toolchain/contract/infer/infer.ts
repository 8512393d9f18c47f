/** Finds what TypeScript infers as the results of the project's functions that write no return type. */

import { readAhead } from "#convention/contract/read";
import type { Inferred } from "#convention/contract/results/returned";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explainSystemError } from "#convention/diagnostics/system-error";
import type { Sources } from "#convention/project";
import { parseModule } from "#convention/source/reader";
import { Trees } from "#convention/source/syntax";
import type { ScopedType } from "#convention/wire/scope";
import { nearestLockfile } from "../../lockfile.ts";
import { type Started, startAhead, startCompiler } from "./ahead.ts";
import { findCompiler } from "./compiler.ts";
import { type Complaint, isAboutNames, quieten } from "./complaints.ts";
import { readReturnType } from "./declared.ts";
import { keyOf, listWanted, type Wanted } from "./wanted.ts";
import { toDeclarationFile, type WorkspaceOptions } from "./workspace.ts";

export interface InferredResults {
  readonly inferred: Inferred;
  /** Infos: what is not known, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs the project's own `tsc` over copies of its sources, and nothing else of it. What is wrong with the project is a diagnostic, never
 * an exception.
 */
export async function inferResults(
  sources: Sources,
  options: WorkspaceOptions = {},
): Promise<InferredResults> {
  return infer(sources, undefined, options);
}

/**
 * As {@link inferResults}, and starts TypeScript first.
 *
 * @param read reads the project in the folder, from the disk.
 */
export async function inferWhileReading(
  root: string,
  read: (trees: Trees) => Sources,
): Promise<[Sources, InferredResults]> {
  const trees = new Trees();
  const ahead = startAhead(root, trees);
  try {
    const sources = read(trees);
    if (ahead) readAhead(sources);
    return [sources, await infer(sources, ahead, {})];
  } finally {
    ahead?.workspace.close();
  }
}

async function infer(
  sources: Sources,
  ahead: Started | undefined,
  options: WorkspaceOptions,
): Promise<InferredResults> {
  const wanted = listWanted(sources);
  if (wanted.size === 0) return unknown();
  const files = new Set([...wanted.values()].map(({ module }) => module.file));
  const isEnough = [...files].every((file) => ahead?.copies.texts.has(file));
  if (!isEnough) ahead?.workspace.close();
  const started = ahead && isEnough ? ahead : start(sources, [...files], options);
  if (started === undefined) return unknown();
  if ("code" in started) return unknown(started);
  try {
    const declared = await declare(started, files);
    if (typeof declared === "string") return unknown(notInferred(`\`tsc\` ${declared}`));
    return readResults(sources, wanted, declared, started);
  } finally {
    started.workspace.close();
  }
}

function start(
  { project: { root }, files, types: { modules } }: Sources,
  wanted: readonly string[],
  options: WorkspaceOptions,
): Started | Diagnostic | undefined {
  const program = findCompiler(root);
  if (program === undefined)
    return notInferred(
      "`typescript` is not installed",
      `Run \`${nearestLockfile(root)?.command ?? "npm install"}\``,
    );
  try {
    return startCompiler(root, program, { files, modules, trees: new Trees(), wanted }, options);
  } catch (error) {
    return notInferred(`its copies can't be written: ${explainSystemError(error)}`);
  }
}

function notInferred(why: string, hint = "Run `npm run typecheck` to see more"): Diagnostic {
  return diagnose("FW920", { why, hint });
}

function unknown(...diagnostics: readonly Diagnostic[]): InferredResults {
  return { inferred: () => undefined, diagnostics };
}

interface Declared {
  /** The texts of the declarations, by the files of the copies. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why the types of functions can't be written, by {@link keyOf} of file and name; the name "" is for all of the file. */
  readonly withheld: ReadonlyMap<string, Complaint>;
}

/** How often copies are changed so that TypeScript writes the rest of them: one complaint may hide another. */
const MOST_RUNS = 3;

/** @returns why there are no declarations, where there are none. */
async function declare(
  { workspace, program, copies, compiling }: Started,
  files: ReadonlySet<string>,
): Promise<Declared | string> {
  const texts = new Map<string, string>();
  const withheld = new Map<string, Complaint>();
  const current = new Map(copies.texts);
  let missing: readonly string[] = [...files];
  for (let run = 1; missing.length > 0; run++) {
    const { complaints, failure, words } = await (run === 1
      ? compiling
      : workspace.compile(program, current.keys()));
    if (failure !== undefined) return [failure, words].filter(Boolean).join(": ");
    for (const file of missing) {
      const text = workspace.readDeclarations(file);
      if (text !== undefined) texts.set(file, text);
    }
    const changed = new Map<string, string>();
    for (const file of missing) {
      if (texts.has(file)) continue;
      const own = complaints.filter((one) => one.file === file && isAboutNames(one));
      const quieted = quieten(current.get(file) ?? "", file, run < MOST_RUNS ? own : []);
      if (quieted.withheld.size > 0) changed.set(file, quieted.text);
      else if (own[0]) withheld.set(keyOf(file, ""), own[0]);
      for (const [name, complaint] of quieted.withheld) withheld.set(keyOf(file, name), complaint);
    }
    if (texts.size === 0 && withheld.size === 0) return `wrote nothing: ${words}`;
    missing = [...changed.keys()];
    workspace.write(changed);
    for (const [file, text] of changed) current.set(file, text);
  }
  return { texts, withheld };
}

/** Interfaces and classes, as TypeScript writes them. Those of the originals count, and to parse them takes long. */
const BLOCKS = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class) .*\{\n(?: .*\n)*\}\n/gm;

function readResults(
  { types: { modules } }: Sources,
  wanted: Wanted,
  { texts, withheld }: Declared,
  { copies: { hidden }, workspace: { home } }: Started,
): InferredResults {
  const declarations = new Map(
    [...texts].map(([file, text]) => [file, parseModule(text.replace(BLOCKS, ""), toDeclarationFile(file))]),
  );
  const known = new Map<string, ScopedType>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, { module, name, location }] of wanted) {
    const complaint = withheld.get(keyOf(module.file, name)) ?? withheld.get(keyOf(module.file, ""));
    const found = declarations.get(module.file);
    if (complaint) diagnostics.push(diagnose("FW922", { name, why: complaint.message }, location));
    const type =
      complaint || !found
        ? undefined
        : readReturnType(found, name, { module, modules, hidden, home }, location);
    if (type) known.set(key, type);
  }
  return { inferred: (file, exported) => known.get(keyOf(file, exported)), diagnostics };
}
