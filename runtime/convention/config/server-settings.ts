/** The `[server]` table of `framework.toml`: each setting with the values that it may have. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { DEFAULT_SETTINGS, type ServerSettings } from "#runtime/core/settings";
import { diagnose } from "../diagnostics/catalogue.ts";
import { describeToml, type TomlEntry, type TomlTable, type TomlValue } from "./toml.ts";
import { readTable, type TableKeys } from "./toml-table.ts";

interface Setting {
  readonly name: keyof ServerSettings;
  readonly wanted: string;
  readonly example: string;
  readonly kinds: readonly TomlValue["kind"][];
  /** @returns the setting, or undefined for a value out of range. */
  readonly read: (value: string | number | boolean) => string | number | boolean | undefined;
}

/** setTimeout takes at most 2^31 − 1 milliseconds; a longer one would end at once. */
const LONGEST_TIMEOUT = 2_147_483;

const SETTINGS: Readonly<Record<string, Setting>> = {
  host: {
    name: "host",
    wanted: "a host name or an address, without a port",
    example: 'host = "0.0.0.0"',
    kinds: ["string"],
    read: (value) => (isHost(String(value)) ? value : undefined),
  },
  port: {
    name: "port",
    wanted: "a whole number from 0 to 65535",
    example: "port = 8000",
    kinds: ["integer"],
    read: (value) => within(Number(value), 0, 65_535),
  },
  body_limit: {
    name: "bodyLimit",
    wanted: 'a number of bytes, or a size such as "1 MiB"',
    example: 'body_limit = "1 MiB"',
    kinds: ["integer", "string"],
    read: (value) =>
      typeof value === "string" ? parseSize(value) : within(Number(value), 0, Number.MAX_SAFE_INTEGER),
  },
  headers_timeout: timeoutSetting("headersTimeout", "headers_timeout = 15"),
  request_timeout: timeoutSetting("requestTimeout", "request_timeout = 60"),
  handler_timeout: {
    ...timeoutSetting("handlerTimeout", "handler_timeout = 120", 0),
    wanted: `a number of seconds, at most ${LONGEST_TIMEOUT}, or 0 for no limit`,
  },
  keep_alive_timeout: timeoutSetting("keepAliveTimeout", "keep_alive_timeout = 65"),
  shutdown_timeout: timeoutSetting("shutdownTimeout", "shutdown_timeout = 10"),
  health: {
    name: "health",
    wanted: 'a path of letters, digits, `-`, `_`, `.` and `~` without a slash at its end, or "" for none',
    example: 'health = "/healthz"',
    kinds: ["string"],
    read: (value) => (isHealthPath(String(value)) ? value : undefined),
  },
  access_log: {
    name: "accessLog",
    wanted: "true or false",
    example: "access_log = true",
    kinds: ["boolean"],
    read: (value) => value,
  },
};

export const SERVER_SETTINGS: readonly string[] = Object.keys(SETTINGS);

const SERVER_KEYS: TableKeys = {
  known: SERVER_SETTINGS,
  inside: "server.",
  elsewhere: { keys: ["apps"], place: "above `[server]`, because all keys below it belong to it" },
};

function timeoutSetting(name: keyof ServerSettings, example: string, least = 0.001): Setting {
  return {
    name,
    wanted: `a number of seconds above 0, at most ${LONGEST_TIMEOUT}`,
    example,
    kinds: ["integer", "float"],
    read: (value) => within(Number(value), least, LONGEST_TIMEOUT),
  };
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

function isHost(text: string): boolean {
  return (
    /^(?:[\w.-]+|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%\w+)?\]?)$/.test(text) && !/^[\w.-]+:\d+$/.test(text)
  );
}

/** The server compares it with the path as it was sent, so it may have only one spelling. */
function isHealthPath(text: string): boolean {
  return /^(?:\/[\w~-][\w.~-]*)*$/.test(text);
}

const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/**
 * @returns bytes; undefined for anything but a size that is a whole number of bytes.
 * @example parseSize("1.5 MiB") // 1572864
 */
export function parseSize(text: string): number | undefined {
  const match = /^([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([A-Za-z]{0,3})$/.exec(text.trim());
  const unit = SIZE_UNITS[(match?.[2] || "b").toLowerCase()];
  const bytes = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Where a setting is wrong, the default replaces it. */
export function readSettings(server: TomlEntry | undefined, diagnostics: Diagnostic[]): ServerSettings {
  const table = readTable(server?.value, SERVER_KEYS, diagnostics);
  if (table === undefined) return DEFAULT_SETTINGS;
  const given: Partial<Record<keyof ServerSettings, string | number | boolean>> = {};
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const value = table.entries.get(key)?.value;
    if (value === undefined) continue;
    const fits = "value" in value && setting.kinds.includes(value.kind);
    const read = fits ? setting.read(value.value) : undefined;
    if (read === undefined) diagnostics.push(diagnoseSetting(key, value, setting));
    else given[setting.name] = read;
  }
  return reconcileTimeouts({ ...DEFAULT_SETTINGS, ...given } as ServerSettings, table, diagnostics);
}

function diagnoseSetting(key: string, value: TomlValue, { kinds, wanted, example }: Setting): Diagnostic {
  const found = "value" in value ? formatScalar(value.value) : describeToml(value);
  const code = kinds.includes(value.kind) ? "FW105" : "FW104";
  return diagnose(code, { key: `server.${key}`, wanted, found, example }, value.location);
}

function formatScalar(value: string | number | boolean): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Node throws where headersTimeout > requestTimeout: a default gives way, and what the user wrote is reported. */
function reconcileTimeouts(
  settings: ServerSettings,
  table: TomlTable,
  diagnostics: Diagnostic[],
): ServerSettings {
  const { headersTimeout, requestTimeout } = settings;
  if (headersTimeout <= requestTimeout) return settings;
  const headers = table.entries.get("headers_timeout");
  if (headers !== undefined) {
    diagnostics.push(
      diagnose("FW106", { headers: headersTimeout, request: requestTimeout }, headers.value.location),
    );
  }
  return { ...settings, headersTimeout: requestTimeout };
}
