/** Reads types to shapes, and collects those that have a name. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Definitions, Shape } from "#runtime/wire/shape";
import type { Modules } from "../source/modules.ts";
import { isInstalled } from "../source/packages.ts";
import { type Conversion, toDefinition, toShape } from "./conversion.ts";
import { referencesIn } from "./inner-shapes.ts";
import { createNaming, type Naming } from "./labels.ts";
import { diagnoseForeign } from "./named.ts";
import { placed } from "./places.ts";
import { createTypes } from "./read.ts";
import type { ScopedType } from "./scope.ts";
import { hasFile } from "./texts.ts";
import { endless, look, type Type, type TypePlace } from "./type.ts";

/** One for each reading of a project. */
export interface ShapeReader {
  /**
   * A shape of null has an error among the diagnostics, or among those of an earlier call: each error is reported once, however many
   * handlers use the type.
   */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** The type of a result. */
  part(type: ScopedType): Type;
  /**
   * Of what a result has in JSON.
   *
   * To be called when all requests are read, because it has their definitions where a result looks the same.
   */
  readResult(type: Type): ResultShape;
  /** Of all shapes that were read so far: it grows. */
  readonly definitions: Definitions;
  /** With those of results, each time in a new object. */
  readonly allDefinitions: Definitions;
  readonly naming: Naming;
}

export interface ResultShape {
  readonly shape: Shape;
  /** What is not known of it, each type once however many results have it. */
  readonly unread: readonly TypePlace[];
}

export function createShapeReader(modules: Modules): ShapeReader {
  const naming = createNaming();
  const readType = createTypes(modules, naming, false);
  const readResultType = createTypes(modules, naming, true);
  // A type can be called `constructor`.
  const definitions: Record<string, Shape> = Object.create(null);
  /** The names of the types that have no definition because something in them is wrong, and of those that refer to one. */
  const broken = new Set<string>();
  const reported = new Set<string>();

  function read({ type, scope }: ScopedType): ReturnType<ShapeReader["read"]> {
    const diagnostics: Diagnostic[] = [];
    const waiting = new Map<string, { readonly named: Type; readonly at: TypePlace }>();
    const convertAt = (place: TypePlace): Conversion => ({
      isResult: false,
      report(found, at = place) {
        const diagnostic = ownDiagnostic(found, isInstalled(at.location.file) ? place : at);
        const key = `${diagnostic.code} ${formatPlace(diagnostic.locations[0])}`;
        if (!reported.has(key)) diagnostics.push(diagnostic);
        reported.add(key);
      },
      note() {},
      refer(name, named, at) {
        const isKnown = name in definitions || broken.has(name);
        if (!isKnown) waiting.set(name, { named, at: isInstalled(at.location.file) ? place : at });
        return name;
      },
      inside: new Set(),
      depth: 0,
    });
    const whole = convertAt(type);
    const shape = withinStack(type, whole, () => toShape(readType(type, scope), whole));
    // The list grows while definitions refer to others.
    for (const [name, { named, at }] of waiting) {
      const definition = define(name, named, convertAt(at), at);
      if (definition) definitions[name] = definition;
      else broken.add(name);
    }
    if (broken.size > 0) spreadBroken([...waiting.keys()]);
    const isBroken = shape && referencesIn(shape).some((name) => broken.has(name));
    return { shape: isBroken ? null : shape, diagnostics };
  }

  /** @param names of the new definitions. What they refer to is among them, or known from before. */
  function spreadBroken(names: readonly string[]): void {
    const refersToBroken = (name: string): boolean =>
      referencesIn(definitions[name] ?? { kind: "unknown" }).some((inner) => broken.has(inner));
    let before: number;
    do {
      before = broken.size;
      // The last first, because most definitions refer to later ones.
      for (const name of names.toReversed()) if (refersToBroken(name)) broken.add(name);
    } while (broken.size > before);
  }

  const sent: Record<string, Shape> = Object.create(null);
  const noted = new Set<string>();

  function readResult(type: Type): ResultShape {
    const unread: TypePlace[] = [];
    const waiting = new Map<string, Type>();
    const note = (found: TypePlace): void => {
      const place = isInstalled(found.location.file) ? type.at : found;
      const key = formatPlace(place.location);
      if (!noted.has(key)) unread.push(place);
      noted.add(key);
    };
    const conversion: Conversion = {
      isResult: true,
      report({ locations: [location] }) {
        if (location) note({ text: type.at.text, location });
      },
      note,
      refer(wanted, named) {
        const name = nameSent(wanted);
        if (!(name in definitions || name in sent)) waiting.set(name, named);
        return name;
      },
      inside: new Set(),
      depth: 0,
    };
    const shape = withinStack(type.at, conversion, () => toShape(type, conversion));
    for (const [name, named] of waiting)
      sent[name] = define(name, named, conversion, named.at) ?? { kind: "unknown" };
    return { shape: shape ?? { kind: "unknown" }, unread };
  }

  /** A `File` is nothing in JSON. */
  function nameSent(name: string): string {
    const isOther = name in definitions && hasFile({ kind: "reference", name }, definitions);
    const label = naming.labels.get(name) ?? name;
    return isOther ? naming.claimLabel(`${label}.result`, `result ${name}`, name) : name;
  }

  return {
    read,
    readResult,
    part: ({ type, scope }) => readResultType(type, scope),
    definitions,
    naming,
    get allDefinitions() {
      return Object.assign(Object.create(null), definitions, sent);
    },
  };
}

/** @param name of the definition, which an operator has to know as its own. */
function define(name: string, type: Type, conversion: Conversion, place: TypePlace): Shape | null {
  const inside = type.at.isOperator ? new Set([name]) : conversion.inside;
  const convert = (): Shape | null => toDefinition(look(type), { ...conversion, inside });
  const shape = withinStack(place, conversion, convert);
  return shape && placed(shape, type.at.location);
}

/** Nobody can correct an installed package: what is wrong with a type of it is wrong with its use. */
function ownDiagnostic(found: Diagnostic, { text: name, location }: TypePlace): Diagnostic {
  const file = found.locations[0]?.file ?? "";
  if (!isInstalled(file)) return found;
  const [from = file] = /(?:@[^/]+\/)?[^/]+/.exec(file.split("node_modules/").at(-1) ?? "") ?? [];
  const why = found.message.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
  return diagnoseForeign(name, `in "${from}", ${why}`, location);
}

function formatPlace(place: { file: string; line: number; column: number } | undefined): string {
  return `${place?.file}:${place?.line}:${place?.column}`;
}

/** A type can be nested more deeply than the stack holds before anything counts its levels. */
function withinStack(place: TypePlace, { report }: Conversion, convert: () => Shape | null): Shape | null {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(endless(place, "it is nested too deeply").diagnostic);
    return null;
  }
}
