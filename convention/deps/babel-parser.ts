/** Reads TypeScript source to a syntax tree. */

export { parse } from "@babel/parser";
export type * as Ast from "@babel/types";
