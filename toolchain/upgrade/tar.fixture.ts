/** Tarballs of any entries, for tests: well-formed ones and others. */

export interface Entry {
  readonly path: string;
  readonly content?: string;
  readonly type?: string;
  readonly prefix?: string;
  /** As the header has it; by default that of the content. */
  readonly length?: string;
}

/** As POSIX has it: a header of 512 bytes, then the content in whole blocks of so many. */
export function toTar(...entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = "", type = "0", prefix = "", length }) => {
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write(length ?? Buffer.byteLength(content).toString(8).padStart(11, "0"), 124);
    header.write("        ", 148);
    header.write(type, 156);
    header.write("ustar\u000000", 257);
    header.write(prefix, 345);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
