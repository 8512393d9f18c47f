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
import { createCommitFiles } from "./commit-files.ts";
import { type Differing, findDiffering, mayRename } from "./differing.ts";
import { findCommit, findMergeBase, openRepository, type Repository } from "./repository.ts";

/** One of the two sides. */
export interface Loaded extends Asked {
  readonly sources: Sources;
  /** Of the routes that may differ, and of all of them where a type may have another name. */
  readonly contract: Contract;
  /** The places of the routes that may differ. */
  readonly differing: ReadonlySet<string>;
  /** There is no project, so it has no routes. */
  readonly isMissing: boolean;
}

export interface LoadedPair extends Pick<Differing, "isSameSchema"> {
  readonly before: Loaded;
  readonly after: Loaded;
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
export function loadBoth(root: string, refs: readonly string[]): LoadedPair {
  const repository = openRepository(root);
  const [one, other] = resolveRange(repository, refs).map((asked) => ({
    ...asked,
    sources: readSide(repository, asked),
  }));
  if (one === undefined || other === undefined) throw new Error("A range has two sides.");
  const differing = findDiffering(one.sources, other.sources);
  const [before, after] = [readOnly(one, differing.before), readOnly(other, differing.after)];
  if (!mayRename(one.sources, other.sources)) return { before, after, isSameSchema: differing.isSameSchema };
  const whole = (side: Loaded): Loaded => ({ ...side, contract: readContract(side.sources) });
  return { before: whole(before), after: whole(after), isSameSchema: differing.isSameSchema };
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

/** Without a project there are no routes, whatever else there is. */
function readSide(repository: Repository, { ref, commit }: Asked): Sources {
  const { root } = repository;
  const files = commit === undefined ? createFiles(root) : createCommitFiles(repository, commit);
  const sources = readSources(root, files);
  const { project } = sources;
  if (!files.has(CONFIG_FILE)) return { ...sources, project: { ...project, routes: [] } };
  if (!hasErrors(project.diagnostics)) return sources;
  throw ref === undefined
    ? new ProjectError(root, project.diagnostics)
    : new RefError(root, ref, project.diagnostics, files);
}

function readOnly(side: Asked & Pick<Loaded, "sources">, only: ReadonlySet<TypedRoute>): Loaded {
  const { sources } = side;
  return {
    ...side,
    contract: readContract(sources, { only }),
    differing: new Set([...only].map(({ location }) => formatLocation(location))),
    isMissing: !sources.files.has(CONFIG_FILE),
  };
}
