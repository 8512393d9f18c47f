/** The docs of a built server: everything is made before it starts, so that it needs neither a disk nor a parser. */

import type { DocsFiles } from "#runtime/docs";
import { loadContract } from "../load.ts";
import { toOpenApi } from "../openapi/document.ts";
import { formatJsonDocument } from "../openapi/format.ts";
import { findSchemas } from "../schemas/schemas.ts";
import { DOCUMENT_PATH, PAGE_PATHS, readPageFile, toDocumentFile } from "./files.ts";

/** @throws {ProjectError} for a project that has errors. */
export async function makeDocs(root: string): Promise<DocsFiles> {
  const { contract, project } = await loadContract(root);
  const page = PAGE_PATHS.map((path) => [path, readPageFile(path, project.contract)] as const);
  const { find } = await findSchemas(root, contract, project.contract?.loadSchemas === true);
  const document = toDocumentFile(formatJsonDocument(toOpenApi(contract, find)));
  return { ...Object.fromEntries(page), [DOCUMENT_PATH]: document };
}
