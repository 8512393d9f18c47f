/** `file`, with which a handler sends a file from the disk. */

import { HttpError } from "../message/errors.ts";
import { flattenHeaders } from "../message/headers.ts";
import type { Answer, Asking } from "../message/result.ts";
import type { Source } from "../message/stream.ts";
import { answerFile, type StoredFile, storedFile, typeOf } from "./stored-file.ts";

export interface FileOptions {
  /** The name under which the client saves the file, instead of displaying it. */
  readonly name?: string;
  /** The content type; by default that of the extension of `name`, or of the path. */
  readonly type?: string;
}

/**
 * Sends a file, with `ETag`, `Last-Modified`, 304 and ranges.
 *
 * @param path never one that a client sent: it can point to any file.
 * @throws {HttpError} 404 if there is no such file; {TypeError} for a type that can't be sent.
 * @example return file(`invoices/${invoice.id}.pdf`, { name: "invoice.pdf" });
 */
export async function file(path: string, { name, type }: FileOptions = {}): Promise<FileResult> {
  const { stat } = process.getBuiltinModule("node:fs/promises");
  const stats = await stat(path).catch((cause) => {
    throw cause.code === "ENOENT" || cause.code === "ENOTDIR"
      ? new HttpError(404, "Not Found", { cause })
      : cause;
  });
  if (!stats.isFile()) throw new HttpError(404, "Not Found");
  const extra = name === undefined ? [] : ["Content-Disposition", toDisposition(name)];
  // The type may come from the upload of the file, so it is checked here.
  const [, contentType] = flattenHeaders([["Content-Type", type ?? typeOf(name ?? path)]]);
  return new FileResult(storedFile(path, stats, extra, contentType));
}

/** The result of `file`. */
export class FileResult {
  readonly #file: StoredFile;

  /** @internal */
  constructor(stored: StoredFile) {
    this.#file = stored;
  }

  /** @internal */
  "~answer"(): Answer<Source> {
    const answer = answerFile(this.#file, { method: "GET", header: () => undefined });
    return { ...answer, choose: (request: Asking) => answerFile(this.#file, request) };
  }
}

/** RFC 6266: an ASCII name for old clients, and the real one. */
function toDisposition(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"${ascii === name ? "" : `; filename*=UTF-8''${encoded}`}`;
}
