/** Reads what a person types after `generate`: a handler, an app, the routes of a file, a provider, hooks, a resource, a migration. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { closest } from "#convention/diagnostics/closest";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { listed } from "#convention/diagnostics/entry";
import type { Project } from "#convention/project";
import { parseMethodExport } from "#convention/rule/naming";
import type { AppInput } from "#generators/app/plan";
import type { HandlerInput } from "#generators/handler/target";
import type { HooksInput } from "#generators/hooks/target";
import type { MigrationInput } from "#generators/migration/plan";
import { isNoPlan, type NoPlan, noPlan } from "#generators/plan";
import type { ProviderInput } from "#generators/provider/target";
import type { ResourceInput } from "#generators/resource/target";
import { diagnoseRoutePath, type RouteInput } from "#generators/route/target";
import { parseFields, type WantedTakes } from "#generators/takes";
import { parseParams, toMethod } from "#generators/words";
import { escapeControl } from "#runtime/escape";
import { METHODS, type Method } from "#runtime/routing/route";
import { type CommandInput, UsageError } from "../command.ts";
import { suggest } from "../suggest.ts";

const METHOD_WORDS: readonly string[] = METHODS.map((method) => method.toLowerCase());

/** HTTP methods that no route can have. A word spelt like them is not a param. */
const OTHER_METHODS: readonly string[] = ["CONNECT", "TRACE"];

/** `get_by_id order_id:int --app orders`, and also `GET /products/all`. */
export function readHandlerInput({ words, options }: CommandInput): HandlerInput | NoPlan {
  const { target, rest } = readTarget(words);
  const app = textOf(options.app);
  const params = parseParams(rest);
  if (isDiagnostic(params)) return noPlan(params);
  const takes = readTakes(options);
  return isNoPlan(takes) ? takes : { target, params, takes, app };
}

/** `--body` and `--query`, which only `generate` has. */
function readTakes({ body, query }: CommandInput["options"]): WantedTakes | NoPlan {
  const ofBody = typeof body === "string" ? parseFields("body", body) : [];
  const ofQuery = typeof query === "string" ? parseFields("query", query) : [];
  if (isDiagnostic(ofBody)) return noPlan(ofBody);
  return isDiagnostic(ofQuery) ? noPlan(ofQuery) : { body: ofBody, query: ofQuery };
}

/** @throws {UsageError} where a handler is named without its app, and the project has several. */
export function requireApp({ apps }: Project, { target, app }: HandlerInput): void {
  if (app !== undefined || !("name" in target) || apps.length < 2) return;
  throw new UsageError(
    `Which app should get \`${escapeControl(target.name)}\`?`,
    `Add --app with one of ${apps.map(({ name }) => name).join(", ")}.`,
  );
}

function readTarget(words: readonly string[]): { target: HandlerInput["target"]; rest: readonly string[] } {
  const [first, second, ...others] = words;
  if (!first?.trim()) {
    throw new UsageError(
      "The handler's name is missing.",
      "As in: framework generate handler post_index --app products",
    );
  }
  if (first.startsWith("/")) {
    throw new UsageError(
      "A path needs its method before it.",
      `As in: framework generate handler GET ${escapeControl(first)}`,
    );
  }
  if (second?.startsWith("/") && /^[a-z]+$/i.test(first))
    return { target: { method: readMethod(first), path: second }, rest: others };
  const method = toMethod(first);
  if (method === undefined) return { target: { name: first }, rest: words.slice(1) };
  const name = second === undefined ? "all" : escapeControl(second);
  throw new UsageError(
    `\`${first}\` is a method, and a path has to follow it.`,
    `Give a handler's name, as in ${first.toLowerCase()}_${name}, or a path, as in ${method} /products/${name}`,
  );
}

/** @throws {UsageError} if the word before a path is not a method. */
function readMethod(word: string): Method {
  const method = toRouteMethod(word);
  if (method !== undefined) return method;
  throw new UsageError(`There is no method ${JSON.stringify(word)}.`, suggest(word, METHODS));
}

/** Also `del`, as a route file calls DELETE. */
function toRouteMethod(word: string): Method | undefined {
  return parseMethodExport(word.toLowerCase());
}

/**
 * `orders --prefix /api/orders`, and also `GET /api/orders`, which gives the app its name and its prefix.
 *
 * @throws {UsageError} where it is anything else.
 */
export function readAppInput({ words, options }: CommandInput): AppInput {
  const { methods, path, rest } = readTurned(words);
  const [method, ...others] = methods;
  const prefix = textOf(options.prefix) ?? path;
  const [name, extra] =
    path === undefined ? words : [path.split("/").findLast((part) => part !== ""), ...others, ...rest];
  if (path !== undefined && name === undefined) {
    throw new UsageError(
      `\`${path}\` has no segment to name the app after.`,
      "As in: framework generate app shop --prefix /",
    );
  }
  if (!name?.trim())
    throw new UsageError("The app's name is missing.", "As in: framework generate app orders");
  if (extra !== undefined || (path !== undefined && prefix !== path)) {
    throw new UsageError(
      `\`${escapeControl(extra ?? "--prefix")}\` is too much: an app has one name and one prefix.`,
      "As in: framework generate app orders",
    );
  }
  return { name, prefix, method, guard: textOf(options.guard) };
}

/** Methods before a path, as a route is printed: `GET /reviews`. Undefined path for words in the other order. */
function readTurned(words: readonly string[]): {
  readonly methods: readonly Method[];
  readonly path: string | undefined;
  readonly rest: readonly string[];
} {
  const at = words.findIndex((word) => word.startsWith("/"));
  const before = words.slice(0, Math.max(0, at));
  const isTurned =
    at > 0 && before.every((word) => /^[A-Z]+$/.test(word) || toRouteMethod(word) !== undefined);
  if (!isTurned) return { methods: [], path: undefined, rest: words };
  return { methods: before.map(readMethod), path: words[at], rest: words.slice(at + 1) };
}

/** `reviews get post review_id:int`, and also `GET POST /reviews`. */
export function readRouteInput({ words, options }: CommandInput): RouteInput | NoPlan {
  const turned = readTurned(words);
  const [path, ...rest] =
    turned.path === undefined ? words : [turned.path, ...turned.methods, ...turned.rest];
  if (!path?.trim())
    throw new UsageError("The route's path is missing.", "As in: framework generate route reviews get post");
  const methods = rest.map(toRouteMethod).filter((method) => method !== undefined);
  const further = rest.filter((word) => toRouteMethod(word) === undefined);
  const untyped = further.filter((word) => !word.includes(":"));
  const misspelt = untyped.find(
    (word) => closest(word, METHOD_WORDS) !== undefined || OTHER_METHODS.includes(word),
  );
  if (misspelt !== undefined) {
    return noPlan(
      diagnose("FW602", {
        what: `\`${misspelt}\` is neither a method nor a param`,
        nearest: closest(misspelt, METHOD_WORDS),
        instead: `The methods are ${listed(METHOD_WORDS)}; write a param as item_id:int.`,
      }),
    );
  }
  if (methods.length === 0) {
    const bad = diagnoseRoutePath(path);
    if (bad !== undefined) return noPlan(bad);
    const [other] = untyped;
    const known = other === undefined ? "" : `They are ${METHOD_WORDS.join(", ")}. `;
    throw new UsageError(
      `The route's methods are missing${other === undefined ? "" : `: \`${escapeControl(other)}\` is not one`}.`,
      `${known}As in: framework generate route ${escapeControl(path)} get`,
    );
  }
  const params = parseParams(further);
  if (isDiagnostic(params)) return noPlan(params);
  const takes = readTakes(options);
  return isNoPlan(takes) ? takes : { path, methods, params, takes };
}

/** `current_user`, `article_by_slug slug:string --app blog` */
export function readProviderInput({ words, options }: CommandInput): ProviderInput | NoPlan {
  const [name, ...rest] = words;
  const example = "As in: framework generate provider current_user";
  if (!name?.trim()) throw new UsageError("The provider's name is missing.", example);
  const parameters = parseParams(rest);
  if (isDiagnostic(parameters)) return noPlan(parameters);
  const params = parameters.filter((one) => one !== "request");
  if (params.length < parameters.length)
    throw new UsageError(
      "A generated provider does not take the request.",
      "Add the parameter to it by hand.",
    );
  return { name, app: textOf(options.app), params };
}

/** `admin --guard current_user --middleware`. */
export function readHooksInput({ words, options }: CommandInput): HooksInput {
  const [folder, extra] = words;
  const example = "As in: framework generate hooks admin --guard current_user";
  if (!folder?.trim()) {
    throw new UsageError(
      "The folder is missing: an app's name, a folder such as routes/admin, or . for the root.",
      example,
    );
  }
  if (extra !== undefined)
    throw new UsageError(`\`${escapeControl(extra)}\` is too much: give one folder.`, example);
  const guard = textOf(options.guard);
  const [middleware, error] = [options.middleware === true, options.error === true];
  if (guard === undefined && !middleware && !error) {
    throw new UsageError(
      `Which hooks should \`${escapeControl(folder)}\` get?`,
      "Add --guard <provider>, --middleware or --error.",
    );
  }
  return { folder, guard, middleware, error };
}

/** `books title:string pages:int --prefix /api/books`. */
export function readResourceInput({ words, options }: CommandInput): ResourceInput {
  const [name, ...fields] = words;
  const example = "As in: framework generate resource books title:string pages:int";
  if (!name?.trim()) throw new UsageError("The resource's name is missing.", example);
  if (name.includes(":")) throw new UsageError("The resource's name comes before its fields.", example);
  if (fields.every((one) => one.trim() === ""))
    throw new UsageError(`Which fields should \`${escapeControl(name)}\` have?`, example);
  const [prefix, under] = [textOf(options.prefix), textOf(options.under)];
  if (prefix !== undefined && under !== undefined)
    throw new UsageError(
      "Use either --prefix or --under.",
      "The path under another resource begins with the prefix of that one.",
    );
  return { name, fields, prefix, guard: textOf(options.guard), under };
}

/** `add_pages_to_books` */
export function readMigrationInput({ words }: CommandInput): MigrationInput {
  const [name, extra] = words;
  const example = "As in: framework generate migration add_pages_to_books";
  if (!name?.trim()) throw new UsageError("The migration's name is missing.", example);
  if (extra !== undefined)
    throw new UsageError(`\`${escapeControl(extra)}\` is too much: a migration has one name.`, example);
  return { name };
}

function textOf(option: CommandInput["options"][string]): string | undefined {
  return typeof option === "string" ? option : undefined;
}
