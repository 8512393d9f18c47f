/**
 * The types that a handler's signature says with where a value comes from, and what it must be like. They vanish: `Body<NewUser>` is
 * `NewUser` to the editor and the type checker, and `string & MinLength<1>` is `string`.
 */

/** What a Standard Schema (https://standardschema.dev) gives; any other type is itself. */
type Given<T> = T extends {
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

/**
 * An urlencoded or multipart body, with `File` and `File[]` for uploads.
 *
 * @example export function post_avatar(form: Form<{ title: string; image: File }>) {}
 */
export type Form<T> = Given<T>;

/**
 * From the query: an object type names the keys, any other type is the value of the parameter's own name.
 *
 * @example export function get_index(page: Query<int> = 1, tag: Query<string[]> = []) {}
 */
export type Query<T> = Given<T>;

/** From the headers. A `_` of the name is a `-`. @example get_index(if_none_match?: Header<string>) */
export type Header<T> = Given<T>;

/** From the cookies. @example get_index(theme: Cookie<"dark" | "light"> = "light") */
export type Cookie<T> = Given<T>;

/** The token of `Authorization: Bearer …` (RFC 6750). A request without one is refused with 401. */
export type Bearer = string;

/** The credentials of `Authorization: Basic …` (RFC 7617). A request without them is refused with 401. */
export type Basic = { readonly username: string; readonly password: string };

/** A key in a header. A request without it is refused with 401. @example get_index(key: ApiKey<"x-api-key">) */
export type ApiKey<Name extends string> = Name extends string ? string : never;

/** The unknown, whatever it is asked about. */
type Vanishing<_Argument> = unknown;

/** At least so many characters. @example string & MinLength<1> */
export type MinLength<N extends number> = Vanishing<N>;
/** At most so many characters. */
export type MaxLength<N extends number> = Vanishing<N>;
/** Fits a regular expression with the flag `u`. @example string & Pattern<"^[a-z]+$"> */
export type Pattern<Source extends string> = Vanishing<Source>;
/** At least this number. @example int & Min<0> & Max<100> */
export type Min<N extends number> = Vanishing<N>;
/** At most this number. */
export type Max<N extends number> = Vanishing<N>;
/** More than this number. */
export type ExclusiveMin<N extends number> = Vanishing<N>;
/** Less than this number. */
export type ExclusiveMax<N extends number> = Vanishing<N>;
/** A multiple of this number. */
export type MultipleOf<N extends number> = Vanishing<N>;
/** At least so many items. @example string[] & MinItems<1> */
export type MinItems<N extends number> = Vanishing<N>;
/** At most so many items. */
export type MaxItems<N extends number> = Vanishing<N>;
/** No two items are equal. */
export type UniqueItems = unknown;

/** An email address (RFC 5321 section 4.1.2). @example string & Email */
export type Email = unknown;
/** A UUID (RFC 9562). */
export type Uuid = unknown;
/** A URI (RFC 3986). */
export type Uri = unknown;
/** A date as in `2026-11-22` (RFC 3339 section 5.6). */
export type DateOnly = unknown;
/** A time as in `10:30:00Z` (RFC 3339 section 5.6). */
export type TimeOnly = unknown;
/** A date with a time (RFC 3339 section 5.6), as text; the type `Date` gives a `Date` instead. */
export type DateTime = unknown;
/** A duration as in `P3DT12H` (RFC 3339 appendix A). */
export type Duration = unknown;
/** A host name (RFC 1123 section 2.1). */
export type Hostname = unknown;
/** An IPv4 address (RFC 2673 section 3.2). */
export type Ipv4 = unknown;
/** An IPv6 address (RFC 4291 section 2.2). */
export type Ipv6 = unknown;
