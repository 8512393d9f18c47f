/** Checks the formats of texts in linear time: no part of a pattern can match in two ways. */

import type { Format } from "./shape.ts";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
/** RFC 3339 appendix A */
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** RFC 2673 section 3.2, without leading zeros, which some parsers read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
/** A scheme, an authority with user, host and port, a path, a query, a fragment. */
const URI =
  /^[a-z][a-z0-9+.-]*:(?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[([0-9a-fv.:\w~!$&'()*+,;=-]*)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const FUTURE_IP = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** RFC 3339 section 5.6, full-date */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const last = DAYS[Number(month) - 1] ?? 0;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return Number(day) >= 1 && Number(day) <= (month === "02" && isLeap ? 29 : last);
}

/** RFC 3339 section 5.6, full-time. A leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = TIME.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return false;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  if (Number(second) < 60) return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  return second === "60" && (minutes + 1440) % 1440 === 1439;
}

export function isDateTime(text: string): boolean {
  const separator = text.charAt(10);
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 4291 section 2.2 */
function isIpv6(text: string): boolean {
  return /^[0-9a-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** RFC 1123 section 2.1, and RFC 5891 for names that begin with `xn--` */
function isHostname(text: string): boolean {
  if (text.length > 253 || text === "") return false;
  return text.split(".").every((label) => LABEL.test(label) && !/^..--/.test(label.replace(/^xn--/i, "")));
}

/** RFC 5321 section 4.1.2, Mailbox */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local.length > 64 || !(ATOMS.test(local) || QUOTED.test(local))) return false;
  const [isLiteral, ipv6, ipv4 = ""] = /^\[(?:IPv6:(.*)|(.*))\]$/i.exec(domain) ?? [];
  if (isLiteral === undefined) return isHostname(domain);
  return ipv6 === undefined ? IPV4.test(ipv4) : isIpv6(ipv6);
}

/** RFC 3986 section 3 */
function isUri(text: string): boolean {
  const match = URI.exec(text);
  const address = match?.[1];
  return match !== null && (address === undefined || isIpv6(address) || FUTURE_IP.test(address));
}

export const FORMATS: Readonly<Record<Format, (text: string) => boolean>> = {
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
