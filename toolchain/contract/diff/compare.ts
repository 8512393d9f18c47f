/** Compares two contracts: what callers of the first one meet if they call the second. */

import type { AnyOperation, Contract, Credential } from "#convention/contract/contract";
import { nameScheme } from "#convention/contract/inputs";
import { formatLocation } from "#convention/diagnostics/format";
import type { SchemaShape } from "#runtime/wire/shape";
import { compareAnswers } from "./answers.ts";
import { type Difference, LEVELS } from "./difference.ts";
import { compareInputs } from "./inputs.ts";
import { type At, note } from "./note.ts";
import { pairUp } from "./pairs.ts";

export interface CompareOptions {
  /** Whether two values that check by themselves take the same; without it, whether they have the same name in the same file. */
  readonly isSameSchema?: (before: SchemaShape, after: SchemaShape) => boolean;
  /** All routes of the second side, where its contract has not all of them. */
  readonly routes?: readonly Pick<AnyOperation, "segments">[];
}

/** @returns breaking differences first, then risky ones, then others; the routes in the order of the second contract. */
export function compareContracts(
  before: Contract,
  after: Contract,
  { isSameSchema = hasSameName, routes = operationsOf(after) }: CompareOptions = {},
): readonly Difference[] {
  const differences: Difference[] = [];
  const paths = new Set(routes.map(({ segments }) => shapeOfPath(segments)));
  for (const [was, is] of matchOperations(before, after)) {
    const route = is && is.method !== "ALL" ? is : (was ?? is);
    if (route === undefined) continue;
    const found = new Map<string, Difference>();
    const at: At = {
      scope: {
        before: before.definitions,
        after: after.definitions,
        isSameSchema,
        route,
        differences: found,
      },
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
    differences.push(...found.values());
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

function hasSameName(before: SchemaShape, after: SchemaShape): boolean {
  return before.file === after.file && before.exported === after.exported;
}

type Segments = AnyOperation["segments"];

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

function noteGone({ deprecated }: AnyOperation, hasOtherMethod: boolean, at: At): void {
  note(at, `${hasOtherMethod ? "api" : "api-path"}-removed-${deprecated ? "with" : "without"}-deprecation`);
}

function compareOperations(was: AnyOperation, is: AnyOperation, at: At): void {
  if (was.method !== is.method)
    note(at, is.method === "ALL" ? "endpoint-answered-by-all" : "endpoint-added (was all)");
  else if (was.id !== is.id) note(at, "api-operation-id-changed", { from: was.id, to: is.id });
  if (was.deprecated !== is.deprecated)
    note(at, is.deprecated ? "endpoint-deprecated" : "endpoint-reactivated");
  if (was.tag !== is.tag) {
    const [from, to] = [was, is].map(({ tag = "" }) => JSON.stringify(tag));
    note(at, "api-tag-changed", { from, to });
  }
  compareInputs(was, is, at);
  for (const [one, other] of pairUp(was.credentials, is.credentials, nameCredential))
    compareCredential(one, other, at);
  compareAnswers(was.answers, is.answers, at);
}

function compareCredential(was: Credential | undefined, is: Credential | undefined, around: At): void {
  const at: At = {
    ...around,
    where: { side: "request", in: "credentials" },
    before: was?.location,
    after: is?.location,
  };
  const it = nameCredential((was ?? is) as Credential);
  if (!is) note(at, "api-security-removed", { it });
  else if (!was) note(at, is.required ? "api-security-added" : "api-security-added (optional)", { it });
  else if (was.required !== is.required)
    note(at, `api-security-became-${is.required ? "required" : "optional"}`, { it });
}

function nameCredential({ scheme }: Credential): string {
  if (scheme.type === "apiKey") return `an API key in the ${scheme.in} \`${scheme.name}\``;
  const name = nameScheme(scheme);
  if (name === "bearer") return "a bearer token";
  return name === "basic" ? "a user name and a password (basic)" : `a credential of the scheme \`${name}\``;
}
