/** Validates paths, splits them into segments, and normalizes percent-encoding. */

/** A path that a proxy or a URL parser could interpret differently. */
export interface BadPath {
  readonly kind: "bad-path";
  readonly reason: string;
}

export const SLASH = 0x2f;
const DOT = 0x2e;
/** Characters that must be percent-encoded: backslash, space, control characters, `#`, `?`, and all beyond ASCII. */
const FORBIDDEN: RegExp = /[^!"$->@-[\]-~]/;
/** The same within a segment, where `%` and `/` must be encoded, too. */
const NOT_PLAIN: RegExp = /[^!"$&-.0->@-[\]-~]+/g;

/** The character sets that `readSegment` can accept. */
export const PLAIN = 0;
export const PLAIN_AND_PERCENT = 1;
const ANY = 2;

/** The set of each character, by its code. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === "%") return PLAIN_AND_PERCENT;
  return FORBIDDEN.test(character) ? ANY : PLAIN;
});

export const UNREADABLE = -1;

/** The hash of the last segment read. One loop reads and hashes, because each access to a character costs more than a nanosecond. */
export const lastRead: { hash: number } = { hash: 0 };

/**
 * @returns the end index of the segment that begins at `start`, or `UNREADABLE` if `new URL` or a proxy would read it differently:
 * browsers read a raw backslash as a slash, drop control characters, and resolve dot segments (WHATWG URL 4.4).
 */
export function readSegment(path: string, start: number, allowed: number): number {
  const { length } = path;
  let hash = 0;
  let kinds = 0;
  let end = start;
  for (; end < length; end++) {
    const code = path.charCodeAt(end);
    if (code === SLASH) break;
    kinds |= (KINDS[code & 127] as number) | ((code >>> 7) << 1);
    hash = ((hash << 5) | (hash >>> 27)) ^ code;
  }
  if (kinds > allowed || isDotSegment(path, start, end)) return UNREADABLE;
  lastRead.hash = hash;
  return end;
}

function isDotSegment(path: string, start: number, end: number): boolean {
  const isShort = end - start === 1 || (end - start === 2 && path.charCodeAt(start + 1) === DOT);
  return isShort && path.charCodeAt(start) === DOT;
}

/** True if `readSegment` accepts every segment from `start` on. */
export function isReadable(path: string, start: number, allowed: number): boolean {
  for (let next = start; next < path.length; ) {
    const end = readSegment(path, next, allowed);
    if (end === UNREADABLE) return false;
    next = end + 1;
  }
  return true;
}

/**
 * Normalizes percent-encoding. Decodes each segment once, so that `%2F` stays inside its segment.
 *
 * @returns undefined if the path is invalid.
 * @example respellPath("/caf%c3%a9/%61%2fb") // "/caf%C3%A9/a%2Fb"
 */
export function respellPath(path: string): string | undefined {
  if (!isReadable(path, 1, PLAIN_AND_PERCENT)) return undefined;
  try {
    return path.replace(/[^/]+/g, (text) => spellText(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

/** Encodes the text of one segment as a respelled path contains it. Different texts have different spellings. */
export function spellText(text: string): string {
  return text.replace(NOT_PLAIN, encodeURIComponent);
}

/** @returns the reason why a path is invalid. */
export function refusePath(path: string): BadPath {
  return { kind: "bad-path", reason: `The path can't be read: ${explainRefusal(path)}.` };
}

function explainRefusal(path: string): string {
  if (!path.startsWith("/")) return "it does not begin with a slash";
  if (FORBIDDEN.test(path)) return "it holds a character that must be percent-encoded";
  try {
    decodeURIComponent(path);
    return "it holds a dot segment";
  } catch {
    return "its percent-encoding is malformed or not UTF-8";
  }
}
