/** Which routes are the same on both sides, so that nobody has to compare them part by part: in most projects nearly all. */

import type { Contract, Operation } from "#convention/contract/contract";
import { referencesIn, withUsers } from "#convention/wire/inner-shapes";
import type { Shape } from "#runtime/wire/shape";

/** @returns whether two routes are written alike, and so is each type that they reach. What checks by itself is never alike. */
export function createUnchanged(
  before: Contract,
  after: Contract,
): (was: Operation, is: Operation) => boolean {
  const changed = findChanged(before, after);
  return (was, is) => {
    const text = toText(was);
    return (
      text === toText(is) &&
      !text.includes(SCHEMA) &&
      !shapesOf(is)
        .flatMap(referencesIn)
        .some((name) => changed.has(name))
    );
  };
}

const SCHEMA = '"kind":"schema"';

/** The names of the types that are not the same, and of those that refer to them. */
function findChanged({ definitions: was }: Contract, { definitions: is }: Contract): ReadonlySet<string> {
  const differs = (name: string): boolean => {
    const text = toText(is[name]);
    return text !== toText(was[name]) || text.includes(SCHEMA);
  };
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return withUsers([...names].filter(differs), was, is);
}

/** Where it is does not count, nor what a comment says of it. "" for nothing. */
function toText(one: Operation | Shape | undefined): string {
  return JSON.stringify(one, (key, value) => (UNTOLD.has(key) ? undefined : value)) ?? "";
}

const UNTOLD: ReadonlySet<string> = new Set(["location", "summary", "description", "notes"]);

function shapesOf({ inputs, answers }: Operation): readonly Shape[] {
  return [...inputs, ...answers.flatMap(({ bodies }) => bodies)].map(({ shape }) => shape);
}
