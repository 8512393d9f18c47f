/** The package `framework/http`: types and functions for handlers, without the code that starts a server. */

export { type FileOptions, type FileResult, file } from "./files/file.ts";
export type { ErrorHook, Limits, Middleware, Next } from "./hooks/hooks.ts";
export { type ErrorBody, HttpError, type HttpErrorOptions } from "./message/errors.ts";
export {
  type EventFields,
  type EventOptions,
  type EventStream,
  event,
  events,
  type ServerSentEvent,
} from "./message/events.ts";
export type { HeadersInit } from "./message/headers.ts";
export type { IssueCode, ValidationIssue } from "./message/issue.ts";
export { type Reply, reply } from "./message/reply.ts";
export { Request } from "./message/request.ts";
export type { RequestLog } from "./message/request-log.ts";
export { int, type ParamValue, str } from "./routing/param.ts";
export type {
  Argument,
  Location,
  Method,
  Param,
  ParamType,
  Route,
  RouteMethod,
  Segment,
} from "./routing/route.ts";
export * from "./wire/marks.ts";
