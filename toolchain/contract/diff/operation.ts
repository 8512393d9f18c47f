/** What the comparison of one route notes, by the rules. */

import type { AnyOperation } from "#convention/contract/contract";
import { escapeKey } from "#runtime/escape";
import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import type { Difference, Where } from "./difference.ts";
import { keyOf } from "./groups.ts";
import { type Kind, levelOf, ROUTES, type RouteKind } from "./rules.ts";
import { describeChange, fill, nameWhole, sideOf, type Words } from "./sentences.ts";
import type { CompareShapes } from "./shapes.ts";

/** Where something was, and where it is. */
export interface Places {
  readonly before?: Location | undefined;
  readonly after?: Location | undefined;
}

export interface Note {
  (kind: RouteKind, where: Where, places: Places, words?: Words): void;
  /** Notes all changes from one shape to the other. */
  shapes(was: Shape, is: Shape, where: Where, places: Places, asText: boolean): void;
}

export function createNote(
  { method, pattern }: AnyOperation,
  differences: Difference[],
  compare: CompareShapes,
): Note {
  const known = new Set<string>();

  /** A type that a route has in several places changes once. */
  function push(difference: Omit<Difference, "method" | "pattern">): void {
    const whole: Difference = { ...difference, method, pattern };
    const key = keyOf(whole);
    if (!known.has(key)) differences.push(whole);
    known.add(key);
  }

  const note = (kind: RouteKind, where: Where, places: Places, words: Words = {}): void => {
    const [level, text] = ROUTES[kind];
    const message = fill(text, { it: nameWhole(where), ...words });
    push({ level, id: withoutRemark(kind), where, message, ...places });
  };

  function shapes(was: Shape, is: Shape, where: Where, places: Places, asText: boolean): void {
    for (const change of compare(was, is, asText)) {
      const { kind, at } = change;
      push({
        level: levelOf(kind, sideOf(where)),
        id: idOf(kind, where, at.path.length > 0),
        where: { ...where, pointer: toPointer(at.path) },
        message: describeChange(change, where),
        // Without a place of its own, a change has that of the whole.
        before: change.was === false ? undefined : (at.before ?? places.before),
        after: change.is === false ? undefined : (at.after ?? places.after),
        type: at.type === undefined ? undefined : { name: at.type, pointer: toPointer(at.inType) },
      });
    }
  }

  return Object.assign(note, { shapes });
}

/** RFC 6901 */
function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join("");
}

function withoutRemark(kind: string): string {
  return kind.replace(/ \(.*/, "");
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
  const name = withoutRemark(kind);
  if (where.side === "response") return own?.[1] ?? `response-${isInside ? "property" : "body"}-${name}`;
  // Less is less.
  const less = name === "type-specialized" ? "type-changed" : name;
  if (where.in === "body" || where.in === "form")
    return own?.[0] ?? `request-${isInside ? "property" : "body"}-${less}`;
  return `request-parameter-${isInside ? "property-" : ""}${less}`;
}
