/** Standard Schemas as a project would export them. */

import type { StandardSchema } from "#runtime/wire/inputs";

/** Makes capitals of a text. */
export const shout: StandardSchema = {
  "~standard": {
    validate: (input) =>
      typeof input === "string" ? { value: input.toUpperCase() } : { issues: [{ message: "is not a text" }] },
  },
};

/** Answers later; wants an object with `a`. */
export const later: StandardSchema = {
  "~standard": {
    validate: async (input) =>
      typeof input === "object" && input !== null && "a" in input
        ? { value: input }
        : { issues: [{ message: "needs an a", path: ["a", { key: 0 }] }] },
  },
};
