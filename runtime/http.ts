/** The package `framework/http`: the types that a handler's signature and body need, and nothing that starts a server. */

export { HttpError } from "./core/errors.ts";
export { int, str } from "./core/param.ts";
export { Request } from "./core/request.ts";
