/** The two contracts that are compared, each with the texts that it was read from. */

import type { Contract } from "#convention/contract/contract";
import { readContract } from "#convention/contract/read";
import { type Diagnostic, hasErrors } from "#convention/diagnostics/diagnostic";
import { formatLocation } from "#convention/diagnostics/format";
import { readSources, type Sources } from "#convention/project";
import { createFiles, type Files } from "#convention/source/files";
import type { TypedRoute } from "#convention/wire/typed-route";
import { CONFIG_FILE } from "#runtime/project-root";
import { ProjectError } from "../../load/project-error.ts";
import { findDiffering } from "./alike.ts";
import { createCommitFiles } from "./commit-files.ts";
import { findCommit, findMergeBase, openRepository, type Repository } from "./repository.ts";

/** One of the two sides. */
export interface Loaded extends Asked {
  readonly sources: Sources;
  readonly contract: Contract;
  /** The places of the routes whose texts are not the same on both sides. */
  readonly mayDiffer: ReadonlySet<string>;
  /** There is no project, so it has no routes. */
  readonly isMissing: boolean;
}

interface Asked {
  /** As it was asked for: a ref, or undefined for the files as they are on disk. */
  readonly ref: string | undefined;
  readonly commit: string | undefined;
}

/** The errors of a project as it was at a ref. */
export class RefError extends ProjectError {
  readonly ref: string;

  constructor(root: string, ref: string, diagnostics: readonly Diagnostic[], files: Files) {
    super(root, diagnostics, (file) => files.read(file));
    this.ref = ref;
  }
}

/**
 * @param refs one for the commit before the files on disk; two for two commits; `A...` for the commit at which this branch has left A, and
 *   `A...B` for the one at which B has.
 * @throws {Problem} where git can't say it. @throws {ProjectError} for a project with errors, a {@link RefError} for that of a ref.
 */
export function loadBoth(root: string, refs: readonly string[]): readonly [Loaded, Loaded] {
  const repository = openRepository(root);
  const [one, other] = resolveRange(repository, refs).map((asked) => ({
    ...asked,
    sources: readSide(repository, asked),
  }));
  if (one === undefined || other === undefined) throw new Error("A range has two sides.");
  const [before, after] = findDiffering(one.sources, other.sources);
  return [toLoaded(one, before), toLoaded(other, after)];
}

/** So many digits of a commit's name are shown. */
const SHORT = 7;
const ON_DISK: Asked = { ref: undefined, commit: undefined };

function resolveRange(
  repository: Repository,
  [first = "", second]: readonly string[],
): readonly [Asked, Asked] {
  const commitOf = (ref: string): Asked => ({ ref, commit: findCommit(repository, ref) });
  if (second !== undefined) return [commitOf(first), commitOf(second)];
  // No ref may have two dots.
  const [, start = first, dots, to = ""] = /^(.*?)(\.{2,3})(.*)$/s.exec(first) ?? [];
  const from = start === "" && dots !== undefined ? "HEAD" : start;
  const after = to === "" ? ON_DISK : commitOf(to);
  if (dots !== "...") return [commitOf(from), after];
  const base = findMergeBase(repository, from, to === "" ? "HEAD" : to);
  return [{ ref: base.slice(0, SHORT), commit: base }, after];
}

function readSide(repository: Repository, { ref, commit }: Asked): Sources {
  const { root } = repository;
  const files = commit === undefined ? createFiles(root) : createCommitFiles(repository, commit);
  const sources = readSources(root, files);
  const { diagnostics } = sources.project;
  if (!files.has(CONFIG_FILE) || !hasErrors(diagnostics)) return sources;
  throw ref === undefined ? new ProjectError(root, diagnostics) : new RefError(root, ref, diagnostics, files);
}

type Side = Omit<Loaded, "contract" | "mayDiffer" | "isMissing">;

/** Without a project there are no routes, whatever else there is. */
function toLoaded({ sources, ...side }: Side, differing: readonly TypedRoute[]): Loaded {
  const isMissing = !sources.files.has(CONFIG_FILE);
  const project = isMissing ? { ...sources.project, routes: [] } : sources.project;
  const mayDiffer = new Set(differing.map(({ location }) => formatLocation(location)));
  return { ...side, sources, contract: readContract({ ...sources, project }), mayDiffer, isMissing };
}
