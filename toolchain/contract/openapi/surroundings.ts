/** What an operation has to know of the rest of the contract. */

import type { AnswerBody } from "#convention/contract/contract";
import type { ObjectShape, Shape } from "#runtime/wire/shape";
import type { Components } from "./components.ts";
import type { Security } from "./security.ts";

export interface Surroundings {
  readonly components: Components;
  readonly security: Security;
  /** What any route sends for a request that is not HTTP, or too large. */
  readonly refused: AnswerBody;
  /** Whether a value of the shape can have a file in it. */
  readonly hasFile: (shape: Shape) => boolean;
  /** Whether a value can be an array. */
  readonly isList: (shape: Shape) => boolean;
  /** The objects that it is one of; empty for anything else. */
  readonly objectsOf: (shape: Shape) => readonly ObjectShape[];
}
