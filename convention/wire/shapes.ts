/** Reads types to shapes, and collects those that have a name. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Definitions, Shape } from "#runtime/wire/shape";
import type { Modules } from "../source/modules.ts";
import { isInstalled } from "../source/packages.ts";
import { type Conversion, toDefinition, toShape } from "./conversion.ts";
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
  /** Of all shapes that were read so far, each time in a new object. */
  readonly definitions: Definitions;
  /** With those of results. */
  readonly allDefinitions: Definitions;
  /** One of them. */
  readonly definition: FindDefinition;
  readonly naming: Naming;
}

export interface ResultShape {
  readonly shape: Shape;
  /** What is not known of it, each type once however many results have it. */
  readonly unread: readonly TypePlace[];
}

export type FindDefinition = (name: string) => Shape | undefined;

export function createShapeReader(modules: Modules): ShapeReader {
  const naming = createNaming();
  const readType = createTypes(modules, naming, false);
  const readResultType = createTypes(modules, naming, true);
  const definitions = new Map<string, Shape>();
  const reported = new Set<string>();
  /** What each definition refers to. */
  const uses = new Map<string, Set<string>>();
  const broken = new Set<string>();

  function read({ type, scope }: ScopedType): ReturnType<ShapeReader["read"]> {
    const diagnostics: Diagnostic[] = [];
    const waiting = new Map<string, { readonly named: Type; readonly at: TypePlace }>();
    const toReport =
      (used: TypePlace): Conversion["report"] =>
      (found, at = used) => {
        const diagnostic = ownDiagnostic(found, isInstalled(at.location.file) ? used : at);
        const key = `${diagnostic.code} ${formatPlace(diagnostic.locations[0])}`;
        if (!reported.has(key)) diagnostics.push(diagnostic);
        reported.add(key);
      };
    const into = (used: Set<string>, place: TypePlace): Conversion => ({
      isResult: false,
      report: toReport(place),
      note() {},
      refer(name, named, at) {
        used.add(name);
        if (!uses.has(name)) waiting.set(name, { named, at: isInstalled(at.location.file) ? place : at });
        return name;
      },
      inside: new Set(),
      depth: 0,
    });
    const used = new Set<string>();
    const shape = withinStack(type, toReport(type), () => toShape(readType(type, scope), into(used, type)));
    for (const [name, { named, at }] of waiting) {
      const inner = new Set<string>();
      uses.set(name, inner);
      const definition = withinStack(named.at, toReport(at), () => define(name, named, into(inner, at)));
      if (definition === null) broken.add(name);
      else definitions.set(name, definition);
    }
    return { shape: shape && reachesBroken(used) ? null : shape, diagnostics };
  }

  const find: FindDefinition = (name) => definitions.get(name);

  const sent = new Map<string, Shape>();
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
    const report = ({ locations: [location] }: Diagnostic): void => {
      if (location) note({ text: type.at.text, location });
    };
    const conversion: Conversion = {
      isResult: true,
      report,
      note,
      refer(wanted, named) {
        const name = nameSent(wanted);
        if (!definitions.has(name) && !sent.has(name)) waiting.set(name, named);
        return name;
      },
      inside: new Set(),
      depth: 0,
    };
    const shape = withinStack(type.at, report, () => toShape(type, conversion));
    for (const [name, named] of waiting)
      sent.set(
        name,
        withinStack(named.at, report, () => define(name, named, conversion)) ?? { kind: "unknown" },
      );
    return { shape: shape ?? { kind: "unknown" }, unread };
  }

  /** A `File` is nothing in JSON. */
  function nameSent(name: string): string {
    const isOther = definitions.has(name) && hasFile({ kind: "reference", name }, find);
    const label = naming.labels.get(name) ?? name;
    return isOther ? naming.claimLabel(`${label}.result`, `result ${name}`, name) : name;
  }

  function reachesBroken(used: ReadonlySet<string>): boolean {
    if (broken.size === 0) return false;
    const seen = new Set(used);
    for (const name of seen) {
      if (broken.has(name)) return true;
      for (const next of uses.get(name) ?? []) seen.add(next);
    }
    return false;
  }

  return {
    read,
    readResult,
    part: ({ type, scope }) => readResultType(type, scope),
    definition: find,
    naming,
    get definitions() {
      return Object.fromEntries(definitions);
    },
    get allDefinitions() {
      return Object.fromEntries([...definitions, ...sent]);
    },
  };
}

/** @param name of the definition, which an operator has to know as its own. */
function define(name: string, type: Type, conversion: Conversion): Shape | null {
  const inside = type.at.isOperator ? new Set([name]) : conversion.inside;
  const shape = toDefinition(look(type), { ...conversion, inside });
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
function withinStack(
  place: TypePlace,
  report: (diagnostic: Diagnostic) => void,
  convert: () => Shape | null,
): Shape | null {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(endless(place, "it is nested too deeply").diagnostic);
    return null;
  }
}
