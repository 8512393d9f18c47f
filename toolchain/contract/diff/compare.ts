/** Compares two contracts: what callers of the first one meet if they call the second. */

import type { Contract, Operation } from "#convention/contract/contract";
import { formatLocation } from "#convention/diagnostics/format";
import type { SchemaShape } from "#runtime/wire/shape";
import { compareAnswers } from "./answers.ts";
import { type Difference, LEVELS } from "./difference.ts";
import { compareCredentials, compareInputs } from "./inputs.ts";
import { createNote, type Note } from "./operation.ts";
import { createShapeComparison } from "./shapes.ts";

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
  { isSameSchema = hasSameName, routes = after.operations }: CompareOptions = {},
): readonly Difference[] {
  const differences: Difference[] = [];
  const compare = createShapeComparison(before.definitions, after.definitions, isSameSchema);
  const paths = new Set(routes.map(({ segments }) => shapeOfPath(segments)));
  for (const [was, is] of matchOperations(before.operations, after.operations)) {
    const operation = is ?? was;
    if (operation === undefined) continue;
    const note = createNote(operation, differences, compare);
    if (was && is) compareOperations(was, is, note);
    else if (was) noteGone(was, paths.has(shapeOfPath(was.segments)), note);
    else note("endpoint-added", ROUTE, { after: operation.location });
  }
  return differences.sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
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
  return matchOperations(before.operations, after.operations).flatMap(([was, is]) =>
    was && is?.isOpen && differing.has(formatLocation(is.location)) ? [is] : [],
  );
}

const ROUTE = { side: "route", pointer: "" } as const;

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

/** First those whose params have the same types, because an `int` and a `string` may be in the same place of two routes. */
function matchOperations(before: readonly Operation[], after: readonly Operation[]): readonly Matched[] {
  const matched = new Map<Operation, Operation>();
  const left = new Set(before);
  for (const withTypes of [true, false]) {
    const keyOf = ({ method, segments }: Operation): string =>
      `${method} ${shapeOfPath(segments, withTypes)}`;
    const known = new Map([...left].map((operation) => [keyOf(operation), operation]));
    for (const is of after) {
      const was = matched.has(is) ? undefined : known.get(keyOf(is));
      if (was === undefined || !left.delete(was)) continue;
      matched.set(is, was);
    }
  }
  const gone = [...left].map((was): Matched => [was, undefined]);
  return [...gone, ...after.map((is): Matched => [matched.get(is), is])];
}

function noteGone(was: Operation, hasOtherMethod: boolean, note: Note): void {
  const what = hasOtherMethod ? "api" : "api-path";
  note(`${what}-removed-${was.deprecated ? "with" : "without"}-deprecation`, ROUTE, { before: was.location });
}

function compareOperations(was: Operation, is: Operation, note: Note): void {
  const places = { before: was.location, after: is.location };
  if (was.id !== is.id) note("api-operation-id-changed", ROUTE, places, { from: was.id, to: is.id });
  if (was.deprecated !== is.deprecated)
    note(is.deprecated ? "endpoint-deprecated" : "endpoint-reactivated", ROUTE, places);
  if (was.tag !== is.tag) {
    const [from, to] = [was, is].map(({ tag = "" }) => JSON.stringify(tag));
    note("api-tag-changed", ROUTE, places, { from, to });
  }
  compareInputs(was, is, note);
  compareCredentials(was, is, note);
  compareAnswers(was, is, note);
}
