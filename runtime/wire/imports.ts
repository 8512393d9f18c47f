/** The functions that generated wire modules import, and `toServe`, which serves their routes. */

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
export { FORMATS as formats } from "./formats.ts";
export { findIssues } from "./issues.ts";
export { toServe } from "./serve.ts";
export { isFile } from "./shape.ts";
export { orAbsent, toBoolean, toChecked, toInteger, toItems, toList, toNumber, withOthers } from "./texts.ts";
