/** Merges two texts that grew out of a third one, line by line. */

export { diff3MergeRegions } from "node-diff3";
