/** Reads TOML to a tree in which every key and value knows its line and column. */

export type { AST } from "toml-eslint-parser";
export { ParseError, parseTOML } from "toml-eslint-parser";
