/** The package `framework/http`: what a handler's signature and body need, and nothing that starts a server. */

export type { ErrorHook, Middleware, Next } from "./core/hooks/around.ts";
export { HttpError, type HttpErrorOptions } from "./core/message/errors.ts";
export {
  type EventFields,
  type EventOptions,
  type EventStream,
  event,
  events,
  type ServerSentEvent,
} from "./core/message/events.ts";
export type { HeadersInit } from "./core/message/headers.ts";
export { type Reply, reply } from "./core/message/reply.ts";
export { Request } from "./core/message/request.ts";
export { int, type ParamValue, str } from "./core/routing/param.ts";
export type { Argument, Location, Method, Param, ParamType, Route, Segment } from "./core/routing/route.ts";
export * from "./core/wire/marks.ts";
