/** Which module of a build imports which: the line of the project that leads to a module, and whether a failure there is caught. */

import { readFileSync } from "node:fs";
import { compareText } from "#convention/diagnostics/order";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { locateOffset, packageOf, toPath } from "../load/project-files.ts";

/** An import. */
export interface Step {
  /** A file, or a module of the build that has no file. */
  readonly importer: string;
  readonly source: string;
  readonly kind: string;
}

export class Graph {
  readonly #root: string;
  readonly #steps = new Map<string, Step[]>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Every file that is imported. */
  get files(): Iterable<string> {
    return this.#steps.keys();
  }

  /** @param file where the import leads. */
  add(file: string, step: Step): void {
    const known = this.#steps.get(file);
    if (known) known.push(step);
    else this.#steps.set(file, [step]);
  }

  /** The imports of a file by other files. */
  stepsTo(file: string): readonly Step[] {
    const steps = this.#steps.get(file) ?? [];
    return steps.filter(({ importer }) => !isOfBuild(importer)).sort(compareSteps);
  }

  /** The project's line that leads to one of these imports, through however many packages: that of the shortest way. */
  placeOf(steps: readonly Step[]): Location | undefined {
    const reached = new Set(steps);
    // The loop also reaches the imports that are added meanwhile.
    for (const step of reached) {
      if (isOfProject(step.importer)) return this.#locate(step);
      for (const earlier of this.stepsTo(step.importer)) reached.add(earlier);
    }
    return steps[0] && this.#locate(steps[0]);
  }

  /** Whether the project can be loaded without what the step imports: each way there passes a `try` or a `.catch()`. */
  isCaught({ importer, source, kind }: Step, seen: Set<string> = new Set()): boolean {
    if (isOfBuild(importer)) return false;
    if (seen.has(importer)) return true;
    if (kind !== "import-statement" && catches(readFileSync(importer, "utf8"), source)) return true;
    seen.add(importer);
    return (this.#steps.get(importer) ?? []).every((earlier) => this.isCaught(earlier, seen));
  }

  #locate({ importer, source }: Step): Location {
    const text = readFileSync(importer, "utf8");
    const offset = Math.max(text.indexOf(`"${source}"`), text.indexOf(`'${source}'`), 0);
    return locateOffset(toPath(this.#root, importer), text, offset);
  }
}

/** The modules of the build and of the bundler have no file. */
export function isOfBuild(importer: string): boolean {
  return importer.startsWith("\0");
}

/** In `try { … }`, of which blocks may have ended before. */
const IN_TRY = /\btry\s*\{(?:[^}]|\{[^{}]*\})*$/;
/** `.catch(…)`, and `.then(…, …)`. */
const CAUGHT = /^\s*(?:\.then\([^;]*?\)\s*)?\.catch\(|^\s*\.then\((?:\([^()]*\)|[^;(),])*,\s*[^)\s]/;

/** Whether each `require("x")` and `import("x")` is in a `try`, or has a `catch` after it. */
function catches(text: string, source: string): boolean {
  const quoted = `["']${source.replace(/[^\w/-]/g, "\\$&")}["']`;
  const loads = [...text.matchAll(new RegExp(`\\b(?:require|import)\\(\\s*${quoted}\\s*\\)`, "g"))];
  return (
    loads.length > 0 &&
    loads.every(
      ({ index, 0: load }) =>
        IN_TRY.test(text.slice(0, index)) || CAUGHT.test(text.slice(index + load.length)),
    )
  );
}

function isOfProject(importer: string): boolean {
  return packageOf(importer) === undefined && !importer.startsWith(frameworkPath());
}

function compareSteps(one: Step, other: Step): number {
  return compareText(one.importer, other.importer) || compareText(one.source, other.source);
}
