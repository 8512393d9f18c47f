/** Patterns as OpenAPI's path templates. Routes that OpenAPI can't tell apart are one path there. */

import type { Operation } from "#convention/contract/contract";
import type { RouteMethod, Segment } from "#runtime/routing/route";

export interface Path {
  /** As in `/users/by/id/{user_id}`. */
  readonly template: string;
  /** Of the template, in order. */
  readonly params: readonly string[];
  /** In the order of the routes. */
  readonly operations: ReadonlyMap<RouteMethod, Operation>;
  readonly hidden: readonly Hidden[];
}

/** A route that OpenAPI can't list: another of its method, which matches before it, differs only in the type of a param. */
export interface Hidden {
  readonly operation: Operation;
  readonly by: Operation;
}

/** In the order of the operations. The first one of a path gives the params their names. */
export function toPaths(operations: readonly Operation[]): readonly Path[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const key = operation.segments.map((one) => formatSegment(one, () => "")).join("/");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return Array.from(groups.values(), toPath);
}

function toPath(group: readonly Operation[]): Path {
  const operations = new Map<RouteMethod, Operation>();
  const hidden: Hidden[] = [];
  for (const operation of group) {
    const by = operations.get(operation.method);
    if (by === undefined) operations.set(operation.method, operation);
    else hidden.push({ operation, by });
  }
  const segments = group[0]?.segments ?? [];
  return { template: formatTemplate(segments), params: paramsOf(segments), operations, hidden };
}

/** They are in no request, and many tools want ASCII. @example paramsOf(["users", { name: "user_id", type: "int" }]) // ["user_id"] */
function paramsOf(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap((segment) => (typeof segment === "string" ? [] : [toAscii(segment.name)]));
}

/** @example toAscii("größe") // "gr_f6_dfe" */
function toAscii(name: string): string {
  return name.replace(/\W/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}`);
}

/** Without a slash at the end, which linters refuse: each route answers with and without it. */
function formatTemplate(segments: readonly Segment[]): string {
  return `/${segments.map((one) => formatSegment(one, toAscii)).join("/")}`;
}

/** As it is in a URL: braces in it would be a param's. */
function formatSegment(segment: Segment, nameOf: (name: string) => string): string {
  if (typeof segment !== "string") return `{${nameOf(segment.name)}}`;
  return encodeURI(segment).replace(/[/?#]/g, encodeURIComponent);
}
