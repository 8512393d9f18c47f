/** Splits what a handler may return into answers, as `toAnswer` of the framework does with the value. */

import { type Outline, type Part, toPart } from "../../wire/outline.ts";
import { namedIn, settle, settledMembers } from "../../wire/sent.ts";
import { awaited, isPromise } from "../../wire/sent-operators.ts";
import { singles, unionPart } from "../../wire/unions.ts";
import type { Answer } from "../contract.ts";

/** A part of a result that is sent in one way. */
export interface Piece {
  readonly status: Answer["status"];
  /** Null for no body. */
  readonly media: string | null;
  /** What the body's shape is read of; undefined for one that is not known, or none. */
  readonly body?: Part;
  readonly isBinary?: true;
  /** `reply` gives it, and may give it headers. */
  readonly isReply?: true;
  /** Why something of it is not known, as in "a Generator can't be sent". */
  readonly problem?: { readonly part: Part; readonly isUnsendable: boolean };
}

const JSON_MEDIA = "application/json";
const BYTES_PIECE: Piece = { status: 200, media: "application/octet-stream", isBinary: true };
const NOTHING: Piece = { status: 204, media: null };

export function splitResult(result: Part): readonly Piece[] {
  const whole = awaited(settle(result));
  return joinValues(whole, settledMembers(whole).flatMap(splitMember));
}

/** What is sent as it is: all JSON of one result is one body, with the name of its type where nothing else is in it. */
function joinValues(whole: Part, pieces: readonly Piece[]): readonly Piece[] {
  const isValue = ({ status, media, body }: Piece): boolean =>
    status === 200 && media === JSON_MEDIA && body !== undefined;
  const values = pieces.filter(isValue);
  const parts = values.flatMap(({ body }) => body ?? []);
  if (parts.length < 2) return pieces;
  const members = settledMembers(whole);
  const isWhole = parts.length === pieces.length && parts.every((part) => members.includes(part));
  const joined: Piece = {
    status: 200,
    media: JSON_MEDIA,
    body: isWhole ? whole : unionPart(whole, parts),
  };
  return [joined, ...pieces.filter((piece) => !isValue(piece))];
}

function splitMember(part: Part): readonly Piece[] {
  const outline = part.outline();
  switch (outline.kind) {
    case "undefined":
    case "null":
      return [NOTHING];
    case "never":
      return [];
    case "union":
      return splitResult(part);
    case "unknown":
      return [unknown(part)];
    case "string":
      return [{ status: 200, media: "text/plain", body: part }];
    case "literal":
      return splitLiterals(part);
    case "tuple":
      return splitTuple(part, outline);
    case "array":
      return splitArray(part, outline);
    case "file":
      return [{ status: 200, media: "*/*", isBinary: true }];
    case "refused":
      return splitNamed(part);
    default:
      return [{ status: 200, media: JSON_MEDIA, body: part }];
  }
}

function unknown(part: Part): Piece {
  return { status: "default", media: "*/*", problem: { part, isUnsendable: false } };
}

function unsendable(part: Part): Piece {
  return { status: "default", media: "*/*", problem: { part, isUnsendable: true } };
}

function splitLiterals(part: Part): readonly Piece[] {
  const values = singles(part).map((one) => ({ one, isText: isText(one.outline()) }));
  const texts = values.filter(({ isText }) => isText).map(({ one }) => one);
  const others = values.filter(({ isText }) => !isText).map(({ one }) => one);
  return [
    ...(texts.length > 0
      ? [{ status: 200, media: "text/plain", body: unionPart(part, texts) } as const]
      : []),
    ...(others.length > 0
      ? [{ status: 200, media: JSON_MEDIA, body: unionPart(part, others) } as const]
      : []),
  ];
}

function isText(outline: Outline): boolean {
  return outline.kind === "string" || (outline.kind === "literal" && typeof outline.values[0] === "string");
}

type TupleOutline = Extract<Outline, { readonly kind: "tuple" }>;

/** `[object, status]`; other tuples are JSON. */
function splitTuple(part: Part, { items, rest }: TupleOutline): readonly Piece[] {
  const whole: Piece = { status: 200, media: JSON_MEDIA, body: part };
  const [first, second] = items;
  if (items.length !== 2 || rest || !first || !second || first.optional || second.optional) return [whole];
  const status = settle(second.part);
  const statuses = statusesOf(status);
  if (statuses === undefined) {
    const { kind } = status.outline();
    return kind === "unknown" || kind === "refused" ? [unknown(part)] : [whole];
  }
  const members = settledMembers(first.part);
  const objects = members.filter(isObject);
  if (objects.length === 0) return [whole];
  if (members.some(isPromise) || members.every((member) => UNSENDABLE.test(namedIn(member)?.name ?? "")))
    return [unsendable(part)];
  const others = members.filter((member) => !isObject(member) || isAnything(member));
  const body = others.length === 0 ? first.part : unionPart(first.part, objects);
  const pairs = statuses.map((one): Piece => withStatus({ status: 200, media: JSON_MEDIA, body }, one));
  return others.length === 0 ? pairs : [...pairs, listOf(part, unionPart(first.part, others), status)];
}

type ArrayOutline = Extract<Outline, { readonly kind: "array" }>;

/** `(User | number)[]` may be of two, and then it is sent as `[user, 201]` is. */
function splitArray(part: Part, { items }: ArrayOutline): readonly Piece[] {
  const whole: Piece = { status: 200, media: JSON_MEDIA, body: part };
  const members = settledMembers(items);
  const objects = members.filter((member) => isObject(member) && !isAnything(member));
  if (objects.length === 0) return [whole];
  const pair: Piece = { ...whole, body: unionPart(items, objects) };
  const statuses = members.flatMap(singles).flatMap((one) => statusesOf(one) ?? []);
  return [whole, ...statuses.map((status) => withStatus(pair, status))];
}

/** It may be an array, too. */
function isAnything(part: Part): boolean {
  const { kind } = part.outline();
  return kind === "unknown" || (kind === "refused" && namedIn(part) === undefined);
}

function listOf(place: Part, one: Part, other: Part): Piece {
  const items = [one, other].map((part) => ({ part, optional: false }));
  const body = toPart(place, `[${one.label()}, ${other.label()}]`, { kind: "tuple", items });
  return { status: 200, media: JSON_MEDIA, body };
}

/** What `typeof` calls an object, but for an array and null. What is not known may be one. */
function isObject(part: Part): boolean {
  const { kind } = part.outline();
  return kind === "object" || kind === "date" || kind === "unknown" || kind === "refused" || kind === "file";
}

/** @returns undefined for what is not a number. */
function statusesOf(part: Part): readonly Answer["status"][] | undefined {
  const outline = part.outline();
  if (outline.kind === "number") return ["default"];
  if (outline.kind !== "literal" || outline.values.some((value) => typeof value !== "number"))
    return undefined;
  // Any other status is an error of the handler.
  return outline.values.flatMap((value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599 ? value : [],
  );
}

function withStatus(piece: Piece, status: Answer["status"]): Piece {
  if (status === 204 || status === 205 || status === 304) return { status, media: null };
  return { ...piece, status };
}

const BYTES =
  /^(?:Buffer|ArrayBuffer|DataView|(?:Uint8|Uint8Clamped|Int8|Uint16|Int16|Uint32|Int32|BigInt64|BigUint64|Float16|Float32|Float64)Array)$/;
const STREAMS = /^(?:ReadableStream|Async(?:Iterable|Iterator|Generator|IterableIterator|IteratorObject))$/;
/** What the framework refuses to send, because its JSON is empty whatever is in it. */
const UNSENDABLE =
  /^(?:(?:Readonly)?(?:Map|Set)|Generator|(?:Iterable)?Iterator|IteratorObject|Function|symbol)$/;

function splitNamed(part: Part): readonly Piece[] {
  const { name, of } = namedIn(part) ?? { name: "", of: [] };
  if (name === "Promise" || name === "PromiseLike") return splitResult(part);
  // It has a type of its own.
  if (name === "Blob") return [{ status: 200, media: "*/*", isBinary: true }];
  if (name === "Response") return [{ status: "default", media: "*/*" }];
  if (name === "framework Reply") return splitReply(part, of);
  if (name === "framework EventStream") return [toEvents(of)];
  if (BYTES.test(name)) return [BYTES_PIECE];
  if (STREAMS.test(name)) return toStream(part, of[0]);
  const isFunction = part.outline().kind === "refused" && isFunctionPart(part);
  if (UNSENDABLE.test(name) || isFunction) return [unsendable(part)];
  // A date of the project's own, a regular expression, a URL: whatever its JSON is.
  if (/^(?:RegExp|URL|WeakMap|WeakSet)$/.test(name)) return [{ status: 200, media: JSON_MEDIA, body: part }];
  return [unknown(part)];
}

function isFunctionPart(part: Part): boolean {
  const outline = part.outline();
  return outline.kind === "refused" && outline.sent?.kind === "function";
}

/** Here a number after an object is not a status, and a promise is not awaited. */
function splitReply(part: Part, [value, status]: readonly Part[]): readonly Piece[] {
  if (value && settledMembers(value).some(isPromise)) return [unsendable(part)];
  const statuses = (status && statusesOf(settle(status))) ?? ["default"];
  const pieces = value ? splitResult(value) : [unknown(part)];
  const isPairs = value && settledMembers(value).some((member) => member.outline().kind === "tuple");
  const sent = isPairs && value ? [{ status: 200, media: JSON_MEDIA, body: value } as const] : pieces;
  return statuses.flatMap((one) => sent.map((piece) => ({ ...withStatus(piece, one), isReply: true })));
}

function toEvents([data]: readonly Part[]): Piece {
  const members = data ? settledMembers(data) : [];
  const inside = members.map((member) => {
    const named = namedIn(member);
    return named?.name === "framework ServerSentEvent" ? named.of[0] : member;
  });
  const known = inside.filter((one) => one !== undefined);
  const body =
    data && known.length === members.length && known.length > 0 ? unionPart(data, known) : undefined;
  return { status: 200, media: "text/event-stream", ...(body && { body }) };
}

/** Only text and bytes are pieces of a stream. */
function isNoPiece(item: Part): boolean {
  const outline = item.outline();
  return outline.kind !== "unknown" && outline.kind !== "refused" && !isText(outline);
}

/** The first piece decides between text and bytes. */
function toStream(part: Part, items: Part | undefined): readonly Piece[] {
  const members = items ? settledMembers(items) : [];
  const texts = members.filter((member) => isText(member.outline()));
  const text: Piece = { status: 200, media: "text/plain", body: toPart(part, "string", { kind: "string" }) };
  if (members.length > 0 && texts.length === members.length) return [text];
  if (members.length > 0 && members.every(isNoPiece)) return [unsendable(part)];
  const isKnown =
    members.length > 0 &&
    members.every((member) => isText(member.outline()) || BYTES.test(namedIn(member)?.name ?? ""));
  return texts.length > 0 || !isKnown ? [text, BYTES_PIECE] : [BYTES_PIECE];
}
