/** The two contracts that are compared, each with the texts that it was read from. */

import { declarationsIn } from "#convention/contract/components";
import type { Contract } from "#convention/contract/contract";
import { readContract, readIds } from "#convention/contract/read";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { formatLocation } from "#convention/diagnostics/format";
import { readSources, type Sources } from "#convention/project";
import { createFiles, type Files } from "#convention/source/files";
import { reachable } from "#convention/wire/inner-shapes";
import type { Declared } from "#convention/wire/labels";
import type { TypedRoute } from "#convention/wire/typed-route";
import { CONFIG_FILE } from "#runtime/project-root";
import { ProjectError } from "../../load/project-error.ts";
import { createCommitFiles } from "./commit-files.ts";
import { findCommit, findMergeBase, openRepository, type Repository } from "./git.ts";
import { findShared, mayRename, type Shared } from "./shared.ts";

/** What was asked for: a ref, or undefined for the files as they are on disk. */
interface Asked {
  readonly ref?: string;
  readonly commit?: string;
}

/** One of the two sides. */
export interface Loaded extends Asked {
  /** Of the side before as much as {@link Loaded.contract} needs. */
  readonly sources: Sources;
  /** Of the routes that may differ; of all of them where one that is the same may have another id or type name. */
  readonly contract: Contract;
}

export interface LoadedPair extends Pick<Shared, "isSameSchema"> {
  readonly before: Loaded;
  readonly after: Loaded;
  /** All routes after that are not hidden. */
  readonly routes: readonly TypedRoute[];
  /** The places of those that may differ. */
  readonly differing: ReadonlySet<string>;
}

/**
 * @param refs one for the commit before the files on disk; two for two commits; `A...` for the commit at which this branch has left A, and
 *   `A...B` for the one at which B has.
 * @throws {Problem} where git can't say it. @throws {ProjectError} for a side with errors.
 */
export function loadBoth(root: string, refs: readonly string[]): LoadedPair {
  const repository = openRepository(root);
  const [asked, askedAfter] = resolveRange(repository, refs);
  const filesOf = ({ commit }: Asked): Files =>
    commit === undefined ? createFiles(root) : createCommitFiles(repository, commit);
  const files = filesOf(asked);
  const after = readSide(root, askedAfter, filesOf(askedAfter));
  const { isSame: hasSameTexts, isSameSchema } = findShared(files, after);
  const { routes } = after.project;
  // An `all` handler answers what a route of another file leaves to it.
  const catchAlls = new Set(routes.flatMap(({ method, module }) => (method === "ALL" ? [module] : [])));
  const isSame = (file: string): boolean => !catchAlls.has(file) && hasSameTexts(file);
  const same = routes.filter(({ module }) => isSame(module));
  const differing = routes.filter(({ module }) => !isSame(module));
  const ids = readIds(after, routes, true);
  // To read and compare what is the same takes as long as all the rest: 1.6 s or 3.4 s at 1,000 typed routes.
  const [before, contract, contractAfter] = readDiffering() ?? readAll();
  return {
    before: { ...asked, sources: before, contract },
    after: { ...askedAfter, sources: after, contract: contractAfter },
    routes: [...ids.keys()],
    differing: new Set(differing.map(({ location }) => formatLocation(location))),
    isSameSchema,
  };

  /** @returns undefined where a route that is the same may have another id or type name, or where there are errors. */
  function readDiffering(): Contracts | undefined {
    const contractAfter = readContract(after, { ids: pick(ids, differing) });
    const less = readSources(root, files, isSame);
    const idsBefore = readIds(less, [...less.project.routes, ...same], true);
    const declared = declarationsOf(same, after);
    const contract = readContract(less, { ids: pick(idsBefore, less.project.routes), declared });
    const hasOtherId = same.some((route) => idsBefore.get(route) !== ids.get(route));
    if (hasOtherId || mayRename(less, after, declared) || hasErrors(less.project.diagnostics))
      return undefined;
    return [less, contract, contractAfter];
  }

  function readAll(): Contracts {
    const whole = readSide(root, asked, files);
    const idsBefore = readIds(whole, whole.project.routes, true);
    return [whole, readContract(whole, { ids: idsBefore }), readContract(after, { ids })];
  }
}

type Contracts = readonly [sourcesBefore: Sources, before: Contract, after: Contract];

function pick(ids: ReadonlyMap<TypedRoute, string>, routes: readonly TypedRoute[]): Map<TypedRoute, string> {
  const only = new Set(routes);
  return new Map([...ids].filter(([route]) => only.has(route)));
}

/** The declarations of what routes take. */
function declarationsOf(routes: readonly TypedRoute[], { project, types }: Sources): readonly Declared[] {
  const takes = routes.flatMap((route) => [route, ...route.calls]).flatMap((one) => one.takes);
  const shapes = takes.map(({ shape }) => shape);
  return declarationsIn(reachable(shapes, project.definitions), types.shapes.naming);
}

function resolveRange(
  repository: Repository,
  [first = "", second]: readonly string[],
): readonly [Asked, Asked] {
  const commitOf = (ref: string): Asked => ({ ref, commit: findCommit(repository, ref) });
  // No ref may have two dots.
  const [, start = first, dots = "", to = second ?? ""] =
    (second === undefined && /^(.*?)(\.{2,3})(.*)$/s.exec(first)) || [];
  const from = start === "" && dots !== "" ? "HEAD" : start;
  const after = to === "" ? {} : commitOf(to);
  if (dots !== "...") return [commitOf(from), after];
  const commit = findMergeBase(repository, from, to || "HEAD");
  return [{ ref: commit.slice(0, 7), commit }, after];
}

/** Without a project there are no routes, whatever else there is. */
function readSide(root: string, { ref }: Asked, files: Files): Sources {
  const sources = readSources(root, files);
  const { project } = sources;
  if (!files.has(CONFIG_FILE)) return { ...sources, project: { ...project, routes: [] } };
  if (!hasErrors(project.diagnostics)) return sources;
  // As git writes a file of a commit.
  const start = ref === undefined ? "" : `${ref}:`;
  const placed = project.diagnostics.map((one) => {
    return { ...one, locations: one.locations.map((at) => ({ ...at, file: start + at.file })) };
  });
  throw new ProjectError(root, placed, (file) => files.read(file.slice(start.length)));
}
