/** Finds what means something else once all modules are one file: a module's own place, and what is loaded by a computed name. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { PackageUse } from "#convention/diagnostics/catalogue/building";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareLocations } from "#convention/diagnostics/order";
import type { Location } from "#runtime/routing/route";
import { locateOffset, packageOf, toPath } from "../load/project-files.ts";
import { isInside, isName, isNode, type Node, parseNodes, type TextPlugin, textOf } from "./syntax.ts";

export interface Places {
  readonly plugin: TextPlugin;
  /**
   * @param rendered gives what the built file has of a module: the rest of a package is harmless.
   * @param placeOf the line of the project that leads to a module.
   * @returns each place in the project's own files, and the first one of each kind in a package.
   */
  diagnostics(rendered: (id: string) => string, placeOf: (id: string) => Location | undefined): Diagnostic[];
}

type Code = "FW704" | "FW705";

interface Found {
  readonly id: string;
  readonly code: Code;
  readonly text: string;
  readonly location: Location;
}

/** In a module's own text, or in what the bundler makes of it: there, `require` is `__require`. */
const SUSPECT =
  /\bimport\s*\.\s*meta\b|\b__(?:dirname|filename)\b|\b(?:import|(?:__)?require)\s*\(\s*(?!["'])|\b(?:__)?require\s*\.\s*resolve\b/;

/** @param toOwnFile the path of a file of the project, and undefined for anyone else's. */
export function watchPlaces(root: string, toOwnFile: (id: string) => string | undefined): Places {
  const found: Found[] = [];
  return {
    plugin: {
      name: "framework-places",
      transform(code, id) {
        const file = toOwnFile(id);
        if ((file === undefined && packageOf(id) === undefined) || !SUSPECT.test(code)) return undefined;
        const nodes = parseNodes(this, code, id);
        for (const [warning, node] of findIn(nodes, code, file === undefined || COMMON_JS.test(file))) {
          const location = locateOffset(file ?? toPath(root, id), code, node.start);
          found.push({ id, code: warning, text: code.slice(node.start, node.end), location });
        }
        return undefined;
      },
    },
    diagnostics(rendered, placeOf) {
      const own = found.filter(({ id }) => packageOf(id) === undefined);
      const others = found.filter(({ id }) => packageOf(id) !== undefined && SUSPECT.test(rendered(id)));
      return [
        ...own.map(({ code, text, location }) => diagnose(code, { text }, location)),
        ...firstOfEach(others).map(({ id, code, text, location }) => {
          const use: PackageUse = { name: packageOf(id) ?? "", place: `${location.file}:${location.line}` };
          return diagnose(code, { text, use }, placeOf(id) ?? location);
        }),
      ];
    },
  };
}

const COMMON_JS = /\.c[jt]s$/;

/** @param mayBeCommonJs false where only what Node gives to an ES module is meant. */
function findIn(nodes: readonly Node[], code: string, mayBeCommonJs: boolean): [Code, Node][] {
  // A bundle in a package hands its own `require` around.
  const handed = nodes.filter(
    ({ params }) => Array.isArray(params) && params.some((it) => isName(it, "require")),
  );
  const names = new Set(nodes.flatMap(nameOnly));
  return nodes.flatMap((node): [Code, Node][] => {
    if (node.type === "MemberExpression" && META.test(code.slice(node.start, node.end)))
      return [["FW704", node]];
    if (node.type === "ImportExpression") return textOf(node.source) === undefined ? [["FW705", node]] : [];
    if (!mayBeCommonJs || isInside(node, handed) || names.has(node)) return [];
    if (isName(node, "__dirname") || isName(node, "__filename")) return [["FW704", node]];
    return isComputedRequire(node) ? [["FW705", node]] : [];
  });
}

const META = /^import\.meta\.(?:url|dirname|filename)$/;

/** @returns the parts of a node that are names and not values: `a.__dirname`, `{ __dirname: 1 }`, `typeof __dirname`. */
function nameOnly(node: Node): unknown[] {
  if (node.type === "MemberExpression") return node.computed === true ? [] : [node.property];
  if (node.type === "Property") return node.computed === true || node.shorthand === true ? [] : [node.key];
  return node.type === "UnaryExpression" && node.operator === "typeof" ? [node.argument] : [];
}

function isComputedRequire({ type, callee, arguments: words }: Node): boolean {
  if (type !== "CallExpression" || !isNode(callee) || !Array.isArray(words)) return false;
  if (isName(callee, "require")) return words.length > 0 && textOf(words[0]) === undefined;
  return (
    callee.type === "MemberExpression" &&
    isName(callee.object, "require") &&
    isName(callee.property, "resolve")
  );
}

/** By package and code; whichever the bundler came to first. */
function firstOfEach(found: readonly Found[]): Found[] {
  const sorted = [...found].sort((one, other) => compareLocations(other.location, one.location));
  return [...new Map(sorted.map((one) => [`${packageOf(one.id)} ${one.code}`, one])).values()];
}
