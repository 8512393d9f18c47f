/** The project's configuration: `framework.toml` and each app's `app.toml`, with everything that is wrong in them. */

import type { Location } from "../core/route.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "../core/settings.ts";
import { diagnose } from "./catalogue.ts";
import { closest } from "./closest.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { Files } from "./files.ts";
import { formatPrefix, isRefusal, parsePrefix } from "./naming.ts";
import { CONFIG_FILE } from "./root.ts";
import { describeToml, isToml, parseToml, type TomlEntry, type TomlTable, type TomlValue } from "./toml.ts";

export const APPS_FOLDER = "apps";
export const VIEWS_FILE = "views.ts";
export const ROUTES_FOLDER = "routes";

export interface App {
  readonly name: string;
  /** As in `apps/products`. */
  readonly folder: string;
  /** "" for the root, else with a leading and without a trailing slash: `/api/v1/products`. */
  readonly prefix: string;
  /** Where `framework.toml` lists it. */
  readonly location: Location;
}

export interface Config {
  readonly settings: ServerSettings;
  /** In the order of `framework.toml`; without those that can't be read at all. */
  readonly apps: readonly App[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads `framework.toml` and every listed app's `app.toml`. What is wrong is told and the default stands in its place. */
export function readConfig(files: Files): Config {
  const top: Location = { file: CONFIG_FILE, line: 1, column: 1 };
  const text = files.read(CONFIG_FILE);
  if (text === undefined) {
    const diagnostics = files.has(CONFIG_FILE) ? [] : [diagnose("FW101", {}, top)];
    return { settings: DEFAULT_SETTINGS, apps: [], diagnostics };
  }
  const table = parseToml(text, CONFIG_FILE);
  if (!isToml(table)) return { settings: DEFAULT_SETTINGS, apps: [], diagnostics: [table] };
  const diagnostics = refuseUnknownKeys(table, ["apps", "server"], "");
  const settings = readSettings(table.entries.get("server"), diagnostics);
  const apps = readApps(files, table.entries.get("apps"), diagnostics);
  return { settings, apps, diagnostics };
}

function refuseUnknownKeys(table: TomlTable, known: readonly string[], inside: string): Diagnostic[] {
  const unknown = [...table.entries].filter(([key]) => !known.includes(key));
  return unknown.map(([key, { location }]) =>
    diagnose("FW103", { key: `${inside}${key}`, nearest: closest(key, known), known }, location),
  );
}

interface Setting {
  readonly name: keyof ServerSettings;
  readonly wanted: string;
  readonly example: string;
  readonly kinds: readonly TomlValue["kind"][];
  /** @returns the setting, or undefined for a value of a wrong type or out of range. */
  readonly read: (value: TomlValue) => string | number | boolean | undefined;
}

/** setTimeout takes at most 2^31 − 1 milliseconds; a longer one would end at once. */
const LONGEST_TIMEOUT = 2_147_483;

const SETTINGS: Readonly<Record<string, Setting>> = {
  host: {
    name: "host",
    wanted: "a host name or an address, without a port",
    example: 'host = "0.0.0.0"',
    kinds: ["string"],
    read: (value) =>
      value.kind === "string" && isHost(String(value.value)) ? String(value.value) : undefined,
  },
  port: {
    name: "port",
    wanted: "a whole number from 0 to 65535",
    example: "port = 8000",
    kinds: ["integer"],
    read: (value) => (value.kind === "integer" ? within(Number(value.value), 0, 65_535) : undefined),
  },
  body_limit: {
    name: "bodyLimit",
    wanted: 'a number of bytes, or a size such as "1 MiB"',
    example: 'body_limit = "1 MiB"',
    kinds: ["integer", "string"],
    read: (value) => {
      if (value.kind === "string") return parseSize(String(value.value));
      return value.kind === "integer" ? within(Number(value.value), 0, Number.MAX_SAFE_INTEGER) : undefined;
    },
  },
  headers_timeout: timeoutSetting("headersTimeout", "headers_timeout = 15"),
  request_timeout: timeoutSetting("requestTimeout", "request_timeout = 60"),
  handler_timeout: {
    ...timeoutSetting("handlerTimeout", "handler_timeout = 120"),
    wanted: `a number of seconds, at most ${LONGEST_TIMEOUT}, or 0 for no limit`,
    read: (value) =>
      value.kind === "integer" || value.kind === "float"
        ? within(Number(value.value), 0, LONGEST_TIMEOUT)
        : undefined,
  },
  keep_alive_timeout: timeoutSetting("keepAliveTimeout", "keep_alive_timeout = 65"),
  shutdown_timeout: timeoutSetting("shutdownTimeout", "shutdown_timeout = 10"),
  health: {
    name: "health",
    wanted: "a path that begins with a slash",
    example: 'health = "/healthz"',
    kinds: ["string"],
    read: (value) =>
      value.kind === "string" && isPlainPath(String(value.value)) ? String(value.value) : undefined,
  },
  access_log: {
    name: "accessLog",
    wanted: "true or false",
    example: "access_log = true",
    kinds: ["boolean"],
    read: (value) => (value.kind === "boolean" ? value.value === true : undefined),
  },
};

function timeoutSetting(name: keyof ServerSettings, example: string): Setting {
  return {
    name,
    wanted: `a number of seconds above 0, at most ${LONGEST_TIMEOUT}`,
    example,
    kinds: ["integer", "float"],
    read: (value) =>
      value.kind === "integer" || value.kind === "float"
        ? within(Number(value.value), 0.001, LONGEST_TIMEOUT)
        : undefined,
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

/** Compared with the path as it was sent: so only what has no other spelling. */
function isPlainPath(text: string): boolean {
  return /^(?:\/[\w~-][\w.~-]*)+$/.test(text);
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
 * @returns bytes; undefined for what is no size or no whole number of bytes.
 * @example parseSize("1.5 MiB") // 1572864
 */
export function parseSize(text: string): number | undefined {
  const match = /^([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([A-Za-z]{0,3})$/.exec(text.trim());
  const unit = SIZE_UNITS[(match?.[2] || "b").toLowerCase()];
  const bytes = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

function readSettings(server: TomlEntry | undefined, diagnostics: Diagnostic[]): ServerSettings {
  if (server === undefined) return DEFAULT_SETTINGS;
  const { value: table } = server;
  if (table.kind !== "table") {
    const wanted = { key: "server", wanted: "a table", found: describeToml(table), example: "[server]" };
    diagnostics.push(diagnose("FW104", wanted, table.location));
    return DEFAULT_SETTINGS;
  }
  diagnostics.push(...refuseUnknownKeys(table, Object.keys(SETTINGS), "server."));
  const given: Partial<Record<keyof ServerSettings, string | number | boolean>> = {};
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const value = table.entries.get(key)?.value;
    if (value === undefined) continue;
    const read = setting.read(value);
    if (read === undefined) diagnostics.push(refuseSetting(key, value, setting));
    else given[setting.name] = read;
  }
  return reconcileTimeouts({ ...DEFAULT_SETTINGS, ...given } as ServerSettings, table, diagnostics);
}

function refuseSetting(key: string, value: TomlValue, { kinds, wanted, example }: Setting): Diagnostic {
  const found = "value" in value ? formatScalar(value.value) : describeToml(value);
  const code = kinds.includes(value.kind) ? "FW105" : "FW104";
  return diagnose(code, { key: `server.${key}`, wanted, found, example }, value.location);
}

function formatScalar(value: string | number | boolean): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Node refuses headersTimeout > requestTimeout with an exception; a default gives way, what is written is told. */
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

/** Why an app can't be called so, and what to do. */
export interface AppNameRefusal {
  readonly refusal: string;
  readonly hint: string;
}

const APP_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_APP_NAME = 100;
/** Windows opens a device of that name, in every folder and with any ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export function isAppName(name: string): boolean {
  return refuseAppName(name) === undefined;
}

/**
 * An app's name is that of its folder, which has to be one on every system, and one that holds sources.
 *
 * @example refuseAppName("products") // undefined
 */
export function refuseAppName(name: string): AppNameRefusal | undefined {
  const refuse = (shown: string, why: string, hint: string): AppNameRefusal => {
    return { refusal: `\`${shown}\` can't be the name of an app: ${why}`, hint };
  };
  if (name.length > LONGEST_APP_NAME) {
    const why = `the name of its folder would be longer than ${LONGEST_APP_NAME} characters`;
    return refuse(`${name.slice(0, 40)}…`, why, "Choose a shorter name.");
  }
  if (!APP_NAME.test(name)) {
    const why = "it is the name of a folder, and holds something that can't stand in one everywhere";
    return refuse(name, why, "Use letters, digits, `_` and `-`; the first one a letter or a digit.");
  }
  const why = explainDeviceName(name) ?? explainHiddenFolder(name);
  return why === undefined ? undefined : refuse(name, why, "Choose another name.");
}

/** Why no file or folder can have the name on every system; undefined for one that can. */
export function explainDeviceName(name: string): string | undefined {
  return DEVICE_NAME.test(name) ? "Windows keeps it for a device" : undefined;
}

/**
 * Why a folder of this name holds no sources, at any depth; undefined for one that does. Case does not count, since not every
 * file system tells it apart.
 */
export function explainHiddenFolder(name: string): string | undefined {
  switch (name.toLowerCase()) {
    case "node_modules":
      return "Node erases no types in a folder of that name, and .gitignore leaves it out";
    case "dist":
      return ".gitignore leaves out a folder of that name, and `framework dev` does not watch it";
    default:
      return undefined;
  }
}

function readApps(files: Files, listed: TomlEntry | undefined, diagnostics: Diagnostic[]): App[] {
  const names = listed === undefined ? new Map<string, Location>() : readAppNames(listed.value, diagnostics);
  const folders = files.list(APPS_FOLDER).flatMap(({ name, kind }) => (kind === "folder" ? [name] : []));
  const unlisted = folders.filter((name) => !names.has(name) && looksLikeApp(files, name));
  const apps: App[] = [];
  for (const [name, location] of names) {
    const refused = refuseAppName(name);
    if (refused !== undefined) {
      diagnostics.push(diagnose("FW108", refused, location));
    } else if (!folders.includes(name)) {
      diagnostics.push(diagnose("FW109", { app: name, nearest: closest(name, unlisted) }, location));
    } else {
      apps.push(readApp(files, name, location, diagnostics));
    }
  }
  for (const app of unlisted) diagnostics.push(diagnose("FW112", { app }, unlistedPlace(files, app)));
  return apps;
}

/** Names with the place of the first mention. */
function readAppNames(value: TomlValue, diagnostics: Diagnostic[]): Map<string, Location> {
  const names = new Map<string, Location>();
  const wanted = { wanted: "an array of app names", example: 'apps = ["products", "users"]' };
  if (value.kind !== "array") {
    diagnostics.push(
      diagnose("FW104", { key: "apps", found: describeToml(value), ...wanted }, value.location),
    );
    return names;
  }
  for (const item of value.items) {
    const name = item.kind === "string" ? String(item.value) : undefined;
    const first = name === undefined ? undefined : names.get(name);
    if (name === undefined) {
      diagnostics.push(
        diagnose("FW104", { key: "apps", found: `${describeToml(item)} in it`, ...wanted }, item.location),
      );
    } else if (first === undefined) {
      names.set(name, item.location);
    } else {
      diagnostics.push(diagnose("FW107", { app: name }, item.location, first));
    }
  }
  return names;
}

function looksLikeApp(files: Files, name: string): boolean {
  if (name.startsWith("_") || name.startsWith(".")) return false;
  return files.has(`${APPS_FOLDER}/${name}/app.toml`) || files.has(`${APPS_FOLDER}/${name}/${VIEWS_FILE}`);
}

function unlistedPlace(files: Files, app: string): Location {
  const toml = `${APPS_FOLDER}/${app}/app.toml`;
  return { file: files.has(toml) ? toml : `${APPS_FOLDER}/${app}/${VIEWS_FILE}`, line: 1, column: 1 };
}

function readApp(files: Files, name: string, location: Location, diagnostics: Diagnostic[]): App {
  const folder = `${APPS_FOLDER}/${name}`;
  const prefix = readPrefix(files, name, location, diagnostics);
  return { name, folder, prefix: prefix ?? `/${name}`, location };
}

/** The app's prefix; undefined where `app.toml` gives none, or none that can be used. */
function readPrefix(
  files: Files,
  app: string,
  listed: Location,
  diagnostics: Diagnostic[],
): string | undefined {
  const file = `${APPS_FOLDER}/${app}/app.toml`;
  const text = files.read(file);
  if (text === undefined) {
    if (!files.has(file)) diagnostics.push(diagnose("FW110", { app, file: "app.toml" }, listed));
    return undefined;
  }
  const table = parseToml(text, file);
  if (!isToml(table)) {
    diagnostics.push(table);
    return undefined;
  }
  diagnostics.push(...refuseUnknownKeys(table, ["prefix"], ""));
  const value = table.entries.get("prefix")?.value;
  if (value === undefined) return undefined;
  if (value.kind !== "string") {
    const wanted = {
      key: "prefix",
      wanted: "a string",
      found: describeToml(value),
      example: `prefix = "/${app}"`,
    };
    diagnostics.push(diagnose("FW104", wanted, value.location));
    return undefined;
  }
  const prefix = String(value.value);
  const segments = parsePrefix(prefix);
  if (isRefusal(segments)) {
    diagnostics.push(
      diagnose("FW111", { prefix, why: segments.refusal, hint: segments.hint }, value.location),
    );
    return undefined;
  }
  return segments.length === 0 ? "" : formatPrefix(segments);
}
