/** Reads types to shapes, and collects those that have a name. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Definitions, ReferenceShape, Shape } from "#runtime/core/wire/shape";
import type { Modules } from "../source/modules.ts";
import { toDefinition, toShape } from "./conversion.ts";
import { createEvaluation } from "./evaluate.ts";
import { endless, type Part, type TypePlace } from "./outline.ts";
import type { ScopedType } from "./scope.ts";

/** One for each reading of a project. */
export interface ShapeReader {
  /**
   * A shape of null has an error among the diagnostics, or among those of an earlier reading: each error is reported once, however many
   * handlers use the type.
   */
  read(type: ScopedType): { readonly shape: Shape | null; readonly diagnostics: readonly Diagnostic[] };
  /** Of all shapes that were read so far, each time in a new object. */
  readonly definitions: Definitions;
  /** One of them. */
  readonly definition: FindDefinition;
}

export type FindDefinition = (name: string) => Shape | undefined;

/** A longer label is shortened in the name of a definition. */
const LONGEST_NAME = 60;

export function createShapeReader(modules: Modules): ShapeReader {
  const evaluation = createEvaluation(modules);
  const definitions = new Map<string, Shape>();
  const reported = new Set<string>();
  /** What each definition refers to. */
  const uses = new Map<string, Set<string>>();
  const broken = new Set<string>();

  function read(scoped: ScopedType): ReturnType<ShapeReader["read"]> {
    const diagnostics: Diagnostic[] = [];
    const waiting = new Map<string, Part>();
    const report = (diagnostic: Diagnostic): void => {
      const key = keyOf(diagnostic);
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
      return make(part, { report, refer, inside: new Set(), depth: 0 });
    }

    const used = new Set<string>();
    const shape = withinStack(scoped.type, report, () =>
      convert(evaluation.part(scoped.type, scoped.scope), used, toShape),
    );
    for (const [name, part] of waiting) {
      const inner = new Set<string>();
      uses.set(name, inner);
      const definition = withinStack(part, report, () => convert(part, inner, toDefinition));
      if (definition === null) broken.add(name);
      else definitions.set(name, definition);
    }
    return { shape: shape && reachesBroken(used) ? null : shape, diagnostics };
  }

  function nameDefinition(part: Part): string {
    const label = part.label();
    if (label.length <= LONGEST_NAME) return label;
    const start = /^\w+(?=<)/.exec(label)?.[0];
    return evaluation.claim(
      `definition ${label}`,
      start === undefined ? `${label.slice(0, 40)}…` : `${start}<…>`,
    );
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
    definition: (name) => definitions.get(name),
    get definitions() {
      return Object.fromEntries(definitions);
    },
  };
}

function keyOf({ code, locations: [place] }: Diagnostic): string {
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
