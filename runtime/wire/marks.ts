// biome-ignore-all lint/complexity/noBannedTypes: a constraint has to be `{}`, as explained above the first one.
/**
 * The types that declare the source and the constraints of a handler's parameters. They are transparent: to the editor and the type
 * checker `Body<NewUser>` is `NewUser`, and `string & MinLength<1>` is `string`. Each is also a value, because type stripping keeps an
 * import that lacks the word `type`.
 */

/** The type that a handler receives: the output of a Standard Schema (https://standardschema.dev), otherwise the type itself. */
export type Given<T> = T extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : T;

/**
 * The JSON body. The request is refused with 400 if it is not JSON, 415 without a JSON `Content-Type`, 422 if the JSON is not a `T`.
 *
 * @example export function post_index(body: Body<NewUser>) { return [{ id: 8, name: body.name }, 201]; }
 */
export type Body<T> = Given<T>;
export const Body = "Body";

/**
 * A urlencoded or multipart body, with `File` and `File[]` for uploads.
 *
 * @example export function post_avatar(form: Form<{ title: string; image: File }>) {}
 */
export type Form<T> = Given<T>;
export const Form = "Form";

/**
 * A value of the query with the parameter's name; for an object type, the values with its keys.
 *
 * @example export function get_index(page: Query<int> = 1, tag: Query<string[]> = []) {}
 */
export type Query<T> = Given<T>;
export const Query = "Query";

/** A header with the parameter's name; `_` in the name means `-`. @example get_index(if_none_match?: Header<string>) */
export type Header<T> = Given<T>;
export const Header = "Header";

/** A cookie with the parameter's name. @example get_index(theme: Cookie<"dark" | "light"> = "light") */
export type Cookie<T> = Given<T>;
export const Cookie = "Cookie";

/** The token of `Authorization: Bearer …` (RFC 6750). A request without one is refused with 401. */
export type Bearer = string;
export const Bearer = "Bearer";

/** The credentials of `Authorization: Basic …` (RFC 7617). A request without them is refused with 401. */
export type Basic = { readonly username: string; readonly password: string };
export const Basic = "Basic";

/** A key in a header, cookie or query. A request without it is refused with 401. @example get_index(session: ApiKey<"session", "cookie">) */
export type ApiKey<_Name extends string, _In extends "header" | "cookie" | "query" = "header"> = string;
export const ApiKey = "ApiKey";

/** The credential of another `Authorization` scheme. A request without it is refused with 401. @example get_index(token: Credential<"Token">) */
export type Credential<_Scheme extends string> = string;
export const Credential = "Credential";

/**
 * The value of a provider, a function of the project that runs before the handler. Its parameters become inputs of the route, as if the
 * handler had declared them.
 *
 * @example export function get_index(me: From<typeof requireUser>) { return { name: me.name }; }
 */
export type From<F extends (...args: never[]) => unknown> = Provided<ReturnType<F>>;
export const From = "From";

/** The value of a provider's result: the yielded value of a generator, otherwise the awaited result. */
export type Provided<R> = R extends AsyncGenerator<infer Yielded> | Generator<infer Yielded>
  ? Yielded
  : Awaited<R>;

// Each constraint is a `{}` of its own. Linters regard `unknown` and repeated types in an intersection as redundant: `eslint --fix`
// would delete the constraint.

/** The minimum number of characters. @example string & MinLength<1> */
export type MinLength<_N extends number> = {};
export const MinLength = "MinLength";
/** The maximum number of characters. */
export type MaxLength<_N extends number> = {};
export const MaxLength = "MaxLength";
/** A text that matches a regular expression with the flag `u`. @example string & Pattern<"^[a-z]+$"> */
export type Pattern<_Source extends string> = {};
export const Pattern = "Pattern";
/** The minimum. @example int & Min<0> & Max<100> */
export type Min<_N extends number> = {};
export const Min = "Min";
/** The maximum. */
export type Max<_N extends number> = {};
export const Max = "Max";
/** A number greater than this. */
export type ExclusiveMin<_N extends number> = {};
export const ExclusiveMin = "ExclusiveMin";
/** A number less than this. */
export type ExclusiveMax<_N extends number> = {};
export const ExclusiveMax = "ExclusiveMax";
/** A multiple of this number. */
export type MultipleOf<_N extends number> = {};
export const MultipleOf = "MultipleOf";
/** The minimum number of items. @example string[] & MinItems<1> */
export type MinItems<_N extends number> = {};
export const MinItems = "MinItems";
/** The maximum number of items. */
export type MaxItems<_N extends number> = {};
export const MaxItems = "MaxItems";
/** A list without two equal items. */
export type UniqueItems = {};
export const UniqueItems = "UniqueItems";

/** An email address (RFC 5321 section 4.1.2). @example string & Email */
export type Email = {};
export const Email = "Email";
/** A UUID (RFC 9562). */
export type Uuid = {};
export const Uuid = "Uuid";
/** A URI (RFC 3986). */
export type Uri = {};
export const Uri = "Uri";
/** A date such as `2026-11-22` (RFC 3339 section 5.6). */
export type DateOnly = {};
export const DateOnly = "DateOnly";
/** A time such as `10:30:00Z` (RFC 3339 section 5.6). */
export type TimeOnly = {};
export const TimeOnly = "TimeOnly";
/** A date-time (RFC 3339 section 5.6) as text. For a `Date` object, use the type `Date`. */
export type DateTime = {};
export const DateTime = "DateTime";
/** A duration such as `P3DT12H` (RFC 3339 appendix A). */
export type Duration = {};
export const Duration = "Duration";
/** A host name (RFC 1123 section 2.1). */
export type Hostname = {};
export const Hostname = "Hostname";
/** An IPv4 address (RFC 2673 section 3.2). */
export type Ipv4 = {};
export const Ipv4 = "Ipv4";
/** An IPv6 address (RFC 4291 section 2.2). */
export type Ipv6 = {};
export const Ipv6 = "Ipv6";
