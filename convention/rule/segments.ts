/** What the names of handlers and of route files have in common: segments with params, and why a name breaks the rule. */

/**
 * A segment as a name spells it: static text, or a param (`$id`, `[id]`), whose type is in the handler's signature. A whole path
 * (`$$path`, `[...path]`) is a param for all segments that are left, and the last one.
 */
export type NamedSegment = string | { readonly param: string; readonly whole?: true };

/** Why a name gives no route, or a route no name. */
export interface BadName {
  /**
   * `method`: the name does not begin with a method, so it may be meant for something else. `text`: it breaks the rule.
   * `param`: a `$name` in it is none of the params that were given.
   */
  readonly kind: "method" | "text" | "param";
  readonly why: string;
  readonly hint: string;
  /** The param that would have to be added; nothing where another one was probably meant. */
  readonly missing?: string;
}

export const INDEX = "index";
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export function badName(why: string, hint: string, kind: BadName["kind"] = "text"): BadName {
  return { kind, why, hint };
}

export function isBadName<T>(value: T | BadName): value is BadName {
  return typeof value === "object" && value !== null && "why" in value;
}

export function paramsIn(segments: readonly NamedSegment[]): string[] {
  return segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]));
}

/** The param of the whole path that the segments end in. */
export function wholeOf(segments: readonly NamedSegment[]): string | undefined {
  const last = segments.at(-1);
  return typeof last === "object" && last.whole ? last.param : undefined;
}

/** Why a word can't be the name of a param, which is the name of a function's parameter too; undefined where it can. */
export function badParamName(param: string): BadName | undefined {
  if (param === "request")
    return badName(
      "A param can't be named `request`: a parameter of that name is the request",
      "Name the param after its value, such as `[request_id]`.",
    );
  if (RESERVED_WORDS.has(param))
    return badName(
      `\`${param}\` is a reserved word, so no parameter can have that name`,
      `Choose another name, such as \`${param}_id\`.`,
    );
  if (IDENTIFIER.test(param)) return undefined;
  return badName(
    `\`${param}\` can't be the name of a parameter, so no handler could receive the param`,
    "Use letters, digits and `_`, and begin with a letter, as in `[item_id]`.",
  );
}

export function repeatedParam(segments: readonly NamedSegment[]): BadName | undefined {
  const params = paramsIn(segments);
  const repeated = params.find((param, position) => params.indexOf(param) !== position);
  if (repeated === undefined) return undefined;
  return badName(
    `The param \`${repeated}\` appears twice in the path`,
    "Give each param of a path its own name.",
  );
}

/** Whether a function of the project can have this name, whatever the rule makes of it. */
export function isFunctionName(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED_WORDS.has(name);
}

/** Words that can't name a parameter in a module (ECMAScript, ReservedWord in strict mode, with `await`). */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof var void while with yield"
  ).split(" "),
);
