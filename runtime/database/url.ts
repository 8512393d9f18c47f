/** Parses database URLs. */

import { resolve } from "node:path";
import { Problem } from "#runtime/problem";
import { findProjectRoot } from "#runtime/project-root";

export type Target =
  | {
      readonly engine: "sqlite";
      /** An absolute path; undefined for a database in memory. */
      readonly path: string | undefined;
    }
  | { readonly engine: "postgres"; readonly url: string };

const EXAMPLES = "Use one like sqlite:data/app.db or postgres://user:password@host:5432/name.";

/**
 * @param from the base folder of a relative path. If it is in a project, the project's root is used instead.
 * @throws {Problem} for any other URL. The message contains no password.
 * @example parseDatabaseUrl("sqlite:data/app.db", "/srv/shop") // { engine: "sqlite", path: "/srv/shop/data/app.db" }
 */
export function parseDatabaseUrl(url: string, from: string): Target {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "sqlite":
      return { engine: "sqlite", path: toPath(rest, from) };
    case "postgres":
    case "postgresql":
      if (!rest.startsWith("//") || !URL.canParse(url.trim()))
        throw new Problem(
          "The database URL is not valid.",
          "It has the form postgres://user:password@host:5432/name. Write special characters of the password as %23 for #.",
        );
      return { engine: "postgres", url: url.trim() };
    case "":
      throw new Problem(
        url.trim() === "" ? "The database URL is empty." : "The database URL has no scheme.",
        EXAMPLES,
      );
    default:
      throw new Problem(`The database URL begins with ${scheme}:, which is not a known engine.`, EXAMPLES);
  }
}

/** Accepts two slashes before the path, too, as other tools write them. */
function toPath(rest: string, from: string): string | undefined {
  const path = rest.replace(/^\/\/(?=.)/, "");
  if (path === ":memory:") return undefined;
  if (path.includes("?"))
    throw new Problem("The URL of a SQLite database takes no settings after `?`.", EXAMPLES);
  if (path === "" || /[\\/]$/.test(path)) throw new Problem("The database URL names no file.", EXAMPLES);
  return resolve(findProjectRoot(from) ?? from, path);
}
