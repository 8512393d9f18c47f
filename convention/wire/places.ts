/** Remembers the source locations of shapes and properties, so that the contract can read their comments. Shapes themselves are JSON. */

import type { Location } from "#runtime/routing/route";
import type { Property, Shape } from "#runtime/wire/shape";

const shapePlaces = new WeakMap<Property | Shape, Location>();

/** Records the location of a shape or a property, and returns it. */
export function placed<One extends Property | Shape>(one: One, location: Location): One {
  shapePlaces.set(one, location);
  return one;
}

/** The recorded location; undefined for a shape without one of its own. */
export function placeOf(one: Property | Shape): Location | undefined {
  return shapePlaces.get(one);
}

/** Records for a copy the location of the original, and returns the copy. */
export function placedAs<One extends Property | Shape>(original: One, copy: One): One {
  const place = placeOf(original);
  return place ? placed(copy, place) : copy;
}
