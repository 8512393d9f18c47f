/** For tests: projects whose results are inferred, and types as one would write them. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFolder, type ProjectFiles } from "#convention/folder.fixture";
import { readSources, type Sources } from "#convention/project";
import type { Member, TypeExpression } from "#convention/source/module";
import type { ScopedType } from "#convention/wire/scope";

export const VIEWS = "apps/shop/views.ts";

/** As in a created project, but for the framework, of which the results need only the types of some. */
const FRAMEWORK = `
export type int = number;
export type Body<T> = T;
export type From<F extends (...given: never) => unknown> = Awaited<ReturnType<F>>;
export declare class Request { json(): Promise<unknown>; }
export type Next = () => Promise<Response>;
export declare class HttpError extends Error { constructor(status: number, message: string); }
export declare class Reply<out T = unknown, out S extends number = number> { readonly value: T; readonly status: S; }
export declare function reply<const S extends number, T>(value: T, status: S): Reply<T, S>;
export declare class EventStream<out T> { readonly of: T; }
export declare function events<T>(source: AsyncIterable<T>): EventStream<T>;
`;

export const SETTINGS: { readonly compilerOptions: object; readonly include: readonly string[] } = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    paths: { framework: ["./vendor/framework/index.d.ts"] },
  },
  include: ["apps", "routes"],
};

const BASE: ProjectFiles = {
  "framework.toml": 'apps = ["shop"]\n',
  "apps/shop/app.toml": '[app]\nprefix = "/"\n',
  "package.json": JSON.stringify({ type: "module", imports: { "#*": "./*" } }),
  "tsconfig.json": JSON.stringify(SETTINGS),
  "vendor/framework/index.d.ts": FRAMEWORK,
};

const PACKAGES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** @returns its root; whoever makes it removes it. */
export function createProject(files: ProjectFiles, isInstalled: boolean = true): string {
  const root = createFolder({ ...BASE, ...files });
  if (isInstalled) symlinkSync(PACKAGES, join(root, "node_modules"), "junction");
  return root;
}

/** @throws for a project with errors: a test is to be of one without. */
export function readSound(root: string): Sources {
  const sources = readSources(root);
  const [error] = sources.project.diagnostics.filter(({ severity }) => severity === "error");
  if (error) throw new Error(`${error.message} ${JSON.stringify(error.locations)}`);
  return sources;
}

/** Names that the project can't write are followed to what they mean. */
export function formatType({ type, scope }: ScopedType): string {
  return format(type);

  function format(inner: TypeExpression): string {
    switch (inner.kind) {
      case "name": {
        const [name = ""] = inner.path;
        const given = scope.parameters.get(name);
        if (given) return `${given.scope.module.file}#${formatType(given)}`;
        return inner.path.join(".") + formatArguments(inner.arguments);
      }
      case "import":
        return `import("${inner.from}").${inner.path.join(".")}${formatArguments(inner.arguments)}`;
      case "union":
        return inner.of.map(format).join(" | ");
      case "intersection":
        return inner.of.map(format).join(" & ");
      case "array":
        return `${inner.items.kind === "union" ? `(${format(inner.items)})` : format(inner.items)}[]`;
      case "tuple":
        return `[${inner.items.map((item) => format(item.type)).join(", ")}]`;
      case "object":
        return `{ ${inner.members.map(formatMember).join("; ")} }`;
      default:
        return inner.text;
    }
  }

  function formatArguments(given: readonly TypeExpression[]): string {
    return given.length === 0 ? "" : `<${given.map(format).join(", ")}>`;
  }

  function formatMember(member: Member): string {
    if (member.kind === "other") return member.what;
    if (member.kind === "index") return `[${format(member.key)}]: ${format(member.type)}`;
    return `${member.name}${member.optional ? "?" : ""}: ${member.type ? format(member.type) : "any"}`;
  }
}
