/** Splits what a handler may return into answers, as `toAnswer` of the framework does with the value. */

import { awaited, isPromise, namedIn } from "../../wire/results.ts";
import {
  type ArrayType,
  labelOf,
  look,
  membersOf,
  singles,
  type TupleType,
  type Type,
  textType,
} from "../../wire/type.ts";
import { uniteAt } from "../../wire/unions.ts";
import type { Answer } from "../contract.ts";
import { JSON_TYPE as JSON_MEDIA } from "../refusals/bodies.ts";

/** A part of a result that is sent in one way. */
export interface Piece {
  readonly status: Answer["status"];
  /** Null for no body. */
  readonly media: string | null;
  /** What the body's shape is read of; undefined for one that is not known, or none. */
  readonly body?: Type;
  readonly isBinary?: true;
  /** `reply` gives it, and may give it headers. */
  readonly isReply?: true;
  /** Why something of it is not known, as in "a Generator can't be sent". */
  readonly problem?: { readonly type: Type; readonly isUnsendable: boolean };
}

const BYTES_PIECE: Piece = { status: 200, media: "application/octet-stream", isBinary: true };
const NOTHING: Piece = { status: 204, media: null };

export function splitResult(result: Type): readonly Piece[] {
  const whole = awaited(result);
  return joinValues(whole, membersOf(whole).flatMap(splitMember));
}

/** What is sent as it is: all JSON of one result is one body, with the name of its type where nothing else is in it. */
function joinValues(whole: Type, pieces: readonly Piece[]): readonly Piece[] {
  const isValue = ({ status, media, body }: Piece): boolean =>
    status === 200 && media === JSON_MEDIA && body !== undefined;
  const values = pieces.filter(isValue);
  const parts = values.flatMap(({ body }) => body ?? []);
  if (parts.length < 2) return pieces;
  const members = membersOf(whole);
  const isWhole = parts.length === pieces.length && parts.every((type) => members.includes(type));
  const joined: Piece = {
    status: 200,
    media: JSON_MEDIA,
    body: isWhole ? whole : uniteAt(whole.at, parts),
  };
  return [joined, ...pieces.filter((piece) => !isValue(piece))];
}

function splitMember(type: Type): readonly Piece[] {
  const found = look(type);
  switch (found.kind) {
    case "undefined":
    case "null":
      return [NOTHING];
    case "never":
      return [];
    case "union":
      return splitResult(type);
    case "unknown":
      return [unknown(type)];
    case "string":
      return [{ status: 200, media: "text/plain", body: type }];
    case "literal":
      return splitLiterals(type);
    case "tuple":
      return splitTuple(type, found);
    case "array":
      return splitArray(type, found);
    case "file":
      return [{ status: 200, media: "*/*", isBinary: true }];
    case "refused":
    case "constraints":
      return [unknown(type)];
    case "function":
      return [unsendable(type)];
    case "named":
      return splitNamed(type, found);
    default:
      return [{ status: 200, media: JSON_MEDIA, body: type }];
  }
}

function unknown(type: Type): Piece {
  return { status: "default", media: "*/*", problem: { type, isUnsendable: false } };
}

function unsendable(type: Type): Piece {
  return { status: "default", media: "*/*", problem: { type, isUnsendable: true } };
}

function splitLiterals(type: Type): readonly Piece[] {
  const values = singles(type).map((one) => ({ one, isText: isText(one) }));
  const texts = values.filter(({ isText }) => isText).map(({ one }) => one);
  const others = values.filter(({ isText }) => !isText).map(({ one }) => one);
  return [
    ...(texts.length > 0
      ? [{ status: 200, media: "text/plain", body: uniteAt(type.at, texts) } as const]
      : []),
    ...(others.length > 0
      ? [{ status: 200, media: JSON_MEDIA, body: uniteAt(type.at, others) } as const]
      : []),
  ];
}

function isText(type: Type): boolean {
  return type.kind === "string" || (type.kind === "literal" && typeof type.values[0] === "string");
}

/** `[object, status]`; other tuples are JSON. */
function splitTuple(type: Type, { items, rest }: TupleType): readonly Piece[] {
  const whole: Piece = { status: 200, media: JSON_MEDIA, body: type };
  const [first, second] = items;
  if (items.length !== 2 || rest || !first || !second || first.optional || second.optional) return [whole];
  const status = second.type;
  const statuses = statusesOf(status);
  if (statuses === undefined)
    return /^(?:unknown|refused|named|function)$/.test(look(status).kind) ? [unknown(type)] : [whole];
  const members = membersOf(first.type);
  const objects = members.filter(isObject);
  if (objects.length === 0) return [whole];
  if (members.some(isPromise) || members.every((member) => UNSENDABLE.test(namedIn(member)?.name ?? "")))
    return [unsendable(type)];
  const others = members.filter((member) => !isObject(member) || isAnything(member));
  const body = others.length === 0 ? first.type : uniteAt(first.type.at, objects);
  const pairs = statuses.map((one): Piece => withStatus({ status: 200, media: JSON_MEDIA, body }, one));
  return others.length === 0 ? pairs : [...pairs, listOf(type, uniteAt(first.type.at, others), status)];
}

/** `(User | number)[]` may be of two, and then it is sent as `[user, 201]` is. */
function splitArray(type: Type, { items }: ArrayType): readonly Piece[] {
  const whole: Piece = { status: 200, media: JSON_MEDIA, body: type };
  const members = membersOf(items);
  const objects = members.filter((member) => isObject(member) && !isAnything(member));
  if (objects.length === 0) return [whole];
  const pair: Piece = { ...whole, body: uniteAt(items.at, objects) };
  const statuses = members.flatMap(singles).flatMap((one) => statusesOf(one) ?? []);
  return [whole, ...statuses.map((status) => withStatus(pair, status))];
}

/** It may be an array, too. */
function isAnything({ kind }: Type): boolean {
  return kind === "unknown" || kind === "refused" || kind === "function";
}

function listOf(place: Type, one: Type, other: Type): Piece {
  const items = [one, other].map((type) => ({ type, optional: false }));
  const text = `[${labelOf(one)}, ${labelOf(other)}]`;
  const body: Type = { kind: "tuple", items, at: { text, location: place.at.location } };
  return { status: 200, media: JSON_MEDIA, body };
}

/** What `typeof` calls an object, but for an array and null. What is not known may be one. */
function isObject(type: Type): boolean {
  return /^(?:object|schema|date|unknown|refused|named|function|file)$/.test(look(type).kind);
}

/** @returns undefined for what is not a number. */
function statusesOf(type: Type): readonly Answer["status"][] | undefined {
  const found = look(type);
  if (found.kind === "number") return ["default"];
  if (found.kind !== "literal" || found.values.some((value) => typeof value !== "number")) return undefined;
  // Any other status is an error of the handler.
  return found.values.flatMap((value) =>
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

function splitNamed(type: Type, { name, of }: Extract<Type, { readonly kind: "named" }>): readonly Piece[] {
  if (name === "Promise" || name === "PromiseLike") return splitResult(type);
  // It has a type of its own.
  if (name === "Blob" || name === "framework FileResult")
    return [{ status: 200, media: "*/*", isBinary: true }];
  if (name === "Response") return [{ status: "default", media: "*/*" }];
  if (name === "framework Reply") return splitReply(type, of);
  if (name === "framework EventStream") return [toEvents(of)];
  if (BYTES.test(name)) return [BYTES_PIECE];
  if (STREAMS.test(name)) return toStream(type, of[0]);
  if (UNSENDABLE.test(name)) return [unsendable(type)];
  // A date of the project's own, a regular expression, a URL: whatever its JSON is.
  if (/^(?:RegExp|URL|WeakMap|WeakSet)$/.test(name)) return [{ status: 200, media: JSON_MEDIA, body: type }];
  return [unknown(type)];
}

/** Here a number after an object is not a status, and a promise is not awaited. */
function splitReply(type: Type, [value, status]: readonly Type[]): readonly Piece[] {
  if (value && membersOf(value).some(isPromise)) return [unsendable(type)];
  const statuses = (status && statusesOf(status)) ?? ["default"];
  const pieces = value ? splitResult(value) : [unknown(type)];
  const isPairs = value && membersOf(value).some((member) => look(member).kind === "tuple");
  const sent = isPairs && value ? [{ status: 200, media: JSON_MEDIA, body: value } as const] : pieces;
  return statuses.flatMap((one) => sent.map((piece) => ({ ...withStatus(piece, one), isReply: true })));
}

function toEvents([data]: readonly Type[]): Piece {
  const members = data ? membersOf(data) : [];
  const inside = members.map((member) => {
    const named = namedIn(member);
    return named?.name === "framework ServerSentEvent" ? named.of[0] : member;
  });
  const known = inside.filter((one) => one !== undefined);
  const body =
    data && known.length === members.length && known.length > 0 ? uniteAt(data.at, known) : undefined;
  return { status: 200, media: "text/event-stream", ...(body && { body }) };
}

/** Only text and bytes are pieces of a stream. */
function isNoPiece(item: Type): boolean {
  return !/^(?:unknown|refused|named|function)$/.test(item.kind) && !isText(item);
}

/** The first piece decides between text and bytes. */
function toStream(type: Type, items: Type | undefined): readonly Piece[] {
  const members = items ? membersOf(items) : [];
  const texts = members.filter((member) => isText(member));
  const text: Piece = { status: 200, media: "text/plain", body: textType(type.at) };
  if (members.length > 0 && texts.length === members.length) return [text];
  if (members.length > 0 && members.every(isNoPiece)) return [unsendable(type)];
  const isKnown =
    members.length > 0 &&
    members.every((member) => isText(member) || BYTES.test(namedIn(member)?.name ?? ""));
  return texts.length > 0 || !isKnown ? [text, BYTES_PIECE] : [BYTES_PIECE];
}
