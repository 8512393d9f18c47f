/** Reads multipart forms. Files too large for memory are stored in one temporary file, which is removed after the request. */

import type { FileHandle } from "node:fs/promises";
import { isServer } from "../platform.ts";
import { HttpError } from "./errors.ts";
import type { Body, Exchange } from "./exchange.ts";
import { type Fields, notAForm, parseForm } from "./form.ts";
import { join, MultipartReader, toFormData } from "./multipart.ts";

/** The maximum number of bytes of a form's files in memory. */
const MAX_IN_MEMORY = 1024 * 1024;

/**
 * @param body the body of the request or of its clone.
 * @param next receives the form. It may call the handler, so it runs in the caller's async context.
 * @returns the result of `next`. Rejects with {HttpError} 400 for an invalid form, 507 if the disk is full, and as `body.read` does.
 */
export function readForm<T>(body: Body, exchange: Exchange, next: (form: Fields) => T): Promise<T> {
  const type = exchange.header("content-type") ?? "";
  const fitsInMemory = Number(exchange.header("content-length") ?? Number.NaN) <= MAX_IN_MEMORY;
  return (fitsInMemory && exchange.decode === undefined) || !/^multipart/i.test(type) || !isServer()
    ? body.read((bytes) => parseForm(bytes, type)).then(next)
    : readLarge(body.chunks(), type, exchange).then(next);
}

async function readLarge(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  exchange: Exchange,
): Promise<FormData> {
  const stored = new TemporaryFile();
  try {
    const reader = new MultipartReader(type);
    for await (const chunk of inPieces(chunks)) {
      reader.push(chunk);
      if (reader.inMemory > MAX_IN_MEMORY) await stored.append(reader.takeFiles());
    }
    const parts = reader.end();
    if (!stored.isOpen) return toFormData(parts);
    await stored.append(reader.takeFiles());
    const all = await stored.toBlob();
    if (exchange.whenOver === undefined)
      throw new DOMException("The request was answered before its form had come.", "AbortError");
    exchange.whenOver = [...exchange.whenOver, stored.remove];
    let end = 0;
    return toFormData(parts, ({ size }) => {
      end += size;
      return [all.slice(end - size, end)];
    });
  } catch (error) {
    stored.remove();
    throw error instanceof HttpError || error instanceof DOMException ? error : notAForm(error);
  }
}

/** In bytes. A client may send chunks of one byte, each of which can cost the parser a thousand times its length. */
const MIN_PIECE = 16 * 1024;

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    size += chunk.length;
    if (size < MIN_PIECE) continue;
    yield join(buffered);
    buffered = [];
    size = 0;
  }
  yield join(buffered);
}

/** The temporary folders in use. */
const folders = new Set<string>();

function removeAll(): void {
  const { rmSync } = process.getBuiltinModule("node:fs");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A temporary file in a folder of its own, which only this user can open. */
class TemporaryFile {
  #folder: string | undefined;
  #path = "";
  #handle: FileHandle | undefined;

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    try {
      this.#handle ??= await this.#open();
      for (const piece of pieces) await this.#handle.writeFile(piece);
    } catch (cause) {
      throw new HttpError(507, "The server has no room for the files of this form.", { cause });
    }
  }

  async #open(): Promise<FileHandle> {
    const { mkdtemp, open } = process.getBuiltinModule("node:fs/promises");
    const { sep } = process.getBuiltinModule("node:path");
    this.#folder = await mkdtemp(`${process.getBuiltinModule("node:os").tmpdir()}${sep}form-`);
    this.#path = `${this.#folder}${sep}files`;
    if (folders.size === 0) process.off("exit", removeAll).on("exit", removeAll);
    folders.add(this.#folder);
    return open(this.#path, "wx", 0o600);
  }

  async toBlob(): Promise<Blob> {
    await this.#handle?.close();
    return process.getBuiltinModule("node:fs").openAsBlob(this.#path);
  }

  /** Removes the file. Errors are ignored: the system clears its temporary folder. */
  readonly remove = async (): Promise<void> => {
    const folder = this.#folder;
    if (folder === undefined) return;
    const { rm } = process.getBuiltinModule("node:fs/promises");
    await this.#handle?.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    folders.delete(folder);
  };
}
