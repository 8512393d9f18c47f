/** Where the properties of shapes are written, for those that the contract has been read of. */

import type { Location } from "#runtime/routing/route";
import type { Property, Shape } from "#runtime/wire/shape";

const shapePlaces = new WeakMap<Property | Shape, Location>();

export function placed<One extends Property | Shape>(one: One, location: Location): One {
  shapePlaces.set(one, location);
  return one;
}

/** Undefined for what is written with what is around it. */
export function placeOf(one: Property | Shape): Location | undefined {
  return shapePlaces.get(one);
}

/** A copy is written where the original is. */
export function placedAs<One extends Property | Shape>(original: One, copy: One): One {
  const place = placeOf(original);
  return place ? placed(copy, place) : copy;
}
