/** The docs of a project that is served from source: another process makes the document when somebody asks for it. */

import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { Project } from "#convention/project";
import { createDocs, type Docs, type DocsFile } from "#runtime/docs";
import { HttpError } from "#runtime/message/errors";
import { frameworkPath } from "../../framework-folder.ts";
import { DOCUMENT_PATH, PAGE_PATHS, readPageFile, toDocumentFile } from "./files.ts";

/** For whoever waits longer, the document is made without what only tsc knows. */
const PATIENCE_MS = 2_000;
const LARGEST = 256 * 1024 * 1024;

export interface LiveOptions {
  /** True if an answer may come before tsc has inferred the results, and may show why there is none. */
  readonly dev: boolean;
}

/** The document stays as it is first made: under `framework dev`, a change starts another process. */
export function createLiveDocs({ root, contract }: Project, { dev }: LiveOptions): Docs {
  let whole: Promise<DocsFile> | undefined;
  let quick: Promise<DocsFile> | undefined;
  let patience: Promise<void> | undefined;
  const page = PAGE_PATHS.map((path) => {
    let file: DocsFile | undefined;
    const read = async (): Promise<DocsFile> => {
      file ??= readPageFile(path, contract);
      return file;
    };
    return [path, read] as const;
  });
  return createDocs({ ...Object.fromEntries(page), [DOCUMENT_PATH]: dev ? findSoon : findWhole });

  function findWhole(): Promise<DocsFile> {
    whole ??= makeDocument(root, [], dev).catch((error) => {
      whole = undefined;
      throw error;
    });
    return whole;
  }

  /** The page asks for the document again if it comes with `Retry-After`. */
  async function findSoon(): Promise<DocsFile> {
    patience ??= pause(PATIENCE_MS, undefined, { ref: false });
    const first = await Promise.race([findWhole(), patience]);
    if (first) return first;
    quick ??= makeDocument(root, ["--no-infer"], dev);
    const soon = quick.then((file) => ({ ...file, headers: [...file.headers, "Retry-After", "2"] }));
    return Promise.race([findWhole(), soon]);
  }
}

/** @throws {HttpError} when the command fails. */
function makeDocument(root: string, words: readonly string[], dev: boolean): Promise<DocsFile> {
  const command = [frameworkPath("tools/cli.js"), "openapi", ...words];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: root, maxBuffer: LARGEST }, (failure, stdout, stderr) => {
      if (failure === null) return resolve(toDocumentFile(stdout));
      const detail = stripVTControlCharacters(stderr.trim() || failure.message);
      const error = "The OpenAPI document could not be made.";
      reject(new HttpError(500, dev ? { error, detail } : { error }, { cause: failure }));
    });
  });
}
