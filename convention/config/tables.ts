/** The tables of `framework.toml` with their keys, and where to write a key that is in the wrong place. */

import { CONFIG_FILE } from "#runtime/project-root";
import { BUILD_SETTINGS } from "./build-settings.ts";
import { CONTRACT_SETTINGS } from "./contract-settings.ts";
import { CORS_SETTINGS } from "./cors-settings.ts";
import { DEV_SETTINGS } from "./dev-settings.ts";
import { EXPOSURE_SETTINGS } from "./exposure.ts";
import { SERVER_SETTINGS } from "./server-settings.ts";
import type { TableKeys } from "./toml-table.ts";

type Elsewhere = TableKeys["elsewhere"];

export type TableName = "server" | "cors" | "exposure" | "contract" | "build" | "dev";

const TABLES: Readonly<Record<TableName, readonly string[]>> = {
  server: SERVER_SETTINGS,
  cors: CORS_SETTINGS,
  exposure: EXPOSURE_SETTINGS,
  contract: CONTRACT_SETTINGS,
  build: BUILD_SETTINGS,
  dev: DEV_SETTINGS,
};
const TABLE_NAMES: readonly string[] = Object.keys(TABLES);

const BELOW: Elsewhere = Object.entries(TABLES).map(([name, keys]) => {
  return { keys, place: `below \`[${name}]\`` };
});

export const PROJECT_KEYS: TableKeys = { known: ["apps", ...TABLE_NAMES], inside: "", elsewhere: BELOW };

/** For `app.toml`. */
export const OF_FRAMEWORK_TOML: Elsewhere = [
  ...BELOW.map(({ keys, place }) => ({ keys, place: `${place} in ${CONFIG_FILE}` })),
  { keys: TABLE_NAMES, place: `in ${CONFIG_FILE}` },
];

export function keysOf(name: TableName): TableKeys {
  const above = `above \`[${name}]\`, because all keys below it belong to it`;
  const others = TABLE_NAMES.map((table) => ({ keys: [table], place: `as the table \`[${table}]\`` }));
  return {
    known: TABLES[name],
    inside: `${name}.`,
    elsewhere: [...BELOW, { keys: ["apps"], place: above }, ...others],
  };
}
