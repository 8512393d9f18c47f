/** What the comparison of one route notes, with the words in which it does. */

import type { Operation } from "#convention/contract/contract";
import { escapeKey } from "#runtime/escape";
import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import type { Difference, Level, Where } from "./difference.ts";
import { keyOf } from "./groups.ts";
import { type Kind, levelOf, type Side } from "./rules.ts";
import { describeChange } from "./sentences.ts";
import type { ShapeChange } from "./shape-change.ts";
import type { CompareShapes } from "./shapes.ts";

export interface Note {
  (level: Level, id: string, where: Where, message: string, places: Note.Places): void;
  /** Notes all changes from one shape to the other. */
  shapes(was: Shape, is: Shape, where: Where, places: Note.Places, asText: boolean): void;
}

export declare namespace Note {
  interface Places {
    readonly before?: Location;
    readonly after?: Location;
  }
}

export function createNote(operation: Operation, differences: Difference[], compare: CompareShapes): Note {
  const { method, pattern } = operation;
  const known = new Set<string>();
  const note = (level: Level, id: string, where: Where, message: string, places: Note.Places): void =>
    push({ level, id, method, pattern, where, message, ...places });

  /** A type that a route has in several places changes once. */
  function push(difference: Difference): void {
    const key = keyOf(difference);
    if (!known.has(key)) differences.push(difference);
    known.add(key);
  }

  function shapes(was: Shape, is: Shape, where: Where, places: Note.Places, asText: boolean): void {
    const side: Side = where.side === "request" ? "request" : "response";
    for (const change of compare(was, is, asText)) {
      const { kind, path, type, inType } = change;
      const inner = { ...where, pointer: toPointer(path) };
      push({
        level: levelOf(kind, side),
        id: idOf(kind, where, path.length > 0),
        method,
        pattern,
        where: inner,
        message: describeChange(change, where),
        ...toPlaces(change, places),
        ...(type !== undefined && { type: { name: type, pointer: toPointer(inType) } }),
      });
    }
  }

  return Object.assign(note, { shapes });
}

/** Without a place of its own, a change has that of the whole. */
function toPlaces({ before, after }: ShapeChange, places: Note.Places): Note.Places {
  const [was, is] = [
    before === undefined ? places.before : before,
    after === undefined ? places.after : after,
  ];
  return { ...(was && { before: was }), ...(is && { after: is }) };
}

/** RFC 6901 */
function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join("");
}

const PROPERTY_IDS: Readonly<Partial<Record<Kind, readonly [request: string, response: string]>>> = {
  "required-property-added": ["new-required-request-property", "response-required-property-added"],
  "optional-property-added": ["new-optional-request-property", "response-optional-property-added"],
  "required-property-removed": ["request-property-removed", "response-required-property-removed"],
  "optional-property-removed": ["request-property-removed", "response-optional-property-removed"],
};

/** @example idOf("became-optional", { side: "response", status: 200, pointer: "" }, true) // "response-property-became-optional" */
function idOf(kind: Kind, where: Where, isInside: boolean): string {
  if (kind === "component-renamed") return kind;
  const own = PROPERTY_IDS[kind];
  if (where.side === "response") return own?.[1] ?? `response-${isInside ? "property" : "body"}-${kind}`;
  // Less is less.
  const name = kind === "type-specialized" ? "type-changed" : kind;
  if (where.in === "body" || where.in === "form")
    return own?.[0] ?? `request-${isInside ? "property" : "body"}-${name}`;
  return `request-parameter-${isInside ? "property-" : ""}${name}`;
}
