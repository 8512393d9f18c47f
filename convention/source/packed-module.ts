/** A module as bytes and back, so that another process need not parse its text. */

import { deserialize, serialize } from "node:v8";
import { keepPlace, startOfFunction } from "./bodies.ts";
import type { FunctionValue, SourceModule, TypeDeclaration } from "./module.ts";
import { parseModule } from "./reader.ts";
import { keepSource } from "./syntax.ts";
import { keepThing, startOfThing } from "./things.ts";
import type { Source } from "./tree.ts";
import { once } from "./types.ts";

/** Functions, and what only those need who edit the text: for these it is parsed again. */
type Unpacked = "places" | "typeOfConstant" | "typeOfValue";

interface Packed extends Omit<SourceModule, Unpacked> {
  /** Offsets in the text. */
  readonly functions: ReadonlyMap<FunctionValue, number>;
  /** The same of classes and enums. */
  readonly things: ReadonlyMap<TypeDeclaration, number>;
}

export function packModule(module: SourceModule): Buffer {
  const { places, typeOfConstant, typeOfValue, ...data } = module;
  const functions = [...data.values.values()].flatMap((value) =>
    value.kind === "function" ? [value, ...(value.overloads ?? [])] : [],
  );
  const packed: Packed = {
    ...data,
    functions: withPlaces(functions, startOfFunction),
    things: withPlaces([...data.types.values()], startOfThing),
  };
  return serialize(packed);
}

function withPlaces<Key>(keys: readonly Key[], find: (key: Key) => number | undefined): Map<Key, number> {
  return new Map(
    keys.flatMap((key): [Key, number][] => {
      const start = find(key);
      return start === undefined ? [] : [[key, start]];
    }),
  );
}

/**
 * @param bytes that `packModule` has made of a module with this source.
 * @returns what `parseModule` would return.
 */
export function unpackModule(bytes: Uint8Array, source: Source): SourceModule {
  const { functions, things, ...data } = deserialize(bytes) as Packed;
  for (const [value, start] of functions) keepPlace(value, source, { start });
  for (const [declaration, start] of things) keepThing(declaration, source, { start });
  const parsed = once(() => parseModule(source.text, source.file));
  const module: SourceModule = {
    ...data,
    get places() {
      return parsed().places;
    },
    typeOfConstant: (name) => parsed().typeOfConstant(name),
    typeOfValue: (name) => parsed().typeOfValue(name),
  };
  return keepSource(module, source);
}
