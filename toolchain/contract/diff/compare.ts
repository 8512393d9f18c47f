/** Compares two contracts: what callers of the first one meet if they call the second. */

import type { AnyOperation, Contract, Operation } from "#convention/contract/contract";
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
  for (const [was, is] of matchOperations(before, after)) {
    const operation = is && is.method !== "ALL" ? is : (was ?? is);
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
): readonly AnyOperation[] {
  return matchOperations(before, after).flatMap(([was, is]) =>
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

type Matched = readonly [was: AnyOperation | undefined, is: AnyOperation | undefined];

/**
 * First those whose params have the same types, because an `int` and a `string` may be in the same place of two routes. What is left may
 * be answered by an `all` handler, on the other side.
 */
function matchOperations(before: Contract, after: Contract): readonly Matched[] {
  const left = new Set(operationsOf(before));
  const all = operationsOf(after);
  const matched = new Map<AnyOperation, AnyOperation>();
  for (const withTypes of [true, false]) {
    const keyOf = ({ method, segments }: AnyOperation): string =>
      `${method} ${shapeOfPath(segments, withTypes)}`;
    const known = new Map([...left].map((operation) => [keyOf(operation), operation]));
    for (const is of all) {
      const was = matched.has(is) ? undefined : known.get(keyOf(is));
      if (was === undefined || !left.delete(was)) continue;
      matched.set(is, was);
    }
  }
  const gone = [...left].map((was): Matched => [was, findCatchAll(was, after)]);
  return [...gone, ...all.map((is): Matched => [matched.get(is) ?? findCatchAll(is, before), is])];
}

function operationsOf({ operations, catchAlls = [] }: Contract): readonly AnyOperation[] {
  return [...operations, ...catchAlls];
}

/** @returns what answers every method that no other route of the path has. */
function findCatchAll(
  { method, segments }: AnyOperation,
  { catchAlls = [] }: Contract,
): AnyOperation | undefined {
  if (method === "ALL") return undefined;
  return catchAlls.find((one) => shapeOfPath(one.segments) === shapeOfPath(segments));
}

function noteGone(was: AnyOperation, hasOtherMethod: boolean, note: Note): void {
  const what = hasOtherMethod ? "api" : "api-path";
  note(`${what}-removed-${was.deprecated ? "with" : "without"}-deprecation`, ROUTE, { before: was.location });
}

function compareOperations(was: AnyOperation, is: AnyOperation, note: Note): void {
  const places = { before: was.location, after: is.location };
  if (was.method !== is.method)
    note(is.method === "ALL" ? "endpoint-answered-by-all" : "endpoint-added (was all)", ROUTE, places);
  else if (was.id !== is.id) note("api-operation-id-changed", ROUTE, places, { from: was.id, to: is.id });
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
