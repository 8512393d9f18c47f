/** Compares two texts line by line, and prints the difference as a unified diff. */

export { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
