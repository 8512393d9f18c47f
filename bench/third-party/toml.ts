/** toml-test by the TOML authors: what a reader of TOML 1.0 must accept, with the values it must find, and what it must refuse. */

import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isToml, parseToml, type TomlTable, type TomlValue } from "#convention/config/toml";
import type { Outcome } from "./main.ts";
import { fetchSource } from "./sources.ts";

export async function tomlCases(): Promise<Outcome> {
  const folder = join(await fetchSource("toml-test"), "tests");
  const files = readFileSync(join(folder, "files-toml-1.0.0"), "utf8").split("\n");
  const documents = files.filter((file) => file.endsWith(".toml"));
  const failures = documents.flatMap((file) => {
    const why = file.startsWith("valid/") ? findLoss(join(folder, file)) : findLaxity(join(folder, file));
    return why === undefined ? [] : [`${file}: ${why}`];
  });
  const invalid = documents.filter((file) => file.startsWith("invalid/")).length;
  const missed = failures.filter((failure) => failure.startsWith("invalid/")).length;
  const valid = documents.length - invalid;
  const lost = failures.length - missed;
  console.log(
    `toml-test: accepts ${valid - lost} of ${valid} valid, refuses ${invalid - missed} of ${invalid} invalid`,
  );
  return { cases: documents.length, failures };
}

/** As the project's files are read: bytes that are no UTF-8 are refused before, and a byte order mark is left out. */
function read(path: string): TomlTable | string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) return "it is no UTF-8";
  const parsed = parseToml(bytes.toString("utf8").replace(/^\uFEFF/, ""), path);
  return isToml(parsed) ? parsed : parsed.message;
}

function findLoss(path: string): string | undefined {
  const found = read(path);
  if (typeof found === "string") return found;
  const wanted = toWanted(JSON.parse(readFileSync(path.replace(/toml$/, "json"), "utf8")));
  return isDeepStrictEqual(toPlain(found), wanted) ? undefined : `${JSON.stringify(toPlain(found))} is read`;
}

function findLaxity(path: string): string | undefined {
  const found = read(path);
  return typeof found === "string" ? undefined : `${JSON.stringify(toPlain(found))} is read`;
}

function toPlain(value: TomlValue): unknown {
  if (value.kind === "array") return value.items.map(toPlain);
  if (value.kind === "table") {
    return Object.fromEntries([...value.entries].map(([key, entry]) => [`.${key}`, toPlain(entry.value)]));
  }
  return toScalar(value.kind, String(value.value));
}

type Tagged = { readonly type: string; readonly value: string };

function isTagged(value: object): value is Tagged {
  return (
    "type" in value && "value" in value && typeof value.type === "string" && typeof value.value === "string"
  );
}

function toWanted(value: object): unknown {
  if (Array.isArray(value)) return value.map(toWanted);
  if (isTagged(value)) return toScalar(/date|time/.test(value.type) ? "date" : value.type, value.value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`.${key}`, toWanted(inner)]));
}

/** Numbers by value: our configuration has none beyond what a double holds. */
function toScalar(kind: string, text: string): string {
  if (kind === "integer" || kind === "float")
    return `number ${Number(text.replace(/^([+-]?)inf$/i, "$1Infinity"))}`;
  if (kind === "date")
    return `date ${text
      .toUpperCase()
      .replace(" ", "T")
      .replace(/(\.\d*?)0+(?!\d)/, "$1")}`;
  return `${kind.replace(/^bool$/, "boolean")} ${text}`;
}
