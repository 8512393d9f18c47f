/** The `[cors]` table of `framework.toml`: which origins may read the answers. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import type { CorsSettings } from "#runtime/settings";
import { diagnose } from "../diagnostics/catalogue.ts";
import { isBadOrigin, parseOrigin } from "./origin.ts";
import type { TomlTable, TomlValue } from "./toml.ts";
import { readScalar, readTexts, type Scalar, type TextArray, textArray } from "./toml-table.ts";

export const CORS_SETTINGS: readonly string[] = ["origins", "credentials", "max_age", "expose"];

const INSIDE = "cors.";
const EVERY = "*";

/** The longest time for which every browser keeps a preflight: Safari no longer than 600 seconds, Chromium 7200, Firefox 86400. */
const DEFAULT_MAX_AGE = 600;
const LONGEST_MAX_AGE = 86_400;

const CREDENTIALS: Scalar = {
  wanted: "true or false",
  example: "credentials = true",
  kinds: ["boolean"],
  read: (value) => value,
};

const MAX_AGE: Scalar = {
  wanted: `a whole number of seconds from 0 to ${LONGEST_MAX_AGE}`,
  example: `max_age = ${DEFAULT_MAX_AGE}`,
  kinds: ["integer"],
  read: (value) => (Number(value) >= 0 && Number(value) <= LONGEST_MAX_AGE ? value : undefined),
};

/** An array that is `["*"]`, or names what it means. */
interface Listing extends TextArray {
  /** What one of the texts names. */
  readonly what: string;
  readonly check: (text: string, location: Location) => readonly Diagnostic[];
}

const ORIGINS: Listing = {
  ...textArray(INSIDE, "origins", "an array of origins", "https://shop.example"),
  what: "origin",
  check: checkOrigin,
};
const EXPOSE: Listing = {
  ...textArray(INSIDE, "expose", "an array of header names", "X-Total-Count"),
  what: "header",
  check: checkHeaderName,
};

function checkOrigin(origin: string, location: Location): Diagnostic[] {
  const parsed = parseOrigin(origin);
  return isBadOrigin(parsed) ? [diagnose("FW117", { origin, ...parsed }, location)] : [];
}

/** RFC 9110 section 5.1. */
function checkHeaderName(name: string, location: Location): Diagnostic[] {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [];
  const example = 'expose = ["X-Total-Count"]';
  const details = {
    key: EXPOSE.key,
    wanted: "an array of header names",
    found: JSON.stringify(name),
    example,
  };
  return [diagnose("FW105", details, location)];
}

/** @returns undefined without `[cors]`, and where it lists no origin that can be used. */
export function readCors(table: TomlTable | undefined, diagnostics: Diagnostic[]): CorsSettings | undefined {
  if (table === undefined) return undefined;
  const { entries, location } = table;
  const credentials = readScalar(table, INSIDE, "credentials", CREDENTIALS, diagnostics) === true;
  const maxAge = readScalar(table, INSIDE, "max_age", MAX_AGE, diagnostics) ?? DEFAULT_MAX_AGE;
  const allowed = credentials ? entries.get("credentials")?.location : undefined;
  const origins = readListing(entries.get("origins")?.value, ORIGINS, allowed, diagnostics);
  const expose = readListing(entries.get("expose")?.value, EXPOSE, allowed, diagnostics);
  if (isMissing(entries.get("origins")?.value)) diagnostics.push(diagnose("FW118", {}, location));
  return origins.length === 0 ? undefined : { origins, credentials, maxAge: Number(maxAge), expose };
}

function isMissing(origins: TomlValue | undefined): boolean {
  return origins === undefined || (origins.kind === "array" && origins.items.length === 0);
}

/** @param credentials where they are allowed, if they are. */
function readListing(
  value: TomlValue | undefined,
  wanted: Listing,
  credentials: Location | undefined,
  diagnostics: Diagnostic[],
): string[] {
  const { key, what, check } = wanted;
  const texts = readTexts(value, wanted, diagnostics);
  const wrong = [...texts].flatMap(([text, location]) => (text === EVERY ? [] : check(text, location)));
  diagnostics.push(...wrong);
  const every = texts.get(EVERY);
  if (every !== undefined && texts.size > 1) diagnostics.push(diagnose("FW121", { key }, every));
  if (every !== undefined && credentials !== undefined)
    diagnostics.push(diagnose("FW119", { key, what }, every, credentials));
  return wrong.length === 0 ? [...texts.keys()] : [];
}
