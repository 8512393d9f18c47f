/** The edit distance of two words, for did-you-mean. */

export { default as leven } from "leven";
