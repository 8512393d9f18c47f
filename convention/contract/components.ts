/** The names of the contract's types: they come from the declarations, never from the order in which routes are read. */

import type { Notes, Property, Shape } from "#runtime/wire/shape";
import { compareText } from "../diagnostics/order.ts";
import { mapChildren } from "../wire/inner-shapes.ts";
import { createNameGiver, type Declared, type Naming, shortenLabel } from "../wire/labels.ts";
import { placedAs } from "../wire/places.ts";

type Names = Pick<Naming, "labels" | "declared">;

/** @returns the declarations whose names are in those of definitions. */
export function declarationsIn(names: Iterable<string>, { labels, declared }: Names): readonly Declared[] {
  const used = new Set([...names].flatMap((name) => (labels.get(name) ?? name).match(WORDS) ?? []));
  return [...used].flatMap((word) => declared.get(word) ?? []);
}

/**
 * @param definitions the names that the readers of types gave them.
 * @param others declarations that have names beside theirs.
 * @returns the names in the contract: `User`, and `Users_User` if another file declares a `User`, too.
 */
export function nameTypes(
  definitions: readonly string[],
  naming: Names,
  others: readonly Declared[] = [],
): ReadonlyMap<string, string> {
  const { labels, declared } = naming;
  const all = definitions.map((name) => ({ name, label: labels.get(name) ?? name }));
  const words = nameDeclared([...declarationsIn(definitions, naming), ...others]);
  const spell = (label: string, toWord: (one: Declared) => string): string =>
    label.replace(WORDS, (word) => {
      const found = declared.get(word);
      return found ? toWord(found) : word;
    });
  const wanted = all.map(({ name, label }) => ({
    name,
    wanted: spell(label, (one) => words.get(keyOf(one)) ?? one.name),
    key: spell(label, keyOf),
  }));
  const names = createNameGiver();
  const sorted = wanted.sort(
    (one, other) => compareText(one.wanted, other.wanted) || compareText(one.key, other.key),
  );
  return new Map(sorted.map((one) => [one.name, names.claim(one.key, shortenLabel(one.wanted))]));
}

/** The names in a label, and the texts, in which there are none. */
const WORDS = /"(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

function keyOf({ file, name }: Declared): string {
  return `${file} ${name}`;
}

/** By {@link keyOf}. A name that several files declare has that of the file before it, or the whole path. */
function nameDeclared(all: readonly Declared[]): ReadonlyMap<string, string> {
  /** Of each name alone, and with that of its file. */
  const files = new Map<string, Set<string>>();
  const note = (key: string, file: string): void => {
    files.set(key, (files.get(key) ?? new Set()).add(file));
  };
  for (const { file, name } of all) {
    note(name, file);
    note(`${nameFile(file)} ${name}`, file);
  }
  return new Map(
    all.map((one) => {
      const { file, name } = one;
      if (files.get(name)?.size === 1) return [keyOf(one), name];
      const isTold = files.get(`${nameFile(file)} ${name}`)?.size === 1;
      return [keyOf(one), `${isTold ? nameFile(file) : toWord(withoutEnding(file))}_${name}`];
    }),
  );
}

/** Files that are called by their folder, because each folder may have one. */
const COMMON: ReadonlySet<string> = new Set(["index", "views", "types", "_hooks"]);

/** @example nameFile("apps/users/views.ts") // "Users" */
function nameFile(file: string): string {
  const [name = "", folder] = withoutEnding(file).split("/").reverse();
  return toWord(COMMON.has(name) ? (folder ?? name) : name);
}

function withoutEnding(file: string): string {
  return file.replace(/(?:\.d)?\.[cm]?[jt]s$/, "");
}

/** @example toWord("user-profiles") // "UserProfiles" */
function toWord(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? ["File"];
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** @returns a copy whose references have the names of the contract, and whose properties have what comments say of them. */
export function finishShape(
  shape: Shape,
  names: ReadonlyMap<string, string>,
  notesOf: (property: Property) => Notes | undefined,
): Shape {
  if (shape.kind === "reference") return { kind: "reference", name: names.get(shape.name) ?? shape.name };
  const mapped = mapChildren(shape, (inner) => finishShape(inner, names, notesOf));
  const written = shape.kind === "object" ? shape.properties : [];
  const copy =
    mapped.kind === "object"
      ? { ...mapped, properties: mapped.properties.map((one, index) => finishProperty(one, written[index])) }
      : mapped;
  return placedAs<Shape>(shape, copy);

  function finishProperty(copied: Property, property: Property = copied): Property {
    const notes = { ...notesOf(property), ...property.notes };
    return placedAs(property, Object.keys(notes).length > 0 ? { ...copied, notes } : copied);
  }
}
