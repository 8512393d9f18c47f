/** fast-check as all tests use it: with the same examples in each run, so that what passed once does not fail by chance. */

import fc from "fast-check";

/** `SEED=… npm run unit` takes other examples; a failure tells which these were. */
export const SEED: number = Number(process.env.SEED ?? 1);

fc.configureGlobal({ seed: SEED });

export { fc };
