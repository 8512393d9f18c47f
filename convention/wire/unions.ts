/** Normalizes unions. */

import {
  isPlain,
  isUndefined,
  type Kind,
  labelOf,
  literalType,
  look,
  membersOf,
  NEVER,
  type Origin,
  type Type,
  UNKNOWN,
  valuesOf,
} from "./type.ts";

/** Flattens nested unions, joins literals to one member, and drops `never`, duplicates and members that another member includes. */
export function unite(types: readonly Type[]): Kind {
  const members = types.flatMap(membersOf);
  if (members.length > 1 && areUnlike(members)) return { kind: "union", of: members };
  if (members.some(({ kind }) => kind === "unknown")) return UNKNOWN;
  const clash = members.find(({ kind }) => kind === "never");
  const distinct = joinLiterals(withoutIncluded(withoutRepeated(members)));
  const [first, second] = distinct;
  if (first === undefined) return clash ?? NEVER;
  return second === undefined ? first : { kind: "union", of: distinct };
}

/** True if all members differ in kind, so that none can repeat or include another. */
function areUnlike(members: readonly Type[]): boolean {
  const kinds = new Set<string>(ABSORBING);
  for (const member of members) kinds.add(look(member).kind);
  return kinds.size === ABSORBING.length + members.length;
}

const ABSORBING = ["never", "unknown", "literal", "refused"];

export function uniteAt(at: Origin, types: readonly Type[]): Type {
  const [first] = types;
  if (types.length === 1 && first) return first;
  return { ...unite(types), at: { ...at, label: () => types.map(labelOf).join(" | ") } };
}

/** Drops `never` and members with a label that occurred before. */
function withoutRepeated(members: readonly Type[]): Type[] {
  const seen = new Set<string>();
  return members.filter((member) => {
    if (member.kind === "never") return false;
    if (member.kind === "literal" || member.kind === "refused") return true;
    const label = labelOf(member);
    return !seen.has(label) && seen.add(label);
  });
}

/** `string` includes all string literals and constrained strings, `number` all numbers. */
function withoutIncluded(members: readonly Type[]): Type[] {
  const plain = new Set<string>(members.filter(isPlain).map(({ kind }) => kind));
  if (plain.size === 0) return [...members];
  const kept = new Set<string>();
  return members.flatMap((member) => {
    if (member.kind === "literal") {
      const values = member.values.filter((value) => !plain.has(typeof value));
      return values.length > 0 ? [literalType(values, member.at)] : [];
    }
    if (!plain.has(member.kind)) return [member];
    return isPlain(member) && !kept.has(member.kind) && kept.add(member.kind) ? [member] : [];
  });
}

function joinLiterals(members: readonly Type[]): readonly Type[] {
  const literals = members.filter(({ kind }) => kind === "literal");
  const [first] = literals;
  if (first === undefined || literals.length === 1) return members;
  const joined = literalType([...new Set(literals.flatMap(valuesOf))], first.at);
  return members.flatMap((member) =>
    member === first ? [joined] : member.kind === "literal" ? [] : [member],
  );
}

/** Drops `undefined` from the type of an optional value, where it adds nothing. */
export function withoutUndefined(type: Type): Type {
  const { kind } = look(type);
  if (kind !== "union" && kind !== "undefined") return type;
  const members = membersOf(type);
  const rest = members.filter((member) => !isUndefined(member));
  if (rest.length === members.length) return type;
  return rest.length === 0 ? { ...NEVER, at: type.at } : uniteAt(type.at, rest);
}
