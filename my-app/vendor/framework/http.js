export { HttpError, Request, event, events, reply } from "./runtime/message.js";
export { int, str } from "./runtime/routing.js";

// biome-ignore-all lint/complexity/noBannedTypes: a constraint has to be `{}`, as is said where they begin.
/**
 * The types with which a handler's signature says where a value comes from, and what it must be like. They vanish: `Body<NewUser>` is
 * `NewUser` to the editor and the type checker, and `string & MinLength<1>` is `string`. Each is a value, too, because type stripping
 * keeps an import without the word `type`.
 */

const Body = "Body";
const Form = "Form";
const Query = "Query";
const Header = "Header";
const Cookie = "Cookie";
const Bearer = "Bearer";
const Basic = "Basic";
const ApiKey = "ApiKey";
const From = "From";
const MinLength = "MinLength";
const MaxLength = "MaxLength";
const Pattern = "Pattern";
const Min = "Min";
const Max = "Max";
const ExclusiveMin = "ExclusiveMin";
const ExclusiveMax = "ExclusiveMax";
const MultipleOf = "MultipleOf";
const MinItems = "MinItems";
const MaxItems = "MaxItems";
const UniqueItems = "UniqueItems";
const Email = "Email";
const Uuid = "Uuid";
const Uri = "Uri";
const DateOnly = "DateOnly";
const TimeOnly = "TimeOnly";
const DateTime = "DateTime";
const Duration = "Duration";
const Hostname = "Hostname";
const Ipv4 = "Ipv4";
const Ipv6 = "Ipv6";

/** The package `framework/http`: what a handler's signature and body need, and nothing that starts a server. */

export {
  ApiKey,
  Basic,
  Bearer,
  Body,
  Cookie,
  DateOnly,
  DateTime,
  Duration,
  Email,
  ExclusiveMax,
  ExclusiveMin,
  Form,
  From,
  Header,
  Hostname,
  Ipv4,
  Ipv6,
  Max,
  MaxItems,
  MaxLength,
  Min,
  MinItems,
  MinLength,
  MultipleOf,
  Pattern,
  Query,
  TimeOnly,
  UniqueItems,
  Uri,
  Uuid,
};
