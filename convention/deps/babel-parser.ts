/** Reads TypeScript source to a syntax tree. */

export { type ParserOptions, parse, parseExpression } from "@babel/parser";
export type * as Ast from "@babel/types";
