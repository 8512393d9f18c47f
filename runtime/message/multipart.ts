/**
 * Reads `multipart/form-data` (RFC 7578). By hand, because Node 20 and 22 refuse what .NET, Python and mail programs send: names without
 * quotes, `filename*`, folded headers, another letter case, line feeds alone.
 */

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const HYPHEN = 0x2d;

const encoder = new TextEncoder();
const anyText = new TextDecoder();
const partText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param type the content type.
 * @throws where it has no boundary, the last one is missing, a part has no name, or a text is not UTF-8.
 */
export function parseMultipart(bytes: Uint8Array, type: string): FormData {
  const boundary = /^multipart\/form-data[ \t]*;/i.test(type) && readParameters(type).get("boundary");
  if (!boundary) throw new SyntaxError("There is no boundary.");
  const form = new FormData();
  let from: number | undefined;
  for (const { start, end, isLast } of findDelimiters(bytes, encoder.encode(`--${boundary}`))) {
    // What stands before the first delimiter is no part.
    if (from !== undefined) addPart(form, bytes.subarray(from, start));
    from = end;
    if (isLast) return form;
  }
  throw new SyntaxError("The last boundary is missing.");
}

interface Delimiter {
  /** Where the part before it ends. */
  readonly start: number;
  /** Where the part behind it begins. */
  readonly end: number;
  readonly isLast: boolean;
}

/** The lines that are a delimiter, with two more hyphens for the last one (RFC 2046 section 5.1.1). */
function* findDelimiters(bytes: Uint8Array, delimiter: Uint8Array): Generator<Delimiter> {
  for (let line = 0; line < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, line) + 1 || bytes.length;
    if (bytes[line] === HYPHEN && delimiter.every((byte, index) => bytes[line + index] === byte)) {
      // In a file, any bytes may follow.
      const rest = anyText.decode(bytes.subarray(line + delimiter.length, end));
      const [, hyphens] = /^(--|)[ \t]*\r?\n?$/.exec(rest) ?? [];
      if (hyphens !== undefined) yield { start: withoutBreak(bytes, line), end, isLast: hyphens !== "" };
    }
    line = end;
  }
}

/** The line break before a delimiter is part of it. */
function withoutBreak(bytes: Uint8Array, line: number): number {
  const end = bytes[line - 1] === LINE_FEED ? line - 1 : line;
  return end < line && bytes[end - 1] === RETURN ? end - 1 : end;
}

function addPart(form: FormData, part: Uint8Array): void {
  const body = findBody(part);
  // A folded header goes on in the next line (RFC 5322 section 2.2.3).
  const lines = partText
    .decode(part.subarray(0, body))
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/);
  const header = (name: RegExp): string | undefined =>
    lines.find((line) => name.test(line))?.replace(name, "");
  const found = readParameters(header(/^content-disposition[ \t]*:[ \t]*form-data[ \t]*(?=;)/i) ?? "");
  const name = found.get("name");
  const filename = findFilename(found);
  if (name === undefined) throw new SyntaxError("A part has no name.");
  const content = part.subarray(body);
  const type = header(/^content-type[ \t]*:[ \t]*/i)?.trim() ?? "text/plain";
  form.append(
    name,
    filename === undefined
      ? partText.decode(content)
      : new File([new Uint8Array(content)], filename, { type }),
  );
}

/** @returns where the lines of headers have ended with an empty one. */
function findBody(part: Uint8Array): number {
  for (let line = 0; line < part.length; ) {
    const end = part.indexOf(LINE_FEED, line) + 1;
    if (end === 0) break;
    if (end === line + 1 || (end === line + 2 && part[line] === RETURN)) return end;
    line = end;
  }
  throw new SyntaxError("A part has no empty line behind its headers.");
}

const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|(?!")([^\s;"]*))/g;

/** @returns the parameters of a header by their keys in lower case. Of two with one key, the first counts, as for other programs. */
function readParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, key = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
    // Browsers encode these three (https://html.spec.whatwg.org/#multipart-form-data), other programs escape a quote.
    const text =
      quoted
        ?.replace(/%22|\\"/g, '"')
        .replace(/%0D/g, "\r")
        .replace(/%0A/g, "\n") ?? token;
    if (!found.has(key.toLowerCase())) found.set(key.toLowerCase(), text);
  }
  return found;
}

function findFilename(parameters: ReadonlyMap<string, string>): string | undefined {
  // RFC 8187 section 3.2
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get("filename*") ?? "")?.[1];
  return extended === undefined ? parameters.get("filename") : decodeURIComponent(extended);
}
