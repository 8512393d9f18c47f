/** Asks a Standard Schema of the project (https://standardschema.dev). */

import { isHarmless } from "./checks.ts";
import type { SchemaAnswer, StandardSchema } from "./taker.ts";

/**
 * @returns the value that the schema gives, or its issues.
 * @throws {HttpError} 400 where a key of the input can poison prototypes, or it is nested too deeply.
 */
export async function askSchema(schema: StandardSchema, input: unknown): Promise<SchemaAnswer> {
  isHarmless(input);
  return schema["~standard"].validate(input);
}
