/** Reads the form in a body. */

import { HttpError } from "./errors.ts";

/**
 * @param type the content type, with its parameters.
 * @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`.
 */
export async function parseForm(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    // A copy, because the bytes may be in a buffer which other requests share.
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new HttpError(400, "The request body is not valid form data.", { cause });
  }
}
