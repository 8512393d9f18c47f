// biome-ignore-all lint/complexity/noBannedTypes: a constraint has to be `{}`, as is said where they begin.
/**
 * The types with which a handler's signature says where a value comes from, and what it must be like. They vanish: `Body<NewUser>` is
 * `NewUser` to the editor and the type checker, and `string & MinLength<1>` is `string`. Each is a value, too, because type stripping
 * keeps an import without the word `type`.
 */

/** What a handler is given for a mark's type: for a Standard Schema (https://standardschema.dev) its output, else the type itself. */
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
 * An urlencoded or multipart body, with `File` and `File[]` for uploads.
 *
 * @example export function post_avatar(form: Form<{ title: string; image: File }>) {}
 */
export type Form<T> = Given<T>;
export const Form = "Form";

/**
 * From the query: an object type names the keys, any other type is the value of the parameter's own name.
 *
 * @example export function get_index(page: Query<int> = 1, tag: Query<string[]> = []) {}
 */
export type Query<T> = Given<T>;
export const Query = "Query";

/** From the headers. A `_` of the name is a `-`. @example get_index(if_none_match?: Header<string>) */
export type Header<T> = Given<T>;
export const Header = "Header";

/** From the cookies. @example get_index(theme: Cookie<"dark" | "light"> = "light") */
export type Cookie<T> = Given<T>;
export const Cookie = "Cookie";

/** The token of `Authorization: Bearer …` (RFC 6750). A request without one is refused with 401. */
export type Bearer = string;
export const Bearer = "Bearer";

/** The credentials of `Authorization: Basic …` (RFC 7617). A request without them is refused with 401. */
export type Basic = { readonly username: string; readonly password: string };
export const Basic = "Basic";

/** A key in a header, a cookie or the query. A request without it is refused with 401. @example get_index(session: ApiKey<"session", "cookie">) */
export type ApiKey<_Name extends string, _In extends "header" | "cookie" | "query" = "header"> = string;
export const ApiKey = "ApiKey";

/** What follows another scheme in `Authorization`. A request without it is refused with 401. @example get_index(token: Credential<"Token">) */
export type Credential<_Scheme extends string> = string;
export const Credential = "Credential";

/**
 * What a provider returns: a function of the project that runs before the handler. Its own parameters count as if the handler had
 * declared them.
 *
 * @example export function get_index(me: From<typeof requireUser>) { return { name: me.name }; }
 */
export type From<F extends (...args: never[]) => unknown> = Provided<ReturnType<F>>;
export const From = "From";

/** What a generator yields, or what is left when the promises are awaited. */
export type Provided<R> = R extends AsyncGenerator<infer Yielded> | Generator<infer Yielded>
  ? Yielded
  : Awaited<R>;

// A constraint is `{}`, a type of its own for each. To a linter `unknown` is redundant in an intersection, and so is a type that comes
// twice there: `eslint --fix` would delete the constraint.

/** At least so many characters. @example string & MinLength<1> */
export type MinLength<_N extends number> = {};
export const MinLength = "MinLength";
/** At most so many characters. */
export type MaxLength<_N extends number> = {};
export const MaxLength = "MaxLength";
/** Fits a regular expression with the flag `u`. @example string & Pattern<"^[a-z]+$"> */
export type Pattern<_Source extends string> = {};
export const Pattern = "Pattern";
/** At least this number. @example int & Min<0> & Max<100> */
export type Min<_N extends number> = {};
export const Min = "Min";
/** At most this number. */
export type Max<_N extends number> = {};
export const Max = "Max";
/** More than this number. */
export type ExclusiveMin<_N extends number> = {};
export const ExclusiveMin = "ExclusiveMin";
/** Less than this number. */
export type ExclusiveMax<_N extends number> = {};
export const ExclusiveMax = "ExclusiveMax";
/** A multiple of this number. */
export type MultipleOf<_N extends number> = {};
export const MultipleOf = "MultipleOf";
/** At least so many items. @example string[] & MinItems<1> */
export type MinItems<_N extends number> = {};
export const MinItems = "MinItems";
/** At most so many items. */
export type MaxItems<_N extends number> = {};
export const MaxItems = "MaxItems";
/** No two items that the handler receives are equal. */
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
/** A date as in `2026-11-22` (RFC 3339 section 5.6). */
export type DateOnly = {};
export const DateOnly = "DateOnly";
/** A time as in `10:30:00Z` (RFC 3339 section 5.6). */
export type TimeOnly = {};
export const TimeOnly = "TimeOnly";
/** A date with a time (RFC 3339 section 5.6), as text; the type `Date` gives a `Date` instead. */
export type DateTime = {};
export const DateTime = "DateTime";
/** A duration as in `P3DT12H` (RFC 3339 appendix A). */
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
