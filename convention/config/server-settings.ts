/** The `[server]` table of `framework.toml`: each setting with the values that it may have. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { DEFAULT_SETTINGS, type ServerSettings } from "#runtime/settings";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { TomlTable } from "./toml.ts";
import { readScalar, type Scalar } from "./toml-table.ts";

interface Setting extends Scalar {
  readonly name: keyof ServerSettings;
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
  docs: {
    name: "docs",
    wanted: "true or false",
    example: "docs = true",
    kinds: ["boolean"],
    read: (value) => value,
  },
};

export const SERVER_SETTINGS: readonly string[] = Object.keys(SETTINGS);

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
export function readSettings(table: TomlTable | undefined, diagnostics: Diagnostic[]): ServerSettings {
  if (table === undefined) return DEFAULT_SETTINGS;
  const given: Partial<Record<keyof ServerSettings, string | number | boolean>> = {};
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const read = readScalar(table, "server.", key, setting, diagnostics);
    if (read !== undefined) given[setting.name] = read;
  }
  return reconcileTimeouts({ ...DEFAULT_SETTINGS, ...given } as ServerSettings, table, diagnostics);
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
