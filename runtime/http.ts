/** The package `framework/http`: the types that a handler's signature and body need, and nothing that starts a server. */

export { HttpError, type HttpErrorOptions } from "./core/errors.ts";
export { int, type ParamValue, str } from "./core/param.ts";
export { Request } from "./core/request.ts";
export type { Argument, Location, Method, Param, ParamType, Route, Segment } from "./core/route.ts";
