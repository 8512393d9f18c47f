/** Reads types to shapes, and collects those that have a name. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Definitions, ReferenceShape, Shape } from "#runtime/wire/shape";
import type { Modules } from "../source/modules.ts";
import { toDefinition, toShape } from "./conversion.ts";
import { createEvaluation } from "./evaluate.ts";
import type { Declared } from "./named.ts";
import { endless, type Part, type TypePlace } from "./outline.ts";
import { placed, placeOf } from "./places.ts";
import type { ScopedType } from "./scope.ts";
import { hasFile } from "./texts.ts";

/** One for each reading of a project. */
export interface ShapeReader {
  /**
   * A shape of null has an error among the diagnostics, or among those of an earlier call: each error is reported once, however many
   * handlers use the type.
   */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** What a type is on its outside. */
  part(type: ScopedType): Part;
  /**
   * Of what a result has in JSON.
   *
   * To be called when all requests are read, because it has their definitions where a result looks the same.
   */
  readResult(part: Part): ResultShape;
  /** Of all shapes that were read so far, each time in a new object. */
  readonly definitions: Definitions;
  /** With those of results. */
  readonly allDefinitions: Definitions;
  /** One of them. */
  readonly definition: FindDefinition;
  readonly naming: Naming;
}

/** Where the names of definitions come from. They are unique, but which of two `User` is `User2` depends on which is read first. */
export interface Naming {
  /** The labels of the definitions that are not called by theirs. */
  readonly labels: ReadonlyMap<string, string>;
  /** By the words of labels. */
  readonly declared: ReadonlyMap<string, Declared>;
}

export interface ResultShape {
  readonly shape: Shape;
  /** What is not known of it, each type once however many results have it. */
  readonly unread: readonly TypePlace[];
}

export type FindDefinition = (name: string) => Shape | undefined;

const LONGEST_NAME = 60;

/** @example shortenLabel("Page<{ … }>") // "Page<…>" */
export function shortenLabel(label: string): string {
  if (label.length <= LONGEST_NAME) return label;
  const start = /^\w+(?=<)/.exec(label)?.[0];
  return start === undefined ? `${label.slice(0, 40)}…` : `${start}<…>`;
}

export function createShapeReader(modules: Modules): ShapeReader {
  const evaluation = createEvaluation(modules);
  const definitions = new Map<string, Shape>();
  const reported = new Set<string>();
  /** What each definition refers to. */
  const uses = new Map<string, Set<string>>();
  const labels = new Map<string, string>();
  const broken = new Set<string>();
  /** What each definition of a request is made of. */
  const parts = new Map<string, Part>();

  function read(scoped: ScopedType): ReturnType<ShapeReader["read"]> {
    const diagnostics: Diagnostic[] = [];
    const waiting = new Map<string, Part>();
    const report = (diagnostic: Diagnostic): void => {
      const key = diagnosticKey(diagnostic);
      if (!reported.has(key)) diagnostics.push(diagnostic);
      reported.add(key);
    };

    function convert(part: Part, used: Set<string>, make: typeof toShape): Shape | null {
      const refer = (named: Part): ReferenceShape => {
        const name = nameDefinition(named);
        used.add(name);
        if (!uses.has(name)) waiting.set(name, named);
        return { kind: "reference", name };
      };
      return make(part, { isSent: false, report, refer, inside: new Set(), depth: 0 });
    }

    const used = new Set<string>();
    const shape = withinStack(scoped.type, report, () =>
      convert(evaluation.part(scoped.type, scoped.scope), used, toShape),
    );
    for (const [name, part] of waiting) {
      parts.set(name, part);
      const inner = new Set<string>();
      uses.set(name, inner);
      const definition = withinStack(part, report, () => convert(part, inner, toDefinition));
      if (definition === null) broken.add(name);
      else definitions.set(name, definition);
    }
    return { shape: shape && reachesBroken(used) ? null : shape, diagnostics };
  }

  const find: FindDefinition = (name) => definitions.get(name);

  const sent = new Map<string, Shape>();
  const noted = new Set<string>();

  function readResult(part: Part): ResultShape {
    const unread: TypePlace[] = [];
    const waiting = new Map<string, Part>();
    const note = (place: TypePlace): void => {
      const { file, line, column } = place.location;
      const key = `${file}:${line}:${column}`;
      if (!noted.has(key)) unread.push(place);
      noted.add(key);
    };
    const refer = (named: Part): ReferenceShape => {
      const name = nameSent(named);
      if (!definitions.has(name) && !sent.has(name)) waiting.set(name, named);
      return { kind: "reference", name };
    };
    const report = ({ locations: [location] }: Diagnostic): void => {
      if (location) note({ text: part.text, location });
    };
    const conversion = { isSent: true, report, note, refer, inside: new Set<string>(), depth: 0 };
    const convert = (one: Part, make: typeof toShape): Shape =>
      withinStack(one, report, () => make(one, conversion)) ?? { kind: "unknown" };
    const shape = convert(part, toShape);
    for (const [name, named] of waiting)
      sent.set(name, placed(convert(named, toDefinition), named.declared ?? named.location));
    return { shape, unread };
  }

  /** A `File` is nothing in JSON. */
  function nameSent(part: Part): string {
    const name = nameDefinition(part);
    const isOther = definitions.has(name) && hasFile({ kind: "reference", name }, find);
    return isOther ? claim(`result ${name}`, name, `${part.label()}.result`) : name;
  }

  function nameDefinition(part: Part): string {
    const label = part.label();
    return label.length <= LONGEST_NAME ? label : claim(`definition ${label}`, shortenLabel(label), label);
  }

  function claim(key: string, wanted: string, label: string): string {
    const name = evaluation.names.claim(key, wanted);
    labels.set(name, label);
    return name;
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
    part: ({ type, scope }) => evaluation.part(type, scope),
    definition: find,
    naming: { labels, declared: evaluation.names.declared },
    get definitions() {
      return Object.fromEntries(definitions);
    },
    get allDefinitions() {
      for (const [name, shape] of definitions) placeDefinition(shape, parts.get(name));
      return Object.fromEntries([...definitions, ...sent]);
    },
  };
}

/** Not while requests are read: who serves a project does not ask for the places. */
function placeDefinition(shape: Shape, part: Part | undefined): void {
  if (part === undefined || placeOf(shape)) return;
  placed(shape, part.declared ?? part.location);
}

function diagnosticKey({ code, locations: [place] }: Diagnostic): string {
  return `${code} ${place?.file}:${place?.line}:${place?.column}`;
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
