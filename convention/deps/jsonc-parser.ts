/** Reads JSON with comments to a tree in which every key knows its offset. */

export type { Node as JsonNode, ParseError } from "jsonc-parser";
export {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
