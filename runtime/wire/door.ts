/** The checks that the text of a wire module imports, and what serves its takers. */

export { tooDeep } from "../message/json.ts";
export {
  askSchema,
  isHarmless,
  isLonger,
  isMultiple,
  isShorter,
  isUnique,
  refuseEntry,
  toDate,
} from "./checks.ts";
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
export { findIssues } from "./issues.ts";
export { toServe } from "./serve.ts";
export { isFile } from "./shape.ts";
export { toBoolean, toInteger, toNumber, toValue } from "./texts.ts";
