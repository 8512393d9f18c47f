/** The entry point of the type reader: reads a type expression to a shape, and collects the definitions of named types. */

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

/** Reads the types of one project, and accumulates their definitions. */
export interface ShapeReader {
  /**
   * Reads the type of a request value. The shape is null if the type has an error, which is reported only by the first call: each error
   * is reported once, however many handlers use the type.
   */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** Reads the type of a result, before its conversion to a shape. */
  part(type: ScopedType): Type;
  /**
   * The shape of a result's JSON.
   *
   * Call it after all requests are read: results reuse the definitions of requests that look the same.
   */
  readResult(type: Type): ResultShape;
  /** The definitions of requests. The object grows with each call of `read`. */
  readonly definitions: Definitions;
  /** A new object with the definitions of requests and results. */
  readonly allDefinitions: Definitions;
  readonly naming: Naming;
}

export interface ResultShape {
  readonly shape: Shape;
  /** The places of unknown types. Each place is listed once, by the first result that has it. */
  readonly unread: readonly TypePlace[];
}

export function createShapeReader(modules: Modules): ShapeReader {
  const naming = createNaming();
  const readType = createTypes(modules, naming, false);
  const readResultType = createTypes(modules, naming, true);
  // Without a prototype, because a type can be called `constructor`.
  const definitions: Record<string, Shape> = Object.create(null);
  /** The names of types with an error, and of types that refer to one of them. */
  const broken = new Set<string>();
  const reported = new Set<string>();

  function read({ type, scope }: ScopedType): ReturnType<ShapeReader["read"]> {
    const diagnostics: Diagnostic[] = [];
    const waiting = new Map<string, { readonly named: Type; readonly at: TypePlace }>();
    const convertAt = (place: TypePlace): Conversion => ({
      isResult: false,
      report(found, at = place) {
        const diagnostic = relocate(found, isInstalled(at.location.file) ? place : at);
        const key = `${diagnostic.code} ${formatPlace(diagnostic.locations[0])}`;
        if (!reported.has(key)) diagnostics.push(diagnostic);
        reported.add(key);
      },
      reportUnknown() {},
      refer(name, named, at) {
        const isKnown = name in definitions || broken.has(name);
        if (!isKnown) waiting.set(name, { named, at: isInstalled(at.location.file) ? place : at });
        return name;
      },
      enclosing: new Set(),
      depth: 0,
    });
    const whole = convertAt(type);
    const shape = withinStack(type, whole, () => toShape(readType(type, scope), whole));
    // The map grows during the loop, because definitions refer to others.
    for (const [name, { named, at }] of waiting) {
      const definition = define(name, named, convertAt(at), at);
      if (definition) definitions[name] = definition;
      else broken.add(name);
    }
    if (broken.size > 0) spreadBroken([...waiting.keys()]);
    const isBroken = shape && referencesIn(shape).some((name) => broken.has(name));
    return { shape: isBroken ? null : shape, diagnostics };
  }

  /** Marks definitions that refer to a broken one. @param names the new definitions; older ones are settled. */
  function spreadBroken(names: readonly string[]): void {
    const refersToBroken = (name: string): boolean =>
      referencesIn(definitions[name] ?? { kind: "unknown" }).some((inner) => broken.has(inner));
    let before: number;
    do {
      before = broken.size;
      // In reverse, because most definitions refer to later ones.
      for (const name of names.toReversed()) if (refersToBroken(name)) broken.add(name);
    } while (broken.size > before);
  }

  /** The definitions that only results have. */
  const resultDefinitions: Record<string, Shape> = Object.create(null);
  const reportedUnknown = new Set<string>();

  function readResult(type: Type): ResultShape {
    const unread: TypePlace[] = [];
    const waiting = new Map<string, Type>();
    const reportUnknown = (found: TypePlace): void => {
      const place = isInstalled(found.location.file) ? type.at : found;
      const key = formatPlace(place.location);
      if (!reportedUnknown.has(key)) unread.push(place);
      reportedUnknown.add(key);
    };
    const conversion: Conversion = {
      isResult: true,
      report({ locations: [location] }) {
        if (location) reportUnknown({ text: type.at.text, location });
      },
      reportUnknown,
      refer(wanted, named) {
        const name = nameResult(wanted);
        if (!(name in definitions || name in resultDefinitions)) waiting.set(name, named);
        return name;
      },
      enclosing: new Set(),
      depth: 0,
    };
    const shape = withinStack(type.at, conversion, () => toShape(type, conversion));
    for (const [name, named] of waiting)
      resultDefinitions[name] = define(name, named, conversion, named.at) ?? { kind: "unknown" };
    return { shape: shape ?? { kind: "unknown" }, unread };
  }

  /** A result with a `File` needs its own definition: it is `{}` in JSON. */
  function nameResult(name: string): string {
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
      return Object.assign(Object.create(null), definitions, resultDefinitions);
    },
  };
}

/** Converts a named type to a definition. @param name is also the label to detect recursion, if an operator made the type. */
function define(name: string, type: Type, conversion: Conversion, place: TypePlace): Shape | null {
  const enclosing = type.at.isOperator ? new Set([name]) : conversion.enclosing;
  const convert = (): Shape | null => toDefinition(look(type), { ...conversion, enclosing });
  const shape = withinStack(place, conversion, convert);
  return shape && placed(shape, type.at.location);
}

/** Moves an error in an installed package to the use of its type, because users can't fix the package. */
function relocate(found: Diagnostic, { text: name, location }: TypePlace): Diagnostic {
  const file = found.locations[0]?.file ?? "";
  if (!isInstalled(file)) return found;
  const [from = file] = /(?:@[^/]+\/)?[^/]+/.exec(file.split("node_modules/").at(-1) ?? "") ?? [];
  const why = found.message.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
  return diagnoseForeign(name, `in "${from}", ${why}`, location);
}

function formatPlace(place: { file: string; line: number; column: number } | undefined): string {
  return `${place?.file}:${place?.line}:${place?.column}`;
}

/** Reports a stack overflow as an error: resolving a type can recurse deeply before any limit of levels applies. */
function withinStack(place: TypePlace, { report }: Conversion, convert: () => Shape | null): Shape | null {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(endless(place, "it is nested too deeply").diagnostic);
    return null;
  }
}
