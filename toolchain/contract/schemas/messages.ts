/** What the command and the process that loads schemas say to each other. */

import type { JsonSchema } from "#convention/wire/json-schema";
import type { SchemaShape } from "#runtime/wire/shape";

export interface Asked {
  readonly root: string;
  readonly shapes: readonly SchemaShape[];
}

/** One for each shape, in their order. A text says why there is none. */
export interface Answered {
  readonly input: JsonSchema | string;
  readonly output: JsonSchema | string;
}
