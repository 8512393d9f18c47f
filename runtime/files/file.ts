/** A file as a result: what a handler returns to send one that it has chosen. */

import { HttpError } from "../message/errors.ts";
import { flattenHeaders } from "../message/headers.ts";
import type { Answer, Asking } from "../message/result.ts";
import type { Source } from "../message/stream.ts";
import { answerFile, type StoredFile, storedFile, typeOf } from "./stored-file.ts";

export interface FileOptions {
  /** The client saves the file under this name instead of showing it. */
  readonly name?: string;
  /** The content type. By default that of the name's ending, or of the path's. */
  readonly type?: string;
}

/**
 * Sends a file, with `ETag`, `Last-Modified`, 304 and ranges.
 *
 * @param path never one that a client chooses: it may lead anywhere.
 * @throws {HttpError} 404 if there is no such file, {TypeError} for a type that can't be sent.
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
  const more = name === undefined ? [] : ["Content-Disposition", toDisposition(name)];
  // What can't be sent fails here: it may be what somebody has uploaded the file as.
  const [, sent] = flattenHeaders([["Content-Type", type ?? typeOf(name ?? path)]]);
  return new FileResult(storedFile(path, stats, more, sent));
}

/** What `file` gives. */
export class FileResult {
  readonly #file: StoredFile;

  /** @internal */
  constructor(stored: StoredFile) {
    this.#file = stored;
  }

  /** @internal */
  "~answer"(): Answer<Source> {
    const answer = answerFile(this.#file, { method: "GET", header: () => undefined });
    return { ...answer, choose: (asked: Asking) => answerFile(this.#file, asked) };
  }
}

/** RFC 6266: the plain name for old clients, and the real one. */
function toDisposition(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, "_");
  const whole = encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${whole}`}`;
}
