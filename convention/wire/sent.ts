/** Types that no request can carry, as what a result has of them. */

import {
  createPart,
  membersOfPart,
  type Outline,
  type Part,
  type Refused,
  refusedLater,
  type TypePlace,
  toPart,
  UNKNOWN,
  withoutSent,
} from "./outline.ts";

/** An operator on types. */
interface Application {
  readonly place: TypePlace;
  readonly label: () => string;
  readonly of: readonly Part[];
}

/** More steps than this lead nowhere, as those of a function that returns its own result. */
const MOST_STEPS = 100;

/** The type that a type comes to in a result, such as an enum's literals. What is left may be refused, too: `Promise<User>`. */
export function settle(part: Part): Part {
  let end = part;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = followPart(end);
    if (next === undefined) return end;
    end = next;
  }
  return toPart(part, "unknown", UNKNOWN);
}

/** What a type is a union of in a result, each settled: the type alone, if it is not one. */
export function settledMembers(part: Part): readonly Part[] {
  return membersOnce(settle(part), new Set());
}

/** @param seen what a union may be of that has itself among its members, such as the result of a function that calls itself. */
function membersOnce(part: Part, seen: Set<Outline>): readonly Part[] {
  const outline = part.outline();
  if (seen.has(outline)) return [];
  seen.add(outline);
  return membersOfPart(part).flatMap((member) => {
    const settled = settle(member);
    return settled === member ? [member] : membersOnce(settled, seen);
  });
}

function followPart(part: Part): Part | undefined {
  const outline = part.outline();
  const sent = outline.kind === "refused" ? outline.sent : undefined;
  return sent === undefined || sent.kind === "function" ? undefined : sent.as();
}

/** What an operator comes to whose operands are refused: in a result it may still have something to work on. */
export function applyLater(
  bad: Refused,
  { place, label, of }: Application,
  apply: (settled: readonly Part[]) => Outline,
): Refused {
  const read = (): Outline => {
    const settled = of.map(settle);
    return settled.some((part) => part.outline().kind === "refused") ? withoutSent(bad) : apply(settled);
  };
  // One part, which notices that it is made of itself.
  const part = createPart(place, label, read, "operator");
  return refusedLater(() => bad.diagnostic, { kind: "same", as: () => part });
}

/** What TypeScript or the framework calls a settled type that they declare. */
export function namedIn(part: Part): { readonly name: string; readonly of: readonly Part[] } | undefined {
  const outline = part.outline();
  return outline.kind === "refused" && outline.sent?.kind === "named" ? outline.sent : undefined;
}
