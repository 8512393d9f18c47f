/** Whether two values that check by themselves may take different things: the texts behind them say it. */

import type { Sources } from "#convention/project";
import type { SchemaShape } from "#runtime/wire/shape";
import { createTextsBehind } from "./texts.ts";

export function createSchemaComparison(
  before: Sources,
  after: Sources,
): (before: SchemaShape, after: SchemaShape) => boolean {
  const numbers = new Map<string | undefined, number>();
  const behindBefore = createTextsBehind(before, numbers);
  const behindAfter = createTextsBehind(after, numbers);
  return (was, is) => was.exported === is.exported && behindBefore(was.file) === behindAfter(is.file);
}
