/** Reads the answers of a connection off its bytes, strictly (RFC 9112 sections 4 to 7). */

export interface Answer {
  /** Where it begins among the bytes, behind its interim answers. */
  readonly at: number;
  readonly interim: readonly number[];
  readonly status: number;
  /** In lower case, sorted, without the Date, which is here or not. */
  readonly headers: readonly string[];
  readonly framing: "none" | "length" | "chunked" | "close";
  readonly body: string;
  /** The connection ended before the answer did. */
  readonly isCut: boolean;
  /** The invitation of its body came between its head and its own body. */
  readonly isTorn: boolean;
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [A-Z][\x20-\x7e]*$/;
const HEADER_LINE = /^[\w-]+: [\x20-\x7e]*$/;

/** @throws {Error} for bytes that are not answers. */
export function parseAnswers(bytes: string): Answer[] {
  const answers: Answer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { answer, end } = parseAnswer(bytes, at);
    answers.push(answer);
    at = end;
  }
  return answers;
}

function parseAnswer(bytes: string, start: number): { answer: Answer; end: number } {
  const interim: number[] = [];
  let at = start;
  let { status, headers, end } = parseHead(bytes, at);
  while (status < 200) {
    interim.push(status);
    // Nothing behind it: the connection ended before the answer itself.
    at = end;
    if (end === bytes.length)
      return {
        answer: { at, interim, status: 0, headers, framing: "none", body: "", isCut: true, isTorn: false },
        end,
      };
    ({ status, headers, end } = parseHead(bytes, end));
  }
  const isTorn = headers.length > 0 && isInvitedAt(bytes, end);
  const { end: next, ...framed } = parseBody(bytes, isTorn ? end + INVITATION.length : end, status, headers);
  const shown = headers.map((line) => (line.startsWith("date: ") ? "date" : line)).sort();
  if (isTorn) interim.push(100);
  return { answer: { at, interim, status, headers: shown, isTorn, ...framed }, end: next };
}

const INVITATION = "HTTP/1.1 100 Continue\r\n\r\n";

/** Not the one of the next answer, which has its own head behind it. */
function isInvitedAt(bytes: string, at: number): boolean {
  const next = at + INVITATION.length;
  return bytes.startsWith(INVITATION, at) && next < bytes.length && !bytes.startsWith("HTTP/1.1 ", next);
}

function parseHead(bytes: string, at: number): { status: number; headers: string[]; end: number } {
  const end = bytes.indexOf("\r\n\r\n", at);
  if (end === -1)
    throw new Error(`This is no head of an answer: ${JSON.stringify(bytes.slice(at, at + 300))}`);
  const [line = "", ...headers] = bytes.slice(at, end).split("\r\n");
  const [, status] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined || !headers.every((header) => HEADER_LINE.test(header)))
    throw new Error(`This is no head of an answer: ${JSON.stringify(bytes.slice(at, end))}`);
  return { status: Number(status), headers: headers.map(lowerName), end: end + 4 };
}

function lowerName(header: string): string {
  return header.replace(/^[^:]+/, (name) => name.toLowerCase());
}

interface Body extends Pick<Answer, "framing" | "body" | "isCut"> {
  readonly end: number;
}

function parseBody(bytes: string, at: number, status: number, headers: readonly string[]): Body {
  const length = headers.find((line) => line.startsWith("content-length: "))?.slice(16);
  const isChunked = headers.includes("transfer-encoding: chunked");
  const framing = isChunked ? "chunked" : length !== undefined ? "length" : "close";
  if (isChunked && length !== undefined) throw new Error("An answer has a length and chunks.");
  // A HEAD can't be told from the answer. No body begins like an answer.
  const isEmpty =
    status === 204 || status === 304 || at === bytes.length || bytes.startsWith("HTTP/1.1 ", at);
  if (isEmpty)
    return {
      framing: length === "0" || (!isChunked && length === undefined) ? "none" : framing,
      body: "",
      isCut: false,
      end: at,
    };
  if (isChunked) return parseChunks(bytes, at);
  const end = length === undefined ? bytes.length : at + Number(length);
  const isCut = end > bytes.length;
  return { framing, body: bytes.slice(at, end), isCut, end: Math.min(end, bytes.length) };
}

function parseChunks(bytes: string, start: number): Body {
  let body = "";
  for (let at = start; ; ) {
    const [line, size] = /^([0-9a-f]+)\r\n/.exec(bytes.slice(at, at + 16)) ?? [];
    const end = at + (line?.length ?? 0) + Number.parseInt(size ?? "0", 16);
    if (line === undefined || bytes.slice(end, end + 2) !== "\r\n") {
      const isCut = line === undefined ? at >= bytes.length - 8 : end + 2 > bytes.length;
      if (!isCut)
        throw new Error(`This is no chunk of an answer: ${JSON.stringify(bytes.slice(at, at + 100))}`);
      return {
        framing: "chunked",
        body: body + bytes.slice(at + (line?.length ?? 0)),
        isCut: true,
        end: bytes.length,
      };
    }
    body += bytes.slice(at + line.length, end);
    at = end + 2;
    if (size === "0") return { framing: "chunked", body, isCut: false, end: at };
  }
}
