/** Loads the contract of the project in a folder: what its sources say, and what its own `tsc` infers where they say nothing. */

import type { Contract } from "#convention/contract/contract";
import { readContract } from "#convention/contract/read";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { type Project, readSources } from "#convention/project";
import { ProjectError } from "../load/project-error.ts";

export interface LoadOptions {
  /** False leaves the results unknown that no source writes. */
  readonly infer?: boolean;
}

/** @throws {ProjectError} for a project that has errors. */
export async function loadContract(
  root: string,
  { infer = true }: LoadOptions = {},
): Promise<{ contract: Contract; project: Project }> {
  const sources = readSources(root);
  const { project } = sources;
  if (hasErrors(project.diagnostics)) throw new ProjectError(root, project.diagnostics);
  const { inferResults } = await import("./infer/infer.ts");
  const results = infer ? await inferResults(sources) : undefined;
  const contract = readContract(sources, results);
  const diagnostics = [...(results?.diagnostics ?? []), ...contract.diagnostics];
  return { contract: { ...contract, diagnostics }, project };
}
