/** Loads the contract of the project in a folder: what its sources say, and what its own `tsc` infers where they say nothing. */

import type { Contract } from "#runtime/convention/contract/contract";
import { readContract } from "#runtime/convention/contract/read";
import { hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { type Project, readSources, type Sources } from "#runtime/convention/project";
import type { Files } from "#runtime/convention/source/files";
import { Trees } from "#runtime/convention/source/syntax";
import { ProjectError } from "../load/project-error.ts";
import type { InferredResults } from "./infer/infer.ts";

export interface LoadOptions {
  /** False leaves the results unknown that no source writes. It is so where the texts are given, unless it says otherwise. */
  readonly infer?: boolean;
  /** Where the texts come from: the disk, or a commit of git. */
  readonly files?: Files;
}

/** @throws {ProjectError} for a project that has errors. */
export async function loadContract(
  root: string,
  { files, infer = files === undefined }: LoadOptions = {},
): Promise<{ contract: Contract; project: Project }> {
  const read = (trees = new Trees()): Sources => readSound(root, trees, files);
  if (!infer) return toLoaded(read());
  const { inferResults, inferWhileReading } = await import("./infer/infer.ts");
  if (files === undefined) return toLoaded(...(await inferWhileReading(root, read)));
  const sources = read();
  return toLoaded(sources, await inferResults(sources));
}

function toLoaded(sources: Sources, results?: InferredResults): { contract: Contract; project: Project } {
  const contract = readContract(sources, results);
  const diagnostics = [...(results?.diagnostics ?? []), ...contract.diagnostics];
  return { contract: { ...contract, diagnostics }, project: sources.project };
}

function readSound(root: string, trees: Trees, files?: Files): Sources {
  const sources = readSources(root, files, trees);
  const { diagnostics } = sources.project;
  if (hasErrors(diagnostics)) throw new ProjectError(root, diagnostics);
  return sources;
}
