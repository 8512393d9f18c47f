/** Standard Schemas like those of a project. */

import type { StandardSchema } from "#runtime/wire/inputs";

/** Converts a string to upper case. */
export const shout: StandardSchema = {
  "~standard": {
    validate: (input) =>
      typeof input === "string" ? { value: input.toUpperCase() } : { issues: [{ message: "is not a text" }] },
  },
};

/** An asynchronous schema for an object with `a`. */
export const later: StandardSchema = {
  "~standard": {
    validate: async (input) =>
      typeof input === "object" && input !== null && "a" in input
        ? { value: input }
        : { issues: [{ message: "needs an a", path: ["a", { key: 0 }] }] },
  },
};
