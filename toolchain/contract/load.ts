/** Loads the contract of the project in a folder: what its sources say, and what its own `tsc` infers where they say nothing. */

import type { Contract } from "#convention/contract/contract";
import { readContract } from "#convention/contract/read";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { type Project, readSources, type Sources } from "#convention/project";
import { Trees } from "#convention/source/syntax";
import { ProjectError } from "../load/project-error.ts";
import type { InferredResults } from "./infer/infer.ts";

export interface LoadOptions {
  /** False leaves the results unknown that no source writes. */
  readonly infer?: boolean;
}

/** @throws {ProjectError} for a project that has errors. */
export async function loadContract(
  root: string,
  { infer = true }: LoadOptions = {},
): Promise<{ contract: Contract; project: Project }> {
  const read = (trees = new Trees()): Sources => readSound(root, trees);
  if (!infer) return toLoaded(read());
  const { inferWhileReading } = await import("./infer/infer.ts");
  return toLoaded(...(await inferWhileReading(root, read)));
}

function toLoaded(sources: Sources, results?: InferredResults): { contract: Contract; project: Project } {
  const contract = readContract(sources, results);
  const diagnostics = [...(results?.diagnostics ?? []), ...contract.diagnostics];
  return { contract: { ...contract, diagnostics }, project: sources.project };
}

function readSound(root: string, trees: Trees): Sources {
  const sources = readSources(root, undefined, trees);
  const { diagnostics } = sources.project;
  if (hasErrors(diagnostics)) throw new ProjectError(root, diagnostics);
  return sources;
}
