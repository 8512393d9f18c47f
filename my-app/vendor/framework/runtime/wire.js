import {
  requestOf,
  withoutPrototype,
  parseCookies,
  HttpError,
  takeBody,
  parseForm,
  readJson,
  isObject,
  refuseHarmful,
  poisoned,
  MAX_DEPTH,
  tooDeep,
  isPlain,
  endSoon,
  isThenable,
  isPair,
  isResponse,
  answersItself,
  nameOf,
} from "./message.js";
import { escapeKey, unescapeKey } from "./log.js";

/** Reads the parts of a request that are inputs: query, headers, cookies, the fields of a form, credentials. */

const NO_FIELDS = new URLSearchParams();
/** RFC 6750 section 2.1. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
/** RFC 7617 section 2, with base64 as in RFC 4648 section 4. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Each part is read when it is first asked for. */
class RequestReader {
  /** Of the path's params, in their order. */
  values;
  exchange;
  /** What the guards and the providers have returned so far. */
  results;
  /** The JSON, once the body is read; undefined where the request has none. */
  body = undefined;
  /** Of the body, once it is read. */
  form = NO_FIELDS;
  #query;
  #cookies;

  constructor(exchange, results) {
    this.exchange = exchange;
    this.results = results;
    this.values = exchange.values;
  }

  get request() {
    return requestOf(this.exchange);
  }

  /** @param key the name of a header is in lower case. */
  raw(place, key) {
    if (place === "header") return this.exchange.header(key);
    if (place === "cookie") return this.#cookieValues[key];
    const values = this.#fields(place).getAll(key);
    return values.length < 2 ? values[0] : values;
  }

  /** All of them by key, in an object without a prototype: for shapes whose keys are not known. */
  all(place) {
    if (place === "header") return withoutPrototype([...this.exchange.headers]);
    if (place === "cookie") return this.#cookieValues;
    const groups = withoutPrototype([]);
    for (const [name, value] of this.#fields(place)) {
      const group = groups[name];
      if (Array.isArray(group)) group.push(value);
      else groups[name] = group === undefined ? value : [group, value];
    }
    return groups;
  }

  /** The token; undefined where the request has none. */
  get bearer() {
    return BEARER.exec(this.exchange.header("authorization") ?? "")?.[1];
  }

  get basic() {
    const [, encoded] = BASIC.exec(this.exchange.header("authorization") ?? "") ?? [];
    const pair = encoded === undefined ? undefined : decodeBase64(encoded);
    const colon = pair?.indexOf(":") ?? -1;
    // Section 2 forbids control characters, which could split a log line or a header.
    if (pair === undefined || colon === -1 || /[\x00-\x1f\x7f]/.test(pair)) return undefined;
    return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
  }

  /** @param header in lower case. */
  apiKey(header) {
    return this.exchange.header(header) || undefined;
  }

  #fields(place) {
    if (place === "form") return this.form;
    const { target, path } = this.exchange;
    this.#query ??= new URLSearchParams(target.slice(path.length));
    return this.#query;
  }

  get #cookieValues() {
    this.#cookies ??= parseCookies(this.exchange.header("cookie") ?? "");
    return this.#cookies;
  }
}

/** @param text as in a body: a question mark at its beginning is a part of the first name, unlike that of a query. */
function parseFields(text) {
  return new URLSearchParams(`?${text}`);
}

function decodeBase64(encoded) {
  try {
    return strictUtf8.decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Reads the body that a route takes: JSON or a form. Another content type is refused before the body is read. */

const JSON_MEDIA = {
  name: "JSON",
  pattern: /^application\/(?:[^\s;/]+\+)?json[ \t]*(?:;|$)/i,
  accept: "application/json",
};

const FORM_MEDIA = {
  name: "a form",
  pattern: /^(?:application\/x-www-form-urlencoded|multipart\/form-data)[ \t]*(?:;|$)/i,
  accept: "application/x-www-form-urlencoded, multipart/form-data",
};

/** As in WHATWG URL section 5.1: what is not UTF-8 is replaced. */
const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** @returns undefined if nothing is taken from the body. */
function toBodyReader(takes) {
  const inBody = takes.filter(({ in: place }) => place === "body" || place === "form");
  if (inBody.length === 0) return undefined;
  const isOptional = inBody.every(({ optional }) => optional);
  const isForm = inBody.some(({ in: place }) => place === "form");
  const media = isForm ? FORM_MEDIA : JSON_MEDIA;
  return (reader, next) => {
    const { exchange } = reader;
    if (!exchange.hasBody) {
      // An urlencoded form without a field has no bytes.
      const isEmptyForm = isForm && isUrlencoded(exchange.header("content-type"));
      if (isOptional || isEmptyForm) return next();
      throw new HttpError(400, `The request body is empty where ${media.name} was expected.`);
    }
    const type = requireMedia(media, exchange);
    return takeBody(exchange, (bytes) => {
      if (isForm && !isUrlencoded(type))
        return parseForm(bytes, type).then((form) => {
          reader.form = withoutEmptyFiles(form);
          return next();
        });
      if (isForm) reader.form = parseFields(lenientUtf8.decode(bytes));
      else if (bytes.length > 0 || !isOptional) reader.body = readJson(bytes);
      return next();
    });
  };
}

/** A browser sends an empty file without a name for an input in which no file was chosen. */
function withoutEmptyFiles(form) {
  const chosen = new FormData();
  for (const [name, value] of form)
    if (typeof value === "string" || value.size > 0 || value.name !== "") chosen.append(name, value);
  return chosen;
}

/**
 * @returns the content type.
 * @throws {HttpError} 415 for another content type, for text that is not UTF-8, and for a body that is compressed.
 */
function requireMedia({ name, pattern, accept }, exchange) {
  const encoding = exchange.header("content-encoding") ?? "";
  if (encoding !== "" && encoding.toLowerCase() !== "identity")
    throw unsupported("must not be compressed.", { "Accept-Encoding": "identity" });
  const type = exchange.header("content-type") ?? "";
  // What most clients send needs no regular expression.
  if (type === accept) return type;
  const headers = { Accept: accept };
  if (!pattern.test(type))
    throw unsupported(`must be ${name}: Content-Type ${accept.replace(",", " or")}.`, headers);
  const [, charset = "utf-8"] = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(type) ?? [];
  // The parts of a multipart body have charsets of their own.
  if (!/^multipart/i.test(type) && !/^utf-?8$/i.test(charset))
    throw unsupported("must be in UTF-8.", headers);
  return type;
}

function isUrlencoded(type = "") {
  return /^application\/x-www-form-urlencoded/i.test(type);
}

function unsupported(what, headers) {
  return new HttpError(415, `The request body ${what}`, { headers });
}

/** The formats of texts. Each check takes time that grows with the length of the text only: no part of a pattern matches in two ways. */

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
/** RFC 3339 appendix A */
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** RFC 2673 section 3.2, without the leading zeros that some readers take for octal numbers. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
/** A scheme, an authority with user, host and port, a path, a query, a fragment. */
const URI =
  /^[a-z][a-z0-9+.-]*:(?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[([0-9a-fv.:\w~!$&'()*+,;=-]*)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const FUTURE_IP = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** RFC 3339 section 5.6, full-date */
function isDate(text) {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const last = DAYS[Number(month) - 1] ?? 0;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return Number(day) >= 1 && Number(day) <= (month === "02" && isLeap ? 29 : last);
}

/** RFC 3339 section 5.6, full-time. A leap second is the last one of a day in UTC. */
function isTime(text) {
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = TIME.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return false;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (Number(second) < 60) return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  return second === "60" && (minutes + 1440) % 1440 === 1439;
}

function isDateTime(text) {
  const separator = text.charAt(10);
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 4291 section 2.2 */
function isIpv6(text) {
  return /^[0-9a-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** RFC 1123 section 2.1, and RFC 5891 for the names that begin with `xn--` */
function isHostname(text) {
  if (text.length > 253 || text === "") return false;
  return text.split(".").every((label) => LABEL.test(label) && !/^..--/.test(label.replace(/^xn--/i, "")));
}

/** RFC 5321 section 4.1.2, Mailbox */
function isEmail(text) {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local.length > 64 || !(ATOMS.test(local) || QUOTED.test(local))) return false;
  const [isLiteral, ipv6, ipv4 = ""] = /^\[(?:IPv6:(.*)|(.*))\]$/i.exec(domain) ?? [];
  if (isLiteral === undefined) return isHostname(domain);
  return ipv6 === undefined ? IPV4.test(ipv4) : isIpv6(ipv6);
}

/** RFC 3986 section 3 */
function isUri(text) {
  const found = URI.exec(text);
  const address = found?.[1];
  return found !== null && (address === undefined || isIpv6(address) || FUTURE_IP.test(address));
}

const FORMATS = {
  date: isDate,
  "date-time": isDateTime,
  duration: (text) => DURATION.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => IPV4.test(text),
  ipv6: isIpv6,
  time: isTime,
  uri: isUri,
  uuid: (text) => UUID.test(text),
};

/**
 * A type as plain data: what a value has to look like. Shapes are read from the project's types, written out as code that checks, and
 * walked to explain what does not fit. They are JSON: no undefined, no infinity, no object twice.
 */

function isFile(value) {
  return isObject(value) && value instanceof File;
}

/** True for what is an object in JSON. */
function isRecord(value) {
  return isObject(value) && !Array.isArray(value) && !isFile(value);
}

/** Follows references to a shape that is not one. `never` for a name that refers to nothing but itself. */
function resolve(shape, definitions) {
  if (shape.kind !== "reference") return shape;
  const seen = new Set();
  let found = shape;
  while (found.kind === "reference") {
    const { name } = found;
    found = (seen.has(name) ? undefined : definitions[name]) ?? { kind: "never" };
    seen.add(name);
  }
  return found;
}

/** @returns the shapes of a union, and of the unions in it; of any other shape that shape itself. None of them is a reference. */
function membersOf(shape, definitions, above = []) {
  const found = resolve(shape, definitions);
  if (found.kind !== "union") return [found];
  if (above.includes(found)) return [];
  return found.of.flatMap((member) => membersOf(member, definitions, [...above, found]));
}

/** @returns the shape of an item of a list; undefined where there can be none, and for what is no list. */
function itemOf(shape, index) {
  if (shape.kind === "tuple") return shape.items[index] ?? shape.rest;
  return shape.kind === "array" ? shape.items : undefined;
}

/** @returns the property whose literal tells the objects of a union apart: the first one, as in the union's own `tag`. */
function tagOf(objects, definitions) {
  const [first, ...more] = objects;
  if (first === undefined || more.length === 0) return undefined;
  return first.properties.find(({ name }) => {
    const literals = objects.map((object) => tagsOf(object, name, definitions));
    const all = literals.flat();
    return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
  })?.name;
}

/** The literals by which a member of a union with a tag is known. */
function tagsOf(member, tag, definitions) {
  const property = member.properties.find(({ name }) => name === tag);
  const literals = property ? membersOf(property.shape, definitions).map(literalsOf) : [];
  return literals.every(({ length }) => length > 0) ? literals.flat() : [];
}

/** @returns none for a shape that values are no part of. */
function literalsOf(shape) {
  if (shape.kind === "null") return [null];
  return shape.kind === "literal" ? shape.values : [];
}

/** @returns the members that a value may fit, judged by its JSON type, and an object also by its tag. */
function candidatesOf(shape, value, definitions) {
  const candidates = membersOf(shape, definitions).filter((member) => hasTypeOf(member, value));
  const objects = candidates.filter((member) => member.kind === "object");
  const tag = objects.length < candidates.length ? undefined : tagOf(objects, definitions);
  if (tag === undefined) return candidates;
  const given = ownValue(value, tag);
  return objects.filter((object) => tagsOf(object, tag, definitions).some((one) => one === given));
}

function hasTypeOf(member, value) {
  switch (member.kind) {
    case "literal":
      return member.values.some((one) => typeof one === typeof value);
    case "null":
      return value === null;
    case "date":
      return typeof value === "string";
    case "array":
    case "tuple":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "file":
      return isFile(value);
    case "unknown":
    case "schema":
      return true;
    default:
      return typeof value === member.kind;
  }
}

/** What a value inherits does not count: `toString` is a key like any other. */
function ownValue(value, name) {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A tuple without a rest has no more items than it declares. */
function sizesOf(shape) {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape;
  if (shape.kind === "array") return [minItems, maxItems];
  return [Math.max(minItems, shape.required), shape.rest ? maxItems : Math.min(maxItems, shape.items.length)];
}

/** What the checks of a wire module can't say in one comparison. */

/** @returns whether the text has fewer code points; one outside the basic plane has two units. */
function isShorter(text, length) {
  return text.length < length || (text.length < 2 * length && countCodePoints(text) < length);
}

function isLonger(text, length) {
  return text.length > length && (text.length > 2 * length || countCodePoints(text) > length);
}

function countCodePoints(text) {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** As the decimals are written: 19.99 is a multiple of 0.01, which a division of binary fractions would deny. */
function isMultiple(value, of) {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [digits, exponent] = toDecimal(value);
  const [ofDigits, ofExponent] = toDecimal(of);
  const lowest = Math.min(exponent, ofExponent);
  const scale = (number, from) => number * 10n ** BigInt(from - lowest);
  return scale(digits, exponent) % scale(ofDigits, ofExponent) === 0n;
}

/** @example toDecimal(1.25e-7) // [125n, -9] */
function toDecimal(value) {
  const [number = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = number.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** @returns whether no two items are equal as JSON, with dates by their time. Two files are never equal. */
function isUnique(items) {
  const seen = new Set();
  for (const item of items) {
    const hasKey = typeof item === "string" || (isObject(item) && !isFile(item));
    seen.add(hasKey ? toKey(item) : item);
  }
  return seen.size === items.length;
}

/** The same text for equal values only, whatever the order of their keys. Native: it takes the time that reading the JSON takes. */
function toKey(value) {
  return JSON.stringify(value, (_key, inner) => {
    if (!isObject(inner) || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * @returns whether there is a value.
 * @throws {HttpError} 400 where a key in it can poison prototypes, or it is nested too deeply.
 */
function isHarmless(value) {
  if (isObject(value)) refuseHarmful(value, 0);
  return value !== undefined;
}

/** @throws {HttpError} 400 for an entry of an object with any keys that can poison prototypes. */
function refuseEntry(key, value) {
  if (key === "__proto__") throw poisoned(key);
  if (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"))
    throw poisoned("constructor.prototype");
}

/** @returns undefined for anything but a date-time of RFC 3339. Of a leap second the second after it. */
function toDate(value) {
  if (typeof value !== "string" || !isDateTime(value)) return undefined;
  const isLeap = value.startsWith(":60", 16);
  const text = isLeap ? `${value.slice(0, 17)}59${value.slice(19)}` : value;
  const date = new Date(text.toUpperCase());
  return isLeap ? new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000) : date;
}

/**
 * Asks a Standard Schema of the project (https://standardschema.dev).
 *
 * @returns the value that the schema gives, or its issues.
 * @throws {HttpError} 400 where a key of the input can poison prototypes, or it is nested too deeply.
 */
async function askSchema(schema, input) {
  isHarmless(input);
  return schema["~standard"].validate(input);
}

/** Refuses requests without the credentials that their route needs. */

/** @returns true for an input that a request without a credential is refused for. */
function needsCredential({ in: place, optional }) {
  return !optional && (place === "bearer" || place === "basic" || place === "api-key");
}

/** @throws {HttpError} 401 when the request lacks what one of the inputs needs. Nothing here compares a credential. */
function requireCredentials(credentials, reader) {
  const isTried = (scheme) =>
    reader.exchange.header("authorization")?.split(/[ \t]/, 1)[0]?.toLowerCase() === scheme;
  for (const { in: place, key = "" } of credentials) {
    if (place === "api-key" && reader.apiKey(key) === undefined)
      throw unauthorized(`The header ${key} is missing.`, `ApiKey realm="api", header="${key}"`);
    // RFC 6750 section 3.1: a request that did not try gets no error code.
    if (place === "bearer" && reader.bearer === undefined)
      throw isTried("bearer")
        ? unauthorized("The bearer token is malformed.", 'Bearer realm="api", error="invalid_token"')
        : unauthorized("A bearer token is missing.", 'Bearer realm="api"');
    if (place === "basic" && reader.basic === undefined) {
      const what = isTried("basic")
        ? "The username and the password are malformed."
        : "A username and a password are missing.";
      throw unauthorized(what, 'Basic realm="api", charset="UTF-8"');
    }
  }
}

function unauthorized(message, challenge) {
  return new HttpError(401, message, { headers: { "WWW-Authenticate": challenge } });
}

/** Converts the texts of queries, headers, cookies and forms, for the code of a wire module. A text of another form stays as it is, and is refused. */

const WHOLE = /^-?[0-9]+$/;
/** RFC 8259 section 6 */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

function toInteger(raw) {
  return typeof raw === "string" && WHOLE.test(raw) ? Number(raw) : raw;
}

function toNumber(raw) {
  return typeof raw === "string" && NUMBER.test(raw) ? Number(raw) : raw;
}

function toBoolean(raw) {
  return raw === "true" || (raw === "false" ? false : raw);
}

/** As `toBoolean`, for a form: a browser sends "on" for a box that is checked, and nothing for another. */
function toChecked(raw) {
  return raw === "on" || toBoolean(raw);
}

/** @returns a list of one for a value that was given once. */
function toList(raw) {
  return typeof raw === "string" || raw instanceof File ? [raw] : raw;
}

/** RFC 9110 section 5.6.1: the items of a header's list are in one text, and one that is empty does not count. */
function toItems(header) {
  return typeof header === "string" ? header.split(",").flatMap((item) => item.trim() || []) : undefined;
}

/** @returns undefined for an object without a value. */
function orAbsent(values) {
  return Object.values(values).every((value) => value === undefined) ? undefined : values;
}

/**
 * @param all the texts by their keys.
 * @param keys of those that `values` has.
 * @returns the values, and all other texts, converted. A key `__proto__` becomes a property, not a prototype.
 */
function withOthers(all, keys, convert, values) {
  const others = Object.entries(all)
    .filter(([key]) => !keys.includes(key))
    .map(([key, raw]) => [key, convert(raw)])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries([...others, ...Object.entries(values)]);
}

function isTextPlace(place) {
  return place === "query" || place === "header" || place === "cookie" || place === "form";
}

/** The header that a parameter or a property takes. @example toHeaderName("if_none_match") // "if-none-match" */
function toHeaderName(name) {
  return name.replaceAll("_", "-").toLowerCase();
}

/** Why a request was refused: walks the shapes as data, over the values that the code of the wire module has found not to fit. */

/** How many issues a client gets. */
const MAX_ISSUES = 20;
/** In UTF-16 units, of all issues after the first: a key that the client chose is in the pointer of each issue below it. */
const MAX_POINTERS = 10_000;

/**
 * @param functions whose inputs are checked.
 * @returns at most 20, sorted by pointer.
 * @throws {HttpError} 400 for JSON that can poison prototypes, or is nested too deeply.
 */
async function findIssues(functions, definitions, reader) {
  const issues = [];
  for (const { in: place, key, shape, optional, schema, ...take } of functions.flatMap(
    ({ takes }) => takes,
  )) {
    if (place !== "body" && !isTextPlace(place)) continue;
    const value = take.value?.(reader);
    if (value === undefined && optional) continue;
    const pointer = key === undefined ? "" : `/${escapeKey(key)}`;
    const validation = new Validation(definitions, place);
    if (schema === undefined) validation.visit(shape, value, pointer, 0);
    else validation.addAll((await askSchema(schema, value)).issues ?? [], pointer);
    issues.push(...validation.issues);
  }
  // Two functions may take the same value.
  const distinct = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return withinLimits([...distinct.values()].sort(comparePointers));
}

/** @returns as {@link findIssues}, for a value that no request has sent. */
function findIssuesOf(value, shape, definitions) {
  const validation = new Validation(definitions, "body");
  validation.visit(shape, value, "", 0);
  return validation.issues.sort(comparePointers);
}

function withinLimits(issues) {
  let left = MAX_POINTERS;
  return issues.slice(0, MAX_ISSUES).filter(({ pointer }, index) => {
    if (index > 0) left -= pointer.length;
    return left >= 0;
  });
}

/** By numbers where both have one: the tenth item is after the second. */
function comparePointers({ pointer: one }, { pointer: other }) {
  const [ones, others] = [one.split("/"), other.split("/")];
  const at = ones.findIndex((word, index) => word !== others[index]);
  const [a, b] = [ones[at], others[at]];
  if (a === undefined || b === undefined) return ones.length - others.length;
  const difference = /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : 0;
  return difference || (a < b ? -1 : 1);
}

/** One walk over a value and its shape. It recurses at most `MAX_DEPTH` levels, three calls a level. */
class Validation {
  issues = [];
  #definitions;
  #place;

  constructor(definitions, place) {
    this.#definitions = definitions;
    this.#place = place;
  }

  /** @returns what a handler would be given; what does not fit is returned as the client sent it. */
  visit(shape, value, pointer, depth) {
    if (this.#isFull) return value;
    if (value === undefined) {
      this.#add(pointer, "required", "is missing");
      return value;
    }
    const members = membersOf(shape, this.#definitions);
    const [only] = members;
    const candidates = candidatesOf(shape, value, this.#definitions);
    if (candidates.length === 0) this.#refuse(members, value, pointer);
    else if (only !== undefined && members.length === 1)
      return this.#visitMember(only, value, pointer, depth);
    const from = this.issues.length;
    const misfits = [];
    for (const member of candidates) {
      const given = this.#visitMember(member, value, pointer, depth);
      if (this.issues.length === from) return given;
      misfits.push([member, this.issues.splice(from)]);
    }
    this.#addNearest(members, misfits, pointer);
    return value;
  }

  /** Adds the issues of the member that the value fits after the fewest changes. Each issue of the value itself names all choices. */
  #addNearest(members, misfits, pointer) {
    const demands = new Map(
      misfits.map(([member, issues]) => {
        const own = issues.filter((issue) => issue.pointer === pointer);
        return [member, own.map(({ message }) => message).join(" and ")];
      }),
    );
    const [nearest] = misfits.sort(([, one], [, other]) => one.length - other.length);
    for (const issue of nearest?.[1] ?? []) {
      const isOwn = nearest !== undefined && issue.pointer === pointer;
      const message = isOwn
        ? describeChoices(members, demands.set(nearest[0], issue.message))
        : issue.message;
      this.issues.push({ ...issue, message });
    }
  }

  /** @param value has another type than all members, or another tag. */
  #refuse(members, value, pointer) {
    const objects = members.filter((member) => member.kind === "object");
    const tag = tagOf(objects, this.#definitions);
    if (tag !== undefined && isRecord(value)) {
      const tags = objects.flatMap((object) => tagsOf(object, tag, this.#definitions));
      const inner = `${pointer}/${escapeKey(tag)}`;
      if (ownValue(value, tag) === undefined) this.#add(inner, "required", "is missing");
      else this.#add(inner, "one_of", listWords(tags.map(String)));
    } else if (this.#place !== "body" && Array.isArray(value)) {
      this.#add(pointer, "repeated", "is given more than once");
    } else {
      const isListed = members.length > 0 && members.every((member) => literalsOf(member).length > 0);
      this.#add(pointer, isListed ? "one_of" : "type", describeChoices(members));
    }
  }

  /** @param value has one of the types of the member. */
  #visitMember(member, value, pointer, depth) {
    if (member.kind === "number" && typeof value === "number") this.#visitNumber(member, value, pointer);
    else if (member.kind === "string" && typeof value === "string") this.#visitString(member, value, pointer);
    else if (member.kind === "literal" && !member.values.some((one) => one === value))
      this.#add(pointer, "one_of", describe(member));
    else if (member.kind === "date") return this.#visitDate(value, pointer);
    else if (member.kind === "unknown") isHarmless(value);
    else if (isObject(value) && depth === MAX_DEPTH) throw tooDeep();
    else if (member.kind === "object" && isObject(value))
      return this.#visitProperties(member, value, pointer, depth);
    else if ((member.kind === "array" || member.kind === "tuple") && Array.isArray(value))
      return this.#visitItems(member, value, pointer, depth);
    return value;
  }

  #visitDate(value, pointer) {
    const date = toDate(value);
    if (date === undefined) this.#add(pointer, "format", FORMAT_WORDS["date-time"]);
    return date ?? value;
  }

  #visitNumber(shape, value, pointer) {
    const { integer, min, max, exclusiveMin, exclusiveMax, multipleOf = [] } = shape;
    const add = (code, message) => this.#add(pointer, code, message);
    if (integer ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      add("type", describe(shape));
      return;
    }
    if (min !== undefined && value < min) add("min", `at least ${min}`);
    if (max !== undefined && value > max) add("max", `at most ${max}`);
    if (exclusiveMin !== undefined && value <= exclusiveMin)
      add("exclusive_min", `more than ${exclusiveMin}`);
    if (exclusiveMax !== undefined && value >= exclusiveMax)
      add("exclusive_max", `less than ${exclusiveMax}`);
    for (const of of multipleOf) if (!isMultiple(value, of)) add("multiple_of", `a multiple of ${of}`);
  }

  #visitString(shape, text, pointer) {
    const { minLength, maxLength, patterns = [], formats = [] } = shape;
    const add = (code, message) => this.#add(pointer, code, message);
    if (minLength !== undefined && isShorter(text, minLength))
      add("min_length", `at least ${count(minLength, "character")}`);
    // A pattern that is fast only for short texts may never see a longer one.
    if (maxLength !== undefined && isLonger(text, maxLength)) {
      add("max_length", `at most ${count(maxLength, "character")}`);
      return;
    }
    for (const { source, template } of patterns)
      if (!new RegExp(source, "u").test(text))
        add("pattern", template ? `a text like ${template}` : `a text that matches ${source}`);
    for (const format of formats) if (!FORMATS[format](text)) add("format", FORMAT_WORDS[format]);
  }

  #visitItems(shape, items, pointer, depth) {
    const [least, most] = sizesOf(shape);
    if (items.length < least) this.#add(pointer, "min_items", `at least ${count(least, "item")}`);
    if (items.length > most) this.#add(pointer, "max_items", `at most ${count(most, "item")}`);
    const given = [];
    for (let index = 0; index < items.length && !this.#isFull; index++) {
      const inner = itemOf(shape, index);
      const item = items[index];
      given.push(inner ? this.visit(inner, item, `${pointer}/${index}`, depth + 1) : item);
    }
    if (shape.uniqueItems && !isUnique(given)) this.#add(pointer, "unique_items", "no two equal items");
    return given;
  }

  #visitProperties({ properties, others }, value, pointer, depth) {
    const given = [];
    for (const { name, shape, optional } of properties) {
      const inner = ownValue(value, name);
      if (inner === undefined && optional) continue;
      const called = this.#place === "header" ? toHeaderName(name) : name;
      given.push([name, this.visit(shape, inner, `${pointer}/${escapeKey(called)}`, depth + 1)]);
    }
    const names = new Set(properties.map(({ name }) => name));
    for (const [key, inner] of others ? Object.entries(value) : []) {
      if (others === undefined || names.has(key)) continue;
      refuseEntry(key, inner);
      given.push([key, this.visit(others, inner, `${pointer}/${escapeKey(key)}`, depth + 1)]);
    }
    return Object.fromEntries(given);
  }

  /** Repeats what a Standard Schema has said. */
  addAll(issues, pointer) {
    for (const { message, path = [] } of issues) {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      this.#add(pointer + keys.map((key) => `/${escapeKey(key)}`).join(""), "schema", message);
    }
  }

  get #isFull() {
    return this.issues.length === MAX_ISSUES;
  }

  #add(pointer, code, message) {
    if (!this.#isFull) this.issues.push({ in: this.#place, pointer, code, message });
  }
}

/** @returns a 422 with every issue for a program, and the first one as a sentence. */
function toRefusal(issues) {
  return new HttpError(422, { error: summarize(issues), issues });
}

/** @example summarize(issues) // "lines[0].qty: at least 1, and 2 more issues" */
function summarize([first, ...more]) {
  // A schema of the project may answer otherwise when it is asked again.
  if (first === undefined) return "The request does not fit what the handler takes.";
  // There may be more than were listed.
  const number = more.length + 1 === MAX_ISSUES ? `at least ${more.length}` : more.length;
  const rest = more.length === 0 ? "" : `, and ${number} more ${more.length === 1 ? "issue" : "issues"}`;
  return `${formatPlace(first)}: ${first.message}${rest}`;
}

/**
 * A JSON pointer (RFC 6901) as a person writes it.
 *
 * @example formatPlace({ in: "body", pointer: "/lines/0/qty" }) // "lines[0].qty"
 */
function formatPlace({ in: place, pointer }) {
  const [, ...keys] = pointer.split("/").map(unescapeKey);
  const steps = keys.map((key) => {
    if (/^[0-9]+$/.test(key)) return `[${key}]`;
    return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return steps.join("").replace(/^\./, "") || place;
}

/** A longer list helps nobody. */
const MAX_LISTED = 20;

const FORMAT_WORDS = {
  date: "a date such as 2026-11-22",
  "date-time": "a date-time such as 2026-11-22T10:30:00Z",
  duration: "a duration such as P3DT12H",
  email: "an email address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  time: "a time such as 10:30:00Z",
  uri: "a URI such as https://example.com/",
  uuid: "a UUID",
};

/** @example count(3, "item") // "3 items" */
function count(amount, noun) {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** @example listWords(["admin", "guest"]) // "one of admin, guest" */
function listWords(words) {
  if (words.length === 1) return `exactly ${words[0]}`;
  const more = words.length > MAX_LISTED ? ", …" : "";
  return `one of ${words.slice(0, MAX_LISTED).join(", ")}${more}`;
}

/**
 * @param members of a union; none of them is a union or a reference.
 * @param demands what a member asks for, where its description would not say why the value is refused.
 * @example describeChoices([int, all]) // "a whole number, or all"
 */
function describeChoices(members, demands) {
  const listed = listWords(members.flatMap(literalsOf).map(String));
  const words = members.flatMap((member) => {
    if (member.kind === "never") return [];
    if (member.kind === "literal" || member.kind === "null") return [listed];
    return [demands?.get(member) || describe(member)];
  });
  const [first = "nothing", ...more] = new Set(words);
  if (more.length === 0) return first;
  const choices = [first, ...more].map((choice) =>
    choice === listed ? choice.replace(/^exactly /, "") : choice,
  );
  return `${choices.slice(0, -1).join(", ")}, or ${choices.at(-1)}`;
}

/** @returns what fits one member of a union, or a shape that is not a union. */
function describe(shape) {
  switch (shape.kind) {
    case "string":
      return "a string";
    case "number":
      return shape.integer ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "literal":
      return listWords(shape.values.map(String));
    case "date":
      return FORMAT_WORDS["date-time"];
    case "array":
    case "tuple":
      return "an array";
    case "file":
      return "a file";
    default:
      return "an object";
  }
}

/** The generators that the providers of a request have opened. Each is closed exactly once, the last first. */

const FINISHED = { resume: "next" };
const LEFT = { resume: "return" };

function isGenerator(value) {
  if (!isObject(value) || !("next" in value)) return false;
  const { next, return: end, throw: fail } = value;
  return [next, end, fail].every((member) => typeof member === "function");
}

/** @returns the value that the generator yields. @param name of its provider, for messages. */
function openGenerator(generator, name, exchange) {
  const opened = exchange.opened instanceof OpenedGenerators ? exchange.opened : new OpenedGenerators();
  exchange.opened = opened;
  return opened.open(generator, name);
}

class OpenedGenerators {
  #open = [];
  #ending;
  #closing;
  #watch;

  async open(generator, name) {
    const { done, value } = await generator.next();
    if (done) throw new TypeError(`${name} ended without a value. A provider must yield one.`);
    this.#open.push({ generator, name });
    // The app has given up the request meanwhile. The error is logged by `watch`.
    if (this.#ending !== undefined) await this.#close().catch(ignore);
    return value;
  }

  async finish(answer, watch) {
    if (this.#ending !== undefined) return answer;
    this.#watch = watch;
    if (!isPlain(answer.body)) return { ...answer, body: this.#closeAfter(answer.body) };
    await this.#end(FINISHED);
    return answer;
  }

  fail(error, watch) {
    const isFirst = this.#closing === undefined;
    this.#watch = watch;
    return this.#end({ resume: "throw", error }).then(
      () => error,
      (other) => (isFirst ? other : error),
    );
  }

  /** A failure overrides a good end for the generators that are still open. @param source ends first: it uses what they hold. */
  #end(ending, source) {
    const overrides = ending.resume === "throw" && this.#ending?.resume === "next";
    if (this.#ending === undefined || overrides) this.#ending = ending;
    this.#closing ??= this.#close(source);
    return this.#closing;
  }

  #close(source) {
    const closing = source ? source.then(() => this.#closeAll()) : this.#closeAll();
    this.#watch?.(closing);
    return closing;
  }

  /** Rejects with the last error that a generator threw of its own. The generators before it get that error, too. */
  async #closeAll() {
    let failure;
    for (let one = this.#open.pop(); one !== undefined; one = this.#open.pop()) {
      const { resume, error } = this.#ending ?? LEFT;
      try {
        const { done } = await one.generator[resume](error);
        if (done) continue;
        await one.generator.return();
        const message = `${one.name} yielded twice. A provider must yield one value, and end.`;
        throw new TypeError(message, resume === "throw" ? { cause: error } : {});
      } catch (thrown) {
        if (resume === "throw" && thrown === error) continue;
        failure = { error: thrown };
        this.#ending = { resume: "throw", error: thrown };
      }
    }
    if (failure) throw failure.error;
  }

  /** @returns the same chunks. The end comes when all generators are closed, so that the client sees a commit that fails. */
  #closeAfter(chunks) {
    return {
      next: async () => {
        const chunk = await chunks.next().catch(async (error) => {
          await this.#end({ resume: "throw", error }).catch(ignore);
          throw error;
        });
        if (chunk === undefined) await this.#end(FINISHED);
        return chunk;
      },
      cancel: () => this.#end(LEFT, endSoon(chunks)).catch(ignore),
    };
  }
}

function ignore() {}

/** @example nameOfCall(call) // "transaction (database/providers.ts:7)" */
function nameOfCall({ name, location }) {
  return `${name} (${location.file}:${location.line})`;
}

/** Calls a handler with what it takes from the request, after its guards and providers. */

/**
 * @param calls the guards and providers.
 * @param provided the indices of the calls whose values the handler is given. Only `replace` needs them.
 */
function toServe(inputs, calls = [], provided = [...calls.keys()]) {
  // Linked for the first request: a server with a thousand routes starts 10 ms earlier.
  let way;
  const serve = (handler, exchange) => {
    way ??= linkSteps(inputs, calls);
    return way(new RequestReader(exchange, calls.length === 0 ? NO_RESULTS : []), handler);
  };
  return calls.length === 0 ? serve : Object.assign(serve, { parts: { inputs, calls, provided, toServe } });
}

/** Of a request for which nothing is called before the handler. */
const NO_RESULTS = [];

/**
 * A request makes no promise for a step that gives none: with an `await` for each, a guarded GET had 0.76 × the requests on Node 26 and
 * 0.86 × on Node 20 (`npm run bench -- http --case guarded`), and a validated POST, which makes one, is 1.02 × raw `node:http`
 * (`--case signup`).
 */
function linkSteps(route, calls) {
  const called = calls.map((call, index) => [call, route.calls?.[index] ?? TAKES_NOTHING]);
  const first = called.findIndex(([{ isEarly }, { takes }]) => !isEarly || toBodyReader(takes));
  const late = first === -1 ? [] : called.slice(first);
  const early = called.slice(0, called.length - late.length);
  const inputsOf = (some) => [...some.map(([, inputs]) => inputs), route];
  const checked = inputsOf(called.filter(([{ isEarly }]) => !isEarly));
  const steps = [
    // 1. Each guard, after the providers that it needs. What follows must not cost a request that a guard refuses.
    ...early.flatMap((one) => [requireAll([one[1]]), makeCall(one, route, checked)]),
    // 2. All other credentials.
    requireAll(inputsOf(late)),
    // 3. The body, if any of the functions takes it.
    readBody(inputsOf(called)),
    // 4. The other providers, and the guards that take the body.
    ...late.map((one) => makeCall(one, route, checked)),
  ];
  // 5. The handler.
  return steps.reduceRight((next, step) => step(next), callHandler(route, checked));
}

/** A provider that a test has replaced takes nothing. */
const TAKES_NOTHING = { takes: [], read: () => [] };

function takesOf(functions) {
  return functions.flatMap(({ takes }) => takes);
}

function requireAll(functions) {
  const credentials = takesOf(functions).filter(needsCredential);
  if (credentials.length === 0) return (next) => next;
  return (next) => (reader, handler) => {
    requireCredentials(credentials, reader);
    return next(reader, handler);
  };
}

function readBody(functions) {
  const read = toBodyReader(takesOf(functions));
  if (read === undefined) return (next) => next;
  return (next) => (reader, handler) =>
    read(reader, () => {
      requireTime(reader.exchange);
      return next(reader, handler);
    });
}

/** @param late the functions for whose inputs a 422 lists the issues, unless the call is early: then it lists its own. */
function makeCall([call, inputs], route, late) {
  const checked = call.isEarly ? [inputs] : late;
  return (next) => (reader, handler) => {
    const values = inputs.read(reader);
    const given = Array.isArray(values)
      ? callWith(call, values, reader.exchange)
      : settle(values, route, checked, reader).then((known) => callWith(call, known, reader.exchange));
    if (isThenable(given))
      // A `then` of the project's own may return anything.
      return Promise.resolve(given).then((value) => {
        accept(value, call, reader);
        requireTime(reader.exchange);
        return next(reader, handler);
      });
    accept(given, call, reader);
    return next(reader, handler);
  };
}

function accept(value, call, reader) {
  if (call.kind === "guard") requireNoAnswer(value, call);
  reader.results.push(value);
}

function callHandler(route, checked) {
  return (reader, handler) => {
    const values = route.read(reader);
    if (!Array.isArray(values))
      return settle(values, route, checked, reader).then((known) => handler(...known));
    // The usual signatures without an array: a spread costs more than the call.
    switch (values.length) {
      case 1:
        return handler(values[0]);
      case 2:
        return handler(values[0], values[1]);
      default:
        return handler(...values);
    }
  };
}

/** @throws {HttpError} 422 for values that do not fit, with the issues of the inputs of all the functions. */
async function settle(values, route, checked, reader) {
  const known = await values;
  requireTime(reader.exchange);
  if (known === undefined) throw toRefusal(await findIssues(checked, route.definitions, reader));
  return known;
}

/** @returns what the guard or the provider gives, or a promise of it. */
function callWith(call, values, exchange) {
  // Not called as a method: `call` would be its `this`.
  const { run } = call;
  const result = run(...values);
  return isGenerator(result) ? openGenerator(result, nameOfCall(call), exchange) : result;
}

/** After `handler_timeout` nothing more is called: the client has its 503, and the providers are closed. */
function requireTime({ givenUp }) {
  if (givenUp !== undefined) throw givenUp;
}

/** A guard that returns a response instead of throwing it must not let the request through. */
function requireNoAnswer(value, call) {
  // A handler's returned error counts as thrown, too.
  if (value instanceof Error) throw value;
  const isErrorPair = isPair(value) && value[1] >= 400 && value[1] <= 599;
  if (value !== false && !isResponse(value) && !answersItself(value) && !isErrorPair) return;
  const what = value === false ? "false" : nameOf(value);
  throw new TypeError(
    `${nameOfCall(call)} returned ${what}. A guard refuses a request by throwing: throw new HttpError(403, "…").`,
  );
}

/** What the text of a wire module imports, and what serves the routes that it has inputs for. */

/** The types between the app and a project's wire module, which has the inputs of each route, with the code that reads them. */

export {
  FORMATS,
  JSON_MEDIA,
  RequestReader,
  askSchema,
  candidatesOf,
  findIssues,
  findIssuesOf,
  formatPlace,
  FORMATS as formats,
  isDateTime,
  isFile,
  isGenerator,
  isHarmless,
  isLonger,
  isMultiple,
  isRecord,
  isShorter,
  isTextPlace,
  isUnique,
  itemOf,
  listWords,
  literalsOf,
  membersOf,
  nameOfCall,
  needsCredential,
  openGenerator,
  orAbsent,
  ownValue,
  parseFields,
  refuseEntry,
  requireCredentials,
  resolve,
  sizesOf,
  tagOf,
  tagsOf,
  toBodyReader,
  toBoolean,
  toChecked,
  toDate,
  toHeaderName,
  toInteger,
  toItems,
  toList,
  toNumber,
  toRefusal,
  toServe,
  tooDeep,
  withOthers,
};
