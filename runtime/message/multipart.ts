/**
 * Parses `multipart/form-data` (RFC 7578) as a stream. Written by hand, because Node 20 and 22 refuse the syntax of .NET, Python and
 * mail programs: names without quotes, `filename*`, folded headers, another letter case, bare line feeds.
 */

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const NOTHING = new Uint8Array(0);

/** In bytes: the maximum length of a part's headers, and of the white space after a delimiter. Both are buffered until they end. */
const MAX_HEAD = 16 * 1024;

const encoder = new TextEncoder();
const anyText = new TextDecoder();
const partText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface Part {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  readonly type: string;
  /** The content that has arrived and was not taken by `takeFiles`. */
  pieces: Uint8Array[];
  size: number;
}

/** Parses a body in chunks of any length. @throws from each method as {@link parseMultipart} does. */
export class MultipartReader {
  /** The number of bytes of files in memory. */
  inMemory = 0;
  readonly #parts: Part[] = [];
  /** The files with content in memory. */
  #files: Part[] = [];
  readonly #delimiter: Uint8Array;
  /** Bytes that may belong to a delimiter: a line break, and the incomplete line after it. */
  #rest: Uint8Array = NOTHING;
  /** The index of that line in `#rest`; undefined within a line of content. */
  #line: number | undefined = 0;
  /** The headers of the current part, until an empty line ends them. Undefined before the first part. */
  #head: Uint8Array | undefined;
  #part: Part | undefined;
  #isOver = false;

  /** @param type the content type. */
  constructor(type: string) {
    const boundary = /^multipart\/form-data[ \t]*;/i.test(type) && readParameters(type).get("boundary");
    if (!boundary) throw new SyntaxError("There is no boundary.");
    this.#delimiter = encoder.encode(`--${boundary}`);
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    const bytes = join([this.#rest, chunk]);
    let start = 0;
    let line = this.#line ?? lineAfter(bytes, 0);
    while (line !== undefined) {
      const end = lineAfter(bytes, line);
      const kind = this.#match(bytes, line, end);
      if (kind === "unknown") break;
      if (kind !== "other") {
        this.#add(bytes.subarray(start, withoutBreak(bytes, start, line)));
        this.#endPart();
        this.#head = NOTHING;
        this.#isOver = kind === "last";
        if (this.#isOver) return;
        start = end ?? bytes.length;
      }
      line = end;
    }
    // Within a line, only a carriage return at the end may belong to the line break before a delimiter.
    const within = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    const kept = line === undefined ? Math.max(start, within) : withoutBreak(bytes, start, line);
    this.#add(bytes.subarray(start, kept));
    this.#rest = bytes.subarray(kept);
    this.#line = line === undefined ? undefined : line - kept;
  }

  /** Ends the body. @returns its parts. */
  end(): readonly Part[] {
    this.push(new Uint8Array([LINE_FEED]));
    if (!this.#isOver) throw new SyntaxError("The last boundary is missing.");
    return this.#parts;
  }

  /** @returns the content of files since the last call, in the order of the body. */
  takeFiles(): readonly Uint8Array[] {
    const pieces = this.#files.flatMap((part) => part.pieces);
    for (const part of this.#files) part.pieces = [];
    this.#files = [];
    this.inMemory = 0;
    return pieces;
  }

  /** The last delimiter ends with two more hyphens (RFC 2046 section 5.1.1). */
  #match(bytes: Uint8Array, line: number, end: number | undefined): "other" | "unknown" | "next" | "last" {
    const delimiter = this.#delimiter;
    const length = Math.min(delimiter.length, bytes.length - line);
    for (let at = 0; at < length; at++) if (bytes[line + at] !== delimiter[at]) return "other";
    if (end === undefined && bytes.length - line < MAX_HEAD) return "unknown";
    // In a file, any bytes may follow the delimiter's text.
    const rest = anyText.decode(bytes.subarray(line + delimiter.length, end));
    const [, hyphens] = /^(--|)[ \t]*\r?\n$/.exec(rest) ?? [];
    return hyphens === undefined ? "other" : hyphens === "" ? "next" : "last";
  }

  #add(bytes: Uint8Array): void {
    // Text before the first delimiter is not a part.
    if (bytes.length === 0 || this.#head === undefined) return;
    if (this.#part === undefined) {
      const head = join([this.#head, bytes]);
      const body = findBody(head);
      this.#head = head;
      if (body === undefined && head.length > MAX_HEAD)
        throw new SyntaxError("The headers of a part are too long.");
      if (body === undefined) return;
      this.#part = toPart(partText.decode(head.subarray(0, body)));
      this.#parts.push(this.#part);
      this.#add(head.subarray(body));
      return;
    }
    const part = this.#part;
    if (part.filename !== undefined) {
      if (part.pieces.length === 0) this.#files.push(part);
      this.inMemory += bytes.length;
    }
    part.pieces.push(bytes);
    part.size += bytes.length;
  }

  #endPart(): void {
    if (this.#head !== undefined && this.#part === undefined)
      throw new SyntaxError("A part has no empty line behind its headers.");
    this.#part = undefined;
  }
}

/**
 * @param type the content type.
 * @throws if the content type has no boundary, the last delimiter is missing, a part has no name, or a text is not UTF-8.
 */
export function parseMultipart(bytes: Uint8Array, type: string): FormData {
  const reader = new MultipartReader(type);
  reader.push(bytes);
  return toFormData(reader.end());
}

/** @param contentOf returns the content of a file. */
export function toFormData(
  parts: readonly Part[],
  contentOf: (part: Part) => (Blob | Uint8Array<ArrayBuffer>)[] = ({ pieces }) => [
    new Uint8Array(join(pieces)),
  ],
): FormData {
  const form = new FormData();
  for (const part of parts) {
    const { name, filename, type, pieces } = part;
    if (filename === undefined) form.append(name, partText.decode(join(pieces)));
    else form.append(name, new File(contentOf(part), filename, { type }));
  }
  return form;
}

export function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = NOTHING, ...others] = pieces.filter(({ length }) => length > 0);
  if (others.length === 0) return first;
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** @returns the index after the next line break. */
function lineAfter(bytes: Uint8Array, from: number): number | undefined {
  return bytes.indexOf(LINE_FEED, from) + 1 || undefined;
}

/** The line break before a delimiter belongs to it. */
function withoutBreak(bytes: Uint8Array, start: number, line: number): number {
  const end = line > start && bytes[line - 1] === LINE_FEED ? line - 1 : line;
  return end < line && end > start && bytes[end - 1] === RETURN ? end - 1 : end;
}

function toPart(head: string): Part {
  // A folded header continues on the next line (RFC 5322 section 2.2.3).
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const header = (name: RegExp): string | undefined =>
    lines.find((line) => name.test(line))?.replace(name, "");
  const parameters = readParameters(header(/^content-disposition[ \t]*:[ \t]*form-data[ \t]*(?=;)/i) ?? "");
  const name = parameters.get("name");
  if (name === undefined) throw new SyntaxError("A part has no name.");
  const type = header(/^content-type[ \t]*:[ \t]*/i)?.trim() ?? "text/plain";
  return { name, filename: findFilename(parameters), type, pieces: [], size: 0 };
}

/** @returns the index after the empty line that ends the headers. */
function findBody(part: Uint8Array): number | undefined {
  for (let line: number | undefined = 0; line !== undefined; ) {
    const end = lineAfter(part, line);
    if (end === line + 1 || (end === line + 2 && part[line] === RETURN)) return end;
    line = end;
  }
  return undefined;
}

const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|(?!")([^\s;"]*))/g;

/** @returns the parameters of a header by key in lower case. The first of two with the same key wins, as in other programs. */
function readParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, key = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
    // Browsers encode these three (https://html.spec.whatwg.org/#multipart-form-data); other programs escape a quote.
    const text =
      quoted
        ?.replace(/%22|\\"/g, '"')
        .replace(/%0D/g, "\r")
        .replace(/%0A/g, "\n") ?? token;
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), text);
  }
  return parameters;
}

function findFilename(parameters: ReadonlyMap<string, string>): string | undefined {
  // RFC 8187 section 3.2
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get("filename*") ?? "")?.[1];
  return extended === undefined ? parameters.get("filename") : decodeURIComponent(extended);
}
