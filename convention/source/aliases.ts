/** Resolves specifiers that begin with `#` by `imports` in package.json, with Node's algorithm. */

import { posix } from "node:path";
import { PACKAGE_FILE } from "../layout.ts";
import { isRecord } from "./record.ts";

/** Node's default conditions for an `import`. */
const RUN_TIME: ReadonlySet<string> = new Set(["node", "import", "module-sync", "node-addons", "default"]);
export const TYPE_CHECK: ReadonlySet<string> = new Set([...RUN_TIME, "types"]);

export interface Aliases {
  /**
   * @param from the importing file; its nearest package.json applies.
   * @param forTypes resolves as a type checker does, with the condition `types`.
   * @returns the target path, relative or absolute like `from`; undefined for a package and for an unknown alias.
   * @example find("routes/admin/users.ts", "#lib/auth.ts") // "lib/auth.ts" by { "#*": "./*" }
   */
  find(from: string, specifier: string, forTypes?: boolean): string | undefined;
}

export function isAlias(specifier: string): boolean {
  return specifier.startsWith("#");
}

/** @param read returns the text of a file, by a relative or absolute path with forward slashes; undefined for a missing file. */
export function createAliases(read: (file: string) => string | undefined): Aliases {
  const packages = new Map<string, Package | undefined>();

  function packageOf(folder: string): Package | undefined {
    if (packages.has(folder)) return packages.get(folder);
    const text = read(posix.join(folder, PACKAGE_FILE));
    const above = posix.dirname(folder);
    let found: Package | undefined;
    if (text !== undefined) {
      const { imports } = parsePackage(text);
      found = { folder, imports: isRecord(imports) ? imports : {} };
    } else if (above !== folder) found = packageOf(above);
    packages.set(folder, found);
    return found;
  }

  return {
    find(from, specifier, forTypes = false) {
      const found = packageOf(posix.dirname(from));
      const target = found && resolveEntry(found.imports, specifier, forTypes ? TYPE_CHECK : RUN_TIME);
      return found && target?.startsWith("./") ? posix.join(found.folder, target) : undefined;
    },
  };
}

interface Package {
  readonly folder: string;
  readonly imports: Readonly<Record<string, unknown>>;
}

/** @returns the fields of a package.json; none if it is malformed, because Node reports that error. */
export function parsePackage(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** PACKAGE_IMPORTS_EXPORTS_RESOLVE of Node's documentation: an exact key first, then the pattern with the longest prefix. */
export function resolveEntry(
  imports: Readonly<Record<string, unknown>>,
  specifier: string,
  conditions: ReadonlySet<string>,
): string | null | undefined {
  if (specifier.endsWith("/")) return undefined;
  if (Object.hasOwn(imports, specifier) && !specifier.includes("*"))
    return resolveTarget(imports[specifier], "", conditions);
  const pattern = Object.keys(imports)
    .filter((key) => matches(key, specifier))
    .sort((one, other) => other.indexOf("*") - one.indexOf("*") || other.length - one.length)[0];
  if (pattern === undefined) return undefined;
  const [before = "", after = ""] = pattern.split("*");
  return resolveTarget(
    imports[pattern],
    specifier.slice(before.length, specifier.length - after.length),
    conditions,
  );
}

function matches(pattern: string, specifier: string): boolean {
  const [before = "", after, ...more] = pattern.split("*");
  if (after === undefined || more.length > 0) return false;
  return (
    specifier.length >= pattern.length &&
    specifier !== before &&
    specifier.startsWith(before) &&
    specifier.endsWith(after)
  );
}

/** Path segments that Node refuses in a target, so that an alias can't escape the package. */
const REFUSED = /(?:^|[/\\])(?:\.\.?|node_modules)(?:[/\\]|$)/i;

/** @returns null for a refused target, which ends the search among conditions. */
function resolveTarget(
  target: unknown,
  matched: string,
  conditions: ReadonlySet<string>,
): string | null | undefined {
  if (typeof target === "string") {
    const isRefused = REFUSED.test(matched) || REFUSED.test(target.replace(/^\.\//, ""));
    return isRefused ? null : target.replaceAll("*", () => matched);
  }
  if (Array.isArray(target))
    return target.map((one) => resolveTarget(one, matched, conditions)).find((one) => one != null);
  if (!isRecord(target)) return null;
  const chosen = Object.entries(target).filter(([condition]) => conditions.has(condition));
  return chosen.map(([, one]) => resolveTarget(one, matched, conditions)).find((one) => one !== undefined);
}
