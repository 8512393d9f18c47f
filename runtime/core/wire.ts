/** The checks that the text of a wire module imports, and what serves its takers. */

export { tooDeep } from "./message/json.ts";
export { isHarmless, isLonger, isMultiple, isShorter, isUnique, refuseEntry, toDate } from "./wire/checks.ts";
export { explain } from "./wire/explain.ts";
export {
  isDate,
  isDateTime,
  isDuration,
  isEmail,
  isHostname,
  isIpv4,
  isIpv6,
  isTime,
  isUri,
  isUuid,
} from "./wire/formats.ts";
export { isFile } from "./wire/json-types.ts";
export { askSchema } from "./wire/schema.ts";
export { toServe } from "./wire/serve.ts";
export { convert, convertKeys, orAbsent, toBoolean, toInteger, toNumber } from "./wire/texts.ts";
