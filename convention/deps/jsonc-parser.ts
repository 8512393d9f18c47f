/** Reads JSON with comments to a tree in which every key knows its offset, and edits it in place. */

export type { Node as JsonNode, ParseError } from "jsonc-parser";
export {
  applyEdits as applyJsonEdits,
  findNodeAtLocation,
  getNodeValue,
  modify as editJson,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
