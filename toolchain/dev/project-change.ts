/** What has become of a project since it was read before: little enough to send it to each process after each change. */

import type { Project } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { Shape } from "#runtime/wire/shape";

export interface ProjectChange {
  readonly routes: readonly Piece<TypedRoute>[];
  readonly definitions: readonly Piece<Definition>[];
  readonly rest: Omit<Project, "routes" | "definitions">;
}

type Definition = readonly [name: string, shape: Shape];

/** Part of a list: new items, or some of the list before. */
type Piece<T> = { readonly added: readonly T[] } | { readonly from: number; readonly to: number };

/**
 * @param before what the one who will apply the change has; undefined for nothing.
 * @example applyChange(before, describeChange(before, after)) // deep-equals `after`
 */
export function describeChange(before: Project | undefined, after: Project): ProjectChange {
  const { routes, definitions, ...rest } = after;
  return {
    routes: compareLists(before?.routes ?? [], routes),
    definitions: compareLists(toList(before), toList(after)),
    rest,
  };
}

export function applyChange(before: Project | undefined, change: ProjectChange): Project {
  return {
    ...change.rest,
    routes: joinPieces(before?.routes ?? [], change.routes),
    definitions: Object.fromEntries(joinPieces(toList(before), change.definitions)),
  };
}

function toList(project: Project | undefined): Definition[] {
  return Object.entries(project?.definitions ?? {});
}

/** Workers get items as JSON, so those with the same JSON are the same to them. */
function compareLists<T>(before: readonly T[], after: readonly T[]): Piece<T>[] {
  const places = new Map(before.map((item, place) => [JSON.stringify(item), place]));
  const pieces: ({ readonly added: T[] } | { readonly from: number; to: number })[] = [];
  for (const item of after) {
    const place = places.get(JSON.stringify(item));
    const last = pieces.at(-1);
    if (place === undefined) {
      if (last && "added" in last) last.added.push(item);
      else pieces.push({ added: [item] });
    } else if (last && "to" in last && last.to === place) last.to += 1;
    else pieces.push({ from: place, to: place + 1 });
  }
  return pieces;
}

function joinPieces<T>(before: readonly T[], pieces: readonly Piece<T>[]): T[] {
  return pieces.flatMap((piece) => ("added" in piece ? piece.added : before.slice(piece.from, piece.to)));
}
