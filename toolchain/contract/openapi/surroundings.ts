/** What an operation has to know of the rest of the contract. */

import type { AnswerBody } from "#convention/contract/contract";
import type { Definitions } from "#runtime/wire/shape";
import type { Components } from "./components.ts";
import type { Security } from "./security.ts";

export interface Surroundings {
  readonly components: Components;
  readonly security: Security;
  /** What any route sends for a request that is not HTTP, or too large. */
  readonly refused: AnswerBody;
  readonly definitions: Definitions;
}
