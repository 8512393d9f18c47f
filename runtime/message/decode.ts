/** Decompresses request bodies (`[server] decompress`). */

import type { ServerSettings } from "../settings.ts";
import { bodyTooLarge, HttpError } from "./errors.ts";

/** Undoes a content coding. @param limit the maximum number of decompressed bytes. */
export type Decode = (chunks: AsyncIterable<Uint8Array>, limit: number) => AsyncIterableIterator<Uint8Array>;

/** @returns the decoders by content coding; empty if the setting is off, and on platforms without zlib. */
export function createDecoders({
  decompress,
}: Pick<ServerSettings, "decompress">): ReadonlyMap<string, Decode> {
  const zlib = decompress ? globalThis.process?.getBuiltinModule?.("node:zlib") : undefined;
  if (zlib === undefined) return new Map();
  const { createBrotliDecompress, createGunzip, createInflate } = zlib;
  const factories = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
  return new Map(
    Object.entries(factories).map(([coding, create]) => [
      coding,
      (chunks, limit) => decode(chunks, create(), limit),
    ]),
  );
}

/** Applies the limit to the decompressed size: a megabyte can expand to a gigabyte. */
async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  unzip: NodeJS.ReadWriteStream,
  limit: number,
): AsyncGenerator<Uint8Array> {
  const { pipeline } = process.getBuiltinModule("node:stream");
  let size = 0;
  let failure: unknown;
  const source = (async function* () {
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  })();
  try {
    for await (const piece of pipeline(
      source,
      unzip,
      () => undefined,
    ) as unknown as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > limit) throw bodyTooLarge(limit);
      yield piece;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, "The request body can't be decompressed.", { cause: error });
  }
}

/** Collects all pieces and passes them to `parse`. */
export async function readWhole<T>(
  pieces: AsyncIterable<Uint8Array>,
  parse: (bytes: Uint8Array) => T,
): Promise<T> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) parts.push(new Uint8Array(piece));
  return parse(new Uint8Array(await new Blob(parts).arrayBuffer()));
}
