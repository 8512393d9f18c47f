/** Compares two contracts: what callers of the first one meet if they call the second. */

import type { Contract, Operation } from "#convention/contract/contract";
import { formatLocation } from "#convention/diagnostics/format";
import type { SchemaShape } from "#runtime/wire/shape";
import { type At, note } from "./note.ts";
import { compareOperations } from "./operations.ts";
import { type Difference, LEVELS } from "./rules.ts";

export interface CompareOptions {
  /** Whether two values that check by themselves take the same; without it, whether they have the same name in the same file. */
  readonly isSameSchema?: (before: SchemaShape, after: SchemaShape) => boolean;
  /** All routes of the second side, where its contract has not all of them. */
  readonly routes?: readonly Pick<Operation, "segments">[];
}

/** @returns breaking differences first, then risky ones, then others; the routes in the order of the second contract. */
export function compareContracts(
  before: Contract,
  after: Contract,
  { isSameSchema = hasSameName, routes = operationsOf(after) }: CompareOptions = {},
): readonly Difference[] {
  const paths = new Set(routes.map(({ segments }) => shapeOfPath(segments)));
  const all = matchOperations(before, after).flatMap(([was, is]) => {
    const route = is && is.method !== "ALL" ? is : (was ?? is);
    if (route === undefined) return [];
    const differences = new Map<string, Difference>();
    const [old, now] = [before.definitions, after.definitions];
    const at: At = {
      scope: { before: old, after: now, isSameSchema, route, differences },
      where: { side: "route" },
      path: [],
      before: was?.location,
      after: is?.location,
      asText: false,
      met: new Map(),
    };
    if (was && is) compareOperations(was, is, at);
    else if (was) noteGone(was, paths.has(shapeOfPath(was.segments)), at);
    else note(at, "endpoint-added");
    return [...differences.values()];
  });
  return all.sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

/**
 * @param differing the places of the routes that may differ.
 * @returns routes of the second contract with results of which something is not known. One that became known is a difference.
 */
export function listUncompared(
  before: Contract,
  after: Contract,
  differing: ReadonlySet<string>,
): readonly Operation[] {
  return matchOperations(before, after).flatMap(([was, is]) =>
    was && is?.isOpen && differing.has(formatLocation(is.location)) ? [is] : [],
  );
}

function hasSameName(before: SchemaShape, after: SchemaShape): boolean {
  return before.file === after.file && before.exported === after.exported;
}

type Segments = Operation["segments"];

/** The names of params don't count. */
function shapeOfPath(segments: Segments, withTypes = false): string {
  const parts = segments.map((segment) => {
    if (typeof segment === "string") return `/${segment}`;
    return withTypes ? `<${segment.type}>` : "<>";
  });
  return JSON.stringify(parts);
}

type Matched = readonly [was: Operation | undefined, is: Operation | undefined];

/**
 * First those whose params have the same types, because an `int` and a `string` may be in the same place of two routes. What is left may
 * be answered by an `all` handler, on the other side.
 */
function matchOperations(before: Contract, after: Contract): readonly Matched[] {
  const left = new Set(operationsOf(before));
  const all = operationsOf(after);
  const matched = new Map<Operation, Operation>();
  for (const withTypes of [true, false]) {
    const keyOf = ({ method, segments }: Operation): string =>
      `${method} ${shapeOfPath(segments, withTypes)}`;
    const known = new Map([...left].map((operation) => [keyOf(operation), operation]));
    for (const is of all) {
      const was = matched.has(is) ? undefined : known.get(keyOf(is));
      if (was !== undefined && left.delete(was)) matched.set(is, was);
    }
  }
  const gone = [...left].map((was): Matched => [was, findCatchAll(was, after)]);
  return [...gone, ...all.map((is): Matched => [matched.get(is) ?? findCatchAll(is, before), is])];
}

function operationsOf({ operations, catchAlls = [] }: Contract): readonly Operation[] {
  return [...operations, ...catchAlls];
}

/** @returns what answers every method that no other route of the path has. */
function findCatchAll({ method, segments }: Operation, { catchAlls = [] }: Contract): Operation | undefined {
  if (method === "ALL") return undefined;
  return catchAlls.find((one) => shapeOfPath(one.segments) === shapeOfPath(segments));
}

function noteGone({ deprecated }: Operation, hasOtherMethod: boolean, at: At): void {
  note(at, `${hasOtherMethod ? "api" : "api-path"}-removed-${deprecated ? "with" : "without"}-deprecation`);
}
