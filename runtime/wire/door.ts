/** The checks that the text of a wire module imports, and what serves its takers. */

export { tooDeep } from "../message/json.ts";
export { isHarmless, isLonger, isMultiple, isShorter, isUnique, refuseEntry, toDate } from "./checks.ts";
export { explain } from "./explain.ts";
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
} from "./formats.ts";
export { isFile } from "./json-types.ts";
export { askSchema } from "./schema.ts";
export { toServe } from "./serve.ts";
export { convert, convertKeys, orAbsent, toBoolean, toInteger, toNumber } from "./texts.ts";
