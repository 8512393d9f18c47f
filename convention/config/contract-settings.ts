/** The `[contract]` table of `framework.toml`: what the contract says about the API as a whole. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { isBadServer, parseServer } from "./server-address.ts";
import type { TomlTable } from "./toml.ts";
import { readScalar, readTexts, type Scalar, type TextArray, textArray } from "./toml-table.ts";

export interface ContractSettings {
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly servers?: readonly string[];
  /** The file of the client that dev keeps current, relative to the project. */
  readonly client?: string;
}

const OF_CONTRACT = "contract.";

/** What the table has one value of. */
type Text = Exclude<keyof ContractSettings, "servers">;

const TEXTS: Readonly<Record<Text, Scalar>> = {
  title: lineSetting('title = "Shop"'),
  version: lineSetting('version = "1.0.0"'),
  description: {
    wanted: "a text in Markdown",
    example: 'description = "Products and orders."',
    kinds: ["string"],
    read: (value) => String(value).trim() || undefined,
  },
  client: {
    wanted: "the path of a TypeScript file",
    example: 'client = "../web/src/api.ts"',
    kinds: ["string"],
    read: (value) => (/^[^\p{Cc}]*[^\p{Cc}\\/.]\.[cm]?ts$/u.test(String(value)) ? value : undefined),
  },
};

const SERVERS: TextArray = textArray(
  OF_CONTRACT,
  "servers",
  "an array of URLs or paths",
  "https://api.example",
);

export const CONTRACT_SETTINGS: readonly string[] = [...Object.keys(TEXTS), "servers"];

function lineSetting(example: string): Scalar {
  const read: Scalar["read"] = (value) => {
    const line = String(value).trim();
    return /^[^\p{Cc}\u2028\u2029]{1,100}$/u.test(line) ? line : undefined;
  };
  return { wanted: "one line of 1 to 100 printable characters", example, kinds: ["string"], read };
}

export function readContractSettings(
  table: TomlTable | undefined,
  diagnostics: Diagnostic[],
): ContractSettings | undefined {
  if (table === undefined) return undefined;
  const texts = Object.entries(TEXTS).flatMap(([key, setting]) => {
    const read = readScalar(table, OF_CONTRACT, key, setting, diagnostics);
    return read === undefined ? [] : [[key, read] as const];
  });
  const servers = [...readTexts(table.entries.get("servers")?.value, SERVERS, diagnostics)];
  const good = servers.flatMap(([server, location]) => {
    const parsed = parseServer(server);
    if (!isBadServer(parsed)) return [parsed];
    diagnostics.push(diagnose("FW123", { server, ...parsed }, location));
    return [];
  });
  return { ...Object.fromEntries(texts), ...(servers.length > 0 && { servers: good }) };
}
