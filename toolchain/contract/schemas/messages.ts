/** What the command and the process that loads schemas say to each other. */

import type { JsonSchema } from "#convention/wire/json-schema";
import type { SchemaShape } from "#runtime/wire/shape";

export interface Asked {
  readonly root: string;
  readonly shapes: readonly SchemaShape[];
}

/** One for each shape, in their order. */
export type Answered = { readonly schema: JsonSchema } | { readonly why: string };
