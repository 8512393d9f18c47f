/** What reading the types of values on the wire can report. */

export const WIRE = {
  FW370: {
    title: "Not a regular expression",
    message: "The pattern `{source}` is not a regular expression: {why}.",
    hint: "It has the flag `u`: escape only what has a meaning, and double each backslash in the type.",
  },
  FW371: {
    title: "Pattern that backtracks without bound",
    message: "A text can keep the pattern's `{part}` busy without bound: {example}.",
    hint: ({ unanchored, safeLength }: { unanchored: boolean; safeLength: number }): string => {
      const rewrite = unanchored
        ? "Begin it with `^`, so that it is tried at one place only."
        : "Let each text fit in one way: `^a+$` instead of `^(a+)+$`.";
      return safeLength < 16 ? rewrite : `${rewrite} Or add \`MaxLength<${safeLength}>\`, or less.`;
    },
  },
  FW372: {
    title: "Pattern that can't be checked",
    message: "Whether the pattern backtracks without bound can't be checked: it has {what}.",
    hint: "Write it without, or check the value in the handler.",
  },
} as const;
