/** Which module of a build imports which: what line of the project leads to one, and whether the project needs it. */

import { readFileSync } from "node:fs";
import { compareText } from "#convention/diagnostics/order";
import type { Location } from "#runtime/routing/route";
import { frameworkPath } from "../framework-folder.ts";
import { locateOffset, packageOf, toPath } from "../load/project-files.ts";
import { isCaught, type Parser } from "./caught.ts";

/** An import. */
export interface Step {
  /** A file, or a module of the build that is no file. */
  readonly importer: string;
  readonly source: string;
  readonly kind: string;
}

export interface Graph {
  /** Every file that is imported. */
  readonly files: Iterable<string>;
  /** @param file where it leads. */
  add(file: string, step: Step): void;
  /** The line of the project that leads there, by way of however many packages: the shortest way, where there are several. */
  placeOf(step: Step): Location;
  /** The same for a file that some step leads to. */
  placeOfFile(file: string): Location | undefined;
  /** True if the project can't be loaded without what the step imports: on one of the ways there, nothing catches the failure. */
  isNeeded(parser: Parser, step: Step): boolean;
  /** The same for a file that some step leads to. */
  isFileNeeded(parser: Parser, file: string): boolean;
}

export function createGraph(root: string): Graph {
  const steps = new Map<string, Step[]>();
  return {
    get files() {
      return steps.keys();
    },
    add(file, step) {
      const before = steps.get(file);
      if (before) before.push(step);
      else steps.set(file, [step]);
    },
    placeOf: (step) => placeOfOwn([step]) ?? locate(step),
    placeOfFile: (file) => placeOfOwn(stepsTo(file)),
    isNeeded: (parser, step) => isNeeded(parser, step, new Set()),
    isFileNeeded: (parser, file) =>
      (steps.get(file) ?? []).some((step) => isNeeded(parser, step, new Set([file]))),
  };

  function stepsTo(file: string): readonly Step[] {
    return (steps.get(file) ?? []).filter(({ importer }) => !isOfBuild(importer));
  }

  function placeOfOwn(first: readonly Step[]): Location | undefined {
    const seen = new Set<string>();
    for (let front = first; front.length > 0; ) {
      const [own] = front.filter(({ importer }) => isOfProject(importer)).sort(compareSteps);
      if (own) return locate(own);
      const importers = new Set(front.map(({ importer }) => importer).filter((file) => !seen.has(file)));
      for (const file of importers) seen.add(file);
      front = [...importers].flatMap(stepsTo);
    }
    return undefined;
  }

  function locate({ importer, source }: Step): Location {
    const text = readFileSync(importer, "utf8");
    const offset = Math.max(text.indexOf(`"${source}"`), text.indexOf(`'${source}'`), 0);
    return locateOffset(toPath(root, importer), text, offset);
  }

  /** @param seen importers: one that is reached again opens no other way. */
  function isNeeded(parser: Parser, step: Step, seen: Set<string>): boolean {
    const { importer, source, kind } = step;
    if (isOfBuild(importer)) return true;
    if (kind !== "import-statement" && isCaught(parser, importer, source)) return false;
    if (seen.has(importer)) return false;
    seen.add(importer);
    const before = steps.get(importer) ?? [];
    return before.length === 0 || before.some((earlier) => isNeeded(parser, earlier, seen));
  }
}

/** The modules of the build and of the bundler are no files. */
export function isOfBuild(importer: string): boolean {
  return importer.startsWith("\0");
}

function isOfProject(importer: string): boolean {
  return packageOf(importer) === undefined && !importer.startsWith(frameworkPath());
}

function compareSteps(one: Step, other: Step): number {
  return compareText(one.importer, other.importer) || compareText(one.source, other.source);
}
