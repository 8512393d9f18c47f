/** fast-check as all tests use it: with the same examples for the same seed. A failure tells it. */

import fc from "fast-check";
import { SEED } from "./random.fixture.ts";

fc.configureGlobal({ seed: SEED });

export { fc };
