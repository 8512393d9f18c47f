/** The OpenAPI document and the docs page as they are served: their texts with headers. */

import type { ContractSettings } from "#convention/config/config";
import type { DocsFile } from "#runtime/docs";
import { createSha256 } from "../../sha256.ts";
import { PAGE_FILES } from "./page-files.ts";

/** Where the document is. The page asks for it by a path relative to its own. */
export const DOCUMENT_PATH = "/openapi.json";

/** The files of the page, by where they are served. */
const PAGE: Readonly<Record<string, string>> = {
  "/docs": "page.html",
  "/docs/": "page.html",
  "/docs/page.js": "page.js",
  "/docs/page.css": "page.css",
};

export const PAGE_PATHS: readonly string[] = Object.keys(PAGE);

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

export function toDocumentFile(text: string): DocsFile {
  return toFile(text, "application/json; charset=utf-8");
}

/** @param path one of {@link PAGE_PATHS}. */
export function readPageFile(path: string, settings: ContractSettings | undefined): DocsFile {
  const name = PAGE[path] ?? "";
  const text = PAGE_FILES[name] ?? "";
  const type = TYPES[name.replace(/^.*\./, "")] ?? "";
  if (path !== "/docs" && path !== "/docs/") return toFile(text, type);
  // A browser resolves the paths of the page's files against its address, with or without the slash.
  const placed = path === "/docs/" ? text.replaceAll('"./docs/', '"./') : text;
  return toFile(placed, type, ["Content-Security-Policy", formatPolicy(settings?.servers ?? [])]);
}

/** Nothing comes from elsewhere, and only "try it" reaches the servers that `[contract]` names. */
function formatPolicy(servers: readonly string[]): string {
  const absolute = servers.filter((server) => !server.startsWith("/"));
  const origins = new Set(absolute.map((server) => new URL(server).origin));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["connect-src 'self'", ...origins].join(" "),
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // A text can't become HTML, not even by mistake.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function toFile(text: string, type: string, more: readonly string[] = []): DocsFile {
  const tag = `"${createSha256().update(text).update(more.join()).digest("base64url").slice(0, 22)}"`;
  const headers = ["Content-Type", type, "ETag", tag, "Cache-Control", "no-cache", ...SAFE, ...more];
  return { text, headers, tag };
}

const SAFE: readonly string[] = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer"];
