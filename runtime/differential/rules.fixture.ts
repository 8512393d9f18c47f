/** The differences between our server and a plain one on node:http that are meant: what each answers, and why. */

import type { Seen } from "./lane.fixture.ts";
import { closes, headerOf, type Observed, type Reply } from "./observed.fixture.ts";
import { BODY_LIMIT } from "./plan.fixture.ts";

/** Where the two differ: their answers at one place, undefined behind the last one. */
export interface Place {
  readonly ours: Observed;
  readonly raw: Observed;
  readonly at: number;
  readonly halfCloses: boolean;
  readonly our: Reply;
  readonly their: Reply;
  /** Behind these, on either side. */
  readonly nextOur: Reply | undefined;
  readonly nextTheir: Reply | undefined;
}

/** What has to follow: both go on, only the plain one does, only ours does with answers that are due, or ours with any. */
export type Verdict = "both go on" | "ours ends" | "theirs ends" | "ours goes on";

/** Either may have ended. */
export type AnyPlace = Omit<Place, "our" | "their"> & {
  readonly our: Reply | undefined;
  readonly their: Reply | undefined;
};

export interface Explained {
  readonly rules: readonly string[];
  readonly verdict: Verdict;
}

interface Rule {
  readonly reason: string;
  explains(place: Place): boolean;
}

type Rules = Readonly<Record<string, Rule>>;

/** What must not reach a handler of ours, although node:http lets it through. */
interface Refusal {
  readonly reason: string;
  readonly status: number;
  readonly error: string;
  refuses(seen: Seen): boolean;
}

function valuesOf({ headers }: Seen, name: string): string[] {
  return headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name);
}

const AUTHORITY =
  /^(?:[\w.~-]+|\[[0-9a-f:.]+\])(?::(?:\d{0,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?$/i;

/** Also what looks like an address and is none, such as 1.x.3.4. */
function isHost(text: string): boolean {
  return AUTHORITY.test(text) && URL.canParse(`http://${text}/`);
}

export const NO_HOST = "There must be one Host header.";
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "no version": {
    reason: "node:http takes a request line without a version as HTTP/0.9, and answers as 1.1 does.",
    status: 400,
    error: "The request line names no version of HTTP.",
    refuses: ({ version }) => version === "0.9",
  },
  "another version": {
    reason: "Only 1.0 and 1.1 are served (RFC 9110 section 15.6.6).",
    status: 505,
    error: "HTTP Version Not Supported",
    refuses: ({ version }) => !["0.9", "1.0", "1.1"].includes(version),
  },
  "a header's name that is none": {
    reason:
      "llhttp takes it before its version 9, so only the first of Node 20.19 do (RFC 9112 section 5.1).",
    status: 400,
    error: "The request is malformed.",
    refuses: ({ headers }) => headers.some((text, index) => index % 2 === 0 && /^$| /.test(text)),
  },
  "several hosts": {
    reason: "node:http drops a second Host, and a proxy may take it (RFC 9112 section 3.2).",
    status: 400,
    error: NO_HOST,
    refuses: (seen) => valuesOf(seen, "host").length > 1 || valuesOf(seen, "host").join().includes(","),
  },
  "a host that is none": {
    reason: "It becomes part of the request's URL (RFC 9112 section 3.2).",
    status: 400,
    error: "The Host header is invalid.",
    refuses: (seen) => valuesOf(seen, "host").some((host) => !isHost(host)),
  },
  "another coding": {
    reason: "A proxy may frame a body by it in another way (RFC 9112 section 6.1).",
    status: 400,
    error: "The only supported transfer coding is chunked, over HTTP/1.1.",
    refuses: (seen) => {
      const codings = valuesOf(seen, "transfer-encoding");
      return codings.length > 0 && (codings.join(", ").toLowerCase() !== "chunked" || seen.version === "1.0");
    },
  },
  "a target that is none": {
    reason: "It is neither a path, a URL with a host, nor the * of OPTIONS (RFC 9112 section 3.2).",
    status: 400,
    error: "The request target is invalid.",
    refuses: ({ method, target }) => {
      const [, authority] = /^https?:\/\/([^/?]*)/i.exec(target) ?? [];
      const isForm = target.startsWith("/") || (target === "*" && method === "OPTIONS");
      return target.includes("#") || !(isForm || isHost(authority ?? ""));
    },
  },
  "a WebSocket": {
    reason:
      "Its client waits for another protocol, and would take an answer for a broken one (RFC 9110 section 15.5.22).",
    status: 426,
    error: "No WebSocket is served here.",
    refuses: (seen) =>
      seen.version === "1.1" &&
      valuesOf(seen, "upgrade").join(", ").toLowerCase() === "websocket" &&
      valuesOf(seen, "connection").some((value) => /(?:^|[\s,])upgrade(?:$|[\s,])/i.test(value)),
  },
};

/** Before llhttp 9. Later ones can't read the names that ours refuses before it looks for a Host. */
export const TAKES_SPACES: boolean = Number.parseInt(process.versions.llhttp ?? "", 10) < 9;

/** @returns true if a request must be refused, whatever a server makes of it. */
export function mustBeRefused(seen: Seen): boolean {
  return Object.values(REFUSALS).some(({ refuses }) => refuses(seen));
}

export const UNEXPECTED = "The only supported expectation is 100-continue.";
export const NO_TUNNEL = "Not Implemented";
const TOO_LARGE = `The request body is larger than ${BODY_LIMIT} bytes.`;
const JSON_TYPE = "content-type: application/json; charset=utf-8";

/** True for an error in our form that ends the connection. The answer to a HEAD has no body. */
export function isLastError(our: Reply | undefined, ours: Observed, status: number, error?: string): boolean {
  if (our === undefined || our !== ours.answers.at(-1)) return false;
  const hasForm =
    error === undefined ? /^\{"error":"[^"]+"\}$/.test(our.body) : our.body === JSON.stringify({ error });
  const isHead =
    our.body === "" &&
    error !== undefined &&
    headerOf(our, "content-length") === `${JSON.stringify({ error }).length}`;
  return (
    our.status === status &&
    closes(our) &&
    our.headers.includes(JSON_TYPE) &&
    our.headers.length === (status === 426 ? 5 : 4) &&
    (hasForm || isHead)
  );
}

/** What node:http writes by itself on bytes that it can't read: a head alone, and it cuts the connection. */
export function isCanned(their: Reply | undefined): boolean {
  return (
    their !== undefined &&
    their.headers.join() === "connection: close" &&
    their.body === "" &&
    their.seen === undefined
  );
}

/** What ours says where node:http has an answer of its own to bytes that it can't read. */
const MALFORMED: readonly [their: number, our: number, error: string][] = [
  [400, 400, "The request is malformed."],
  [400, 505, "HTTP Version Not Supported"],
  [431, 431, "Request Header Fields Too Large"],
  [413, 413, "The extensions of the body's chunks are too large."],
];

export function isMalformed(our: Reply | undefined, ours: Observed, their?: number): boolean {
  return MALFORMED.some(
    ([canned, status, error]) => (their ?? canned) === canned && isLastError(our, ours, status, error),
  );
}

/** @returns the name of the refusal that it is, of those that the request deserves. */
export function refusalOf(seen: Seen, our: Reply | undefined, ours: Observed): string | undefined {
  return Object.entries(REFUSALS).find(
    ([, { status, error, refuses }]) => refuses(seen) && isLastError(our, ours, status, error),
  )?.[0];
}

const ONE_PIECE = "a stream in one piece";
const STREAM_LEFT = "a stream to a client that has ended its side";
const BROKEN_BEHIND = "a body that is cut off behind its answer";

const CONNECTION = /^(?:connection|keep-alive): /;
const FRAMING = /^(?:connection|keep-alive|transfer-encoding|content-length): /;

/** True if the two are the same but for their connection, their invitations, and other headers that are named. */
function isSameBut(headers: RegExp, our: Reply, their: Reply): boolean {
  const rest = (reply: Reply) => reply.headers.filter((line) => !headers.test(line)).join("\n");
  return (
    our.status === their.status &&
    our.body === their.body &&
    rest(our) === rest(their) &&
    our.isLate === their.isLate &&
    our.isCut === their.isCut
  );
}

/** The end of the connection cut it off, where its own end does not show. */
function isCutOff(whole: Reply, cut: Reply): boolean {
  const isShorter = cut.isCut || (cut.framing === "close" && whole.body.length > cut.body.length);
  return isShorter && (whole.status === cut.status || cut.status === 0) && whole.body.startsWith(cut.body);
}

function declaredLength(seen: Seen): number {
  return Number(valuesOf(seen, "content-length")[0] ?? 0);
}

function isChunked(seen: Seen): boolean {
  return valuesOf(seen, "transfer-encoding").length > 0;
}

/** True if nothing asked for all of the body. */
function isUnread({ call }: Reply): boolean {
  return call === undefined || call.read === "not" || call.read === "begun";
}

/** Ours answers with an error, and ends the connection behind it. What follows on the plain server is not compared. */
const LAST: Rules = {
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, { reason }]): [string, Rule] => [
      name,
      {
        reason,
        explains: ({ our, their, ours }) =>
          their.seen !== undefined && refusalOf(their.seen, our, ours) === name,
      },
    ]),
  ),
  "no host": {
    reason: "node's own 400 has no body. Ours says what is missing (RFC 9112 section 3.2).",
    explains: ({ our, their, ours }) =>
      their.status === 400 &&
      their.seen === undefined &&
      (isLastError(our, ours, 400, NO_HOST) || (TAKES_SPACES && !isCanned(their) && isMalformed(our, ours))),
  },
  "another expectation": {
    reason:
      "node's own 417 (or 400, where there is no Host either) has no body and keeps the connection, on which the body may follow or not (RFC 9110 section 10.1.1).",
    explains: ({ our, their, ours }) =>
      (their.status === 417 || their.status === 400) &&
      their.seen === undefined &&
      their.body === "" &&
      isLastError(our, ours, 417, UNEXPECTED),
  },
  "bytes that can't be read": {
    reason: "node's own answer has no body. Ours says what is wrong.",
    explains: ({ our, their, ours }) => isCanned(their) && isMalformed(our, ours, their.status),
  },
  "a body that breaks before its answer": {
    reason:
      "Ours refuses it if nothing of the answer is out. The plain server has begun its answer, and cuts it.",
    explains: ({ our, their, ours, raw }) =>
      isMalformed(our, ours) && (their.isCut || their.framing === "close") && their === raw.answers.at(-1),
  },
};

/** The same request has another answer, on a connection that goes on unless a rule for connections says otherwise. */
const ANSWER: Rules = {
  "a path that can't be read": {
    reason: "A router and a URL parser would read it in two ways, so it is a 400 and not a 404.",
    explains: ({ our, their }) =>
      [204, 404, 405].includes(their.status) &&
      our.status === 400 &&
      /^(?:\{"error":"The path can't be read: .*"\})?$/.test(our.body) &&
      our.headers.includes(JSON_TYPE),
  },
  "a body that is too large": {
    reason: "The plain server has no limit.",
    explains: ({ our, their }) =>
      our.status === 413 &&
      (our.body === "" || our.body === JSON.stringify({ error: TOO_LARGE })) &&
      their.seen !== undefined &&
      (declaredLength(their.seen) > BODY_LIMIT || isChunked(their.seen)) &&
      (their.call?.body ?? "x".repeat(BODY_LIMIT + 1)).length > BODY_LIMIT,
  },
  [ONE_PIECE]: {
    reason: "Ours looks for its end for a turn of the event loop, and then knows its length.",
    explains: ({ our, their }) =>
      their.seen?.target.includes("/nothing/echo") === true &&
      their.framing !== "length" &&
      headerOf(our, "content-length") ===
        String(their.call?.method === "HEAD" ? their.call.body?.length : our.body.length) &&
      isSameBut(FRAMING, our, their),
  },
  [STREAM_LEFT]: {
    reason: "The end of its side is all that shows that a client has left, so ours stops what streams.",
    explains: ({ our, their, halfCloses, nextOur }) =>
      (halfCloses || their.isLate) && nextOur === undefined && isCutOff(their, our),
  },
  "a stream of a body that is too large": {
    reason: "The plain server has no limit. Ours can only cut what it has begun to send.",
    explains: ({ our, their, nextOur }) =>
      our.call?.read === "too large" && our.isCut && nextOur === undefined && isCutOff(their, our),
  },
};

/** The answer is the same, but only ours closes the connection behind it. */
const CLOSES: Rules = {
  "an expectation without an invitation": {
    reason:
      "Whether the body will follow is open, so node:http closes. The plain server has invited it (RFC 9110 section 10.1.1).",
    explains: ({ our, their: { seen } }) =>
      seen !== undefined && valuesOf(seen, "expect").length > 0 && our.interim.length === 0,
  },
  "a body that is left": {
    reason: "Ours closes rather than read a body of any length only to drop it (RFC 9112 section 9.3).",
    explains: ({ our, their }) => {
      const { seen } = their;
      const isEcho = seen?.target.includes("/nothing/echo") === true;
      if (seen === undefined || !(isUnread(their) || our.status === 413 || isEcho)) return false;
      const isPiecewise = (their.call?.read === "begun" || isEcho) && declaredLength(seen) > 0;
      return isChunked(seen) || isPiecewise || declaredLength(seen) > BODY_LIMIT;
    },
  },
};

/** Only the plain server invites the body. */
const INVITES: Rules = {
  "no invitation": {
    reason:
      "node:http invites every body. Ours invites none that is too large, nor while other answers are due (RFC 9110 section 10.1.1).",
    explains: ({ their: { seen }, at }) =>
      at > 0 || (seen !== undefined && declaredLength(seen) > BODY_LIMIT),
  },
};

/** The plain server has ended the connection. */
const ENDED: Readonly<Record<string, { reason: string }>> = {
  "no tunnel": {
    reason:
      "On CONNECT, node:http cuts the connection. Ours says that it has no tunnels (RFC 9110 section 9.3.6).",
  },
  "answers that are due": {
    reason:
      "On bytes that it can't read, or a CONNECT, node:http cuts the connection with the answers that are due. Ours gives them first.",
  },
};

const SILENT: Readonly<Record<string, { reason: string }>> = {
  [BROKEN_BEHIND]: {
    reason:
      "The client ended its side within a body that nobody reads. Its answer is out, so another one would belong to nothing.",
  },
};

/** Neither ends before its time-out. */
const WAITS: Readonly<Record<string, { reason: string }>> = {
  "an upgrade that is cut off": {
    reason:
      "llhttp does not say that a body is incomplete if its head asks for an upgrade, so both wait for the rest.",
  },
};

export const TORN = "an invitation within an answer";

/** Only the plain server sends it. */
const TEARS: Readonly<Record<string, { reason: string }>> = {
  [TORN]: {
    reason:
      "node:http queues the invitation of a request that waits for its turn, and puts the head of its answer before it.",
  },
};

export function isUpgrade(seen: Seen): boolean {
  return valuesOf(seen, "upgrade").length > 0 && /\bupgrade\b/i.test(valuesOf(seen, "connection").join());
}

export const RULES: Readonly<Record<string, { reason: string }>> = {
  ...LAST,
  ...ANSWER,
  ...CLOSES,
  ...INVITES,
  ...ENDED,
  ...SILENT,
  ...TEARS,
  ...WAITS,
};

/** Behind these, ours has taken up requests whose answers are lost with the connection. */
export const LOSES: readonly string[] = ["an expectation without an invitation", STREAM_LEFT];

const CUTS: readonly string[] = [STREAM_LEFT, "a stream of a body that is too large"];

/** @returns the rules that explain the place together; undefined if they do not. */
export function explain(place: AnyPlace): Explained | undefined {
  const { our, their, raw, ours } = place;
  if (our === undefined) return explainSilence(place);
  const isTheirEnd = !raw.isOpen && place.nextTheir === undefined;
  const due: Explained = { rules: ["answers that are due"], verdict: "theirs ends" };
  if (their === undefined) {
    if (raw.isOpen) return undefined;
    return isLastError(our, ours, 501, NO_TUNNEL) ? { ...due, rules: ["no tunnel"] } : due;
  }
  const both: Place = { ...place, our, their };
  const last = nameOf(LAST, both);
  if (last !== undefined) return { rules: [last], verdict: "ours ends" };
  if (isCanned(their) || (isTheirEnd && isCutOff(our, their))) return due;
  return explainAnswer(both);
}

function explainAnswer(both: Place): Explained | undefined {
  const { our, their } = both;
  const isSame = isSameBut(CONNECTION, our, their) && our.framing === their.framing;
  const answer = isSame ? [] : nameOf(ANSWER, both);
  // In HTTP/1.0, an answer without a length ends with its connection.
  if (typeof answer === "string" && closes(their) && !closes(our) && their.framing !== "length")
    return { rules: [answer], verdict: "ours goes on" };
  const isClosing = closes(our) !== closes(their);
  const end = isClosing ? (isEnd(both) ? nameOf(CLOSES, both) : undefined) : [];
  const isInvitation = our.interim.length === 0 && their.interim.join() === "100";
  const invitation =
    our.interim.join() === their.interim.join() ? [] : isInvitation ? nameOf(INVITES, both) : undefined;
  if (answer === undefined || end === undefined || invitation === undefined) return undefined;
  const rules = [answer, end, invitation].flat();
  const isOver = isClosing || rules.some((name) => CUTS.includes(name));
  return { rules, verdict: isOver ? "ours ends" : "both go on" };
}

function explainSilence(place: AnyPlace): Explained | undefined {
  const { ours, halfCloses, at } = place;
  if (isAfterTheAnswer(place)) return { rules: [BROKEN_BEHIND], verdict: "both go on" };
  const isStream = /\/(?:stream|sized|flood|echo)(?:\?|$)/.test(ours.answers[at - 1]?.call?.url ?? "");
  return halfCloses && isStream ? { rules: [STREAM_LEFT], verdict: "ours ends" } : undefined;
}

function isAfterTheAnswer({ their, raw, ours, at }: AnyPlace): boolean {
  const before = raw.answers[at - 1];
  return (
    isCanned(their) &&
    their === raw.answers.at(-1) &&
    ours.isOpen === raw.isOpen &&
    before !== undefined &&
    isUnread(before)
  );
}

function isEnd({ our, their, nextOur, ours }: Place): boolean {
  return closes(our) && !closes(their) && nextOur === undefined && (!ours.isOpen || our.isLate || our.isCut);
}

function nameOf(rules: Rules, place: Place): string | undefined {
  return Object.entries(rules).find(([, { explains }]) => explains(place))?.[0];
}
