/** Every setting of `framework.toml` and `app.toml`, by its table: the values that it may have, and how to write one. */

import { isIP } from "node:net";
import type { Location } from "#runtime/routing/route";
import type { ServerSettings } from "#runtime/settings";
import { formatPrefix, parsePrefix } from "../pattern.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import { type OpenRoute, parseOpenRoute } from "./exposure.ts";
import type { TomlValue } from "./toml.ts";

/** What a file gives for a setting that is not a list of its own: an array only where the setting takes one. */
export type PlainValue = string | number | boolean | readonly string[];

/** A setting that has one value. */
export interface Setting<Value> {
  readonly kinds: readonly TomlValue["kind"][];
  /** What it must be, for the messages. */
  readonly wanted: string;
  /** In TOML. */
  readonly example: string;
  /** @param value of one of the kinds. @returns undefined for one that `wanted` rules out. */
  readonly read: (value: PlainValue) => Value | Refusal | undefined;
}

/** A setting that is an array of texts. */
export interface ListSetting<Value> {
  /** What the array must be. */
  readonly wanted: string;
  /** One of the texts. */
  readonly example: string;
  /** @returns undefined for a text that `wanted` rules out. */
  readonly readText: (text: string) => Value | Refusal | undefined;
}

/** A text of an array, as it was read. */
export interface Listed<Value> {
  readonly value: Value;
  readonly location: Location;
}

/** The settings of a table that gives a result. A key has underscores in the file: `body_limit` gives `bodyLimit`. */
export type Table<Result> = {
  readonly [Key in keyof Result]-?: NonNullable<Result[Key]> extends readonly Listed<infer Value>[]
    ? ListSetting<Value>
    : Setting<NonNullable<Result[Key]>>;
};

/** What each table gives. All but `app`, which is that of `app.toml`, are those of `framework.toml`. */
export interface Tables {
  readonly server: ServerSettings;
  readonly cors: {
    readonly origins: readonly Listed<string>[];
    readonly credentials: boolean;
    readonly maxAge: number;
    readonly expose: readonly Listed<string>[];
  };
  readonly exposure: { readonly open: readonly Listed<OpenRoute>[] };
  readonly contract: Record<"title" | "version" | "description" | "client", string> & {
    readonly servers: readonly Listed<string>[];
    readonly loadSchemas: boolean;
  };
  readonly build: Record<"external" | "copy", readonly Listed<string>[]>;
  /** Besides the paths, see `files-settings.ts`. */
  readonly files: Record<"fallback" | "immutable", string>;
  readonly dev: Record<"hosts" | "watch", readonly Listed<string>[]>;
  readonly app: { readonly name: string; readonly prefix: string };
}

/** setTimeout takes at most 2^31 − 1 milliseconds; a longer one would end at once. */
const LONGEST_TIMEOUT = 2_147_483;
/** The longest time for which every browser keeps a preflight: Safari no longer than 600 seconds, Chromium 7200, Firefox 86400. */
const LONGEST_MAX_AGE = 86_400;
const LINE = "one line of 1 to 100 printable characters";
export const EVERY = "*";

const FLAG: Setting<boolean> = {
  kinds: ["boolean"],
  wanted: "true or false",
  example: "true",
  read: (value) => value === true,
};

const SERVER: Table<Tables["server"]> = {
  host: text("a host name or an address, without a port", "0.0.0.0", (host) => only(host, isHost(host))),
  port: number("a whole number from 0 to 65535", "8000", 0, 65_535, ["integer"]),
  bodyLimit: {
    kinds: ["integer", "string"],
    wanted: 'a number of bytes, or a size such as "1 MiB"',
    example: '"1 MiB"',
    read: (value) =>
      typeof value === "string" ? parseSize(value) : within(value, 0, Number.MAX_SAFE_INTEGER),
  },
  headersTimeout: timeout("15"),
  requestTimeout: timeout("60"),
  handlerTimeout: number(
    `a number of seconds, at most ${LONGEST_TIMEOUT}, or 0 for no limit`,
    "120",
    0,
    LONGEST_TIMEOUT,
  ),
  keepAliveTimeout: timeout("65"),
  shutdownTimeout: timeout("10"),
  // The server compares it with the path as it was sent, so it may have only one spelling.
  health: text(
    'a path of letters, digits, `-`, `_`, `.` and `~` without a slash at its end, or "" for none',
    "/healthz",
    (path) => only(path, /^(?:\/[\w~-][\w.~-]*)*$/.test(path)),
  ),
  accessLog: FLAG,
  docs: FLAG,
  compression: FLAG,
  decompress: FLAG,
  etag: FLAG,
  trustProxy: {
    kinds: ["integer", "array"],
    wanted: "an array of addresses and networks, or a number of proxies from 0 to 100",
    example: '["10.0.0.0/8", "loopback"]',
    read: (value) => (typeof value === "object" ? readNetworks(value) : within(value, 0, 100)),
  },
};

const CORS: Table<Tables["cors"]> = {
  origins: texts("an array of origins", "https://shop.example", (one) =>
    one === EVERY ? one : readOrigin(one),
  ),
  credentials: FLAG,
  maxAge: number(`a whole number of seconds from 0 to ${LONGEST_MAX_AGE}`, "600", 0, LONGEST_MAX_AGE, [
    "integer",
  ]),
  // RFC 9110 section 5.1.
  expose: texts("an array of header names", "X-Total-Count", (name) =>
    only(name, /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  ),
};

const EXPOSURE: Table<Tables["exposure"]> = {
  open: texts("an array of routes as `routes list` prints them", "GET /", parseOpenRoute),
};

const CONTRACT: Table<Tables["contract"]> = {
  title: text(LINE, "Shop", readLine),
  version: text(LINE, "1.0.0", readLine),
  description: text("a text in Markdown", "Products and orders.", (markdown) => markdown.trim() || undefined),
  client: text("the path of a TypeScript file", "../web/src/api.ts", (path) =>
    only(path, /^[^\p{Cc}]*[^\p{Cc}\\/.]\.[cm]?ts$/u.test(path)),
  ),
  servers: texts(
    "an array of URLs or paths, without a slash at their end",
    "https://api.example",
    readServer,
  ),
  loadSchemas: FLAG,
};

const BUILD: Table<Tables["build"]> = {
  external: texts("an array of package names", "sharp", (name) => only(name, isPackageName(name))),
  copy: texts(
    "an array of files and folders below the project's, with `/` between names",
    "public",
    readCopied,
  ),
};

/** Where `[files]` serves a folder. */
export const PATH: Setting<string> = text("a path", "/assets", (path) =>
  only(path, /^(?:\/|(?:\/[\w~-][\w.~-]*)+)$/.test(path)),
);
export const FOLDER: Setting<string> = text(
  "a folder below the project's, with `/` between names",
  "public",
  (path) => (path.includes("*") ? undefined : readCopied(path)),
);

const FILES: Table<Tables["files"]> = {
  fallback: text("the path of a file in the folder", "index.html", (path) => only(path, isBelow(path))),
  immutable: text("the path of a folder in the folder, with a slash at its end", "assets/", (path) =>
    only(path, path.endsWith("/") && isBelow(path.slice(0, -1))),
  ),
};

const DEV: Table<Tables["dev"]> = {
  // `.app.local` is that name with every name below it.
  hosts: texts("an array of host names, without ports", "app.local", (name) =>
    only(name, /^\.?[\w-]+(?:\.[\w-]+)*$/.test(name)),
  ),
  watch: texts("an array of paths in the project, with `*` and `**`", "web/*.html", (pattern) =>
    only(pattern, /^(?!\/|\.\.?\/)[^\p{Cc}\\]+(?<!\/)$/u.test(pattern)),
  ),
};

const APP: Table<Tables["app"]> = {
  name: text(LINE, "Orders", readLine),
  prefix: text("a string", "/orders", (prefix) => {
    const segments = parsePrefix(prefix);
    if (isRefusal(segments)) return segments;
    return segments.length === 0 ? "" : formatPrefix(segments);
  }),
};

export const TABLES: { readonly [Name in keyof Tables]: Table<Tables[Name]> } = {
  server: SERVER,
  cors: CORS,
  exposure: EXPOSURE,
  contract: CONTRACT,
  build: BUILD,
  files: FILES,
  dev: DEV,
  app: APP,
};

function text<Value>(
  wanted: string,
  example: string,
  read: (value: string) => Value | Refusal | undefined,
): Setting<Value> {
  return {
    kinds: ["string"],
    wanted,
    example: JSON.stringify(example),
    read: (value) => read(String(value)),
  };
}

function texts<Value>(
  wanted: string,
  example: string,
  readText: ListSetting<Value>["readText"],
): ListSetting<Value> {
  return { wanted, example, readText };
}

function number(
  wanted: string,
  example: string,
  least: number,
  most: number,
  kinds: Setting<number>["kinds"] = ["integer", "float"],
): Setting<number> {
  return { kinds, wanted, example, read: (value) => within(value, least, most) };
}

function timeout(example: string): Setting<number> {
  return number(`a number of seconds above 0, at most ${LONGEST_TIMEOUT}`, example, 0.001, LONGEST_TIMEOUT);
}

function within(value: unknown, least: number, most: number): number | undefined {
  return typeof value === "number" && value >= least && value <= most ? value : undefined;
}

function only(text: string, isRight: boolean): string | undefined {
  return isRight ? text : undefined;
}

const NAMED_NETWORKS = ["loopback", "linklocal", "uniquelocal"];

/** @returns 0 where no proxy is listed. */
function readNetworks(networks: readonly string[]): readonly string[] | 0 | Refusal {
  const wrong = networks.find((network) => !NAMED_NETWORKS.includes(network) && !isNetwork(network));
  if (wrong === undefined) return networks.length === 0 ? 0 : networks;
  const why = `${JSON.stringify(wrong)} is not an address, a network such as 10.0.0.0/8, or one of ${NAMED_NETWORKS.join(", ")}`;
  return { why, hint: "Write the addresses of your proxies, not names." };
}

function isNetwork(text: string): boolean {
  const [, address = "", prefix = "0"] = /^([^/%]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}

function readLine(text: string): string | undefined {
  const line = text.trim();
  return only(line, /^[^\p{Cc}\u2028\u2029]{1,100}$/u.test(line));
}

function isHost(text: string): boolean {
  return (
    /^(?:[\w.-]+|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%\w+)?\]?)$/.test(text) && !/^[\w.-]+:\d+$/.test(text)
  );
}

/** As a browser sends it in the header `Origin` (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin). */
function readOrigin(text: string): string | Refusal {
  const { protocol, host } = new URL(URL.canParse(text) ? text : "null:");
  const origin = `${protocol}//${host}`;
  if (!/^(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/i.test(host))
    return { why: "it is not an origin", hint: 'Write each on its own, as in "https://shop.example".' };
  return origin === text
    ? text
    : { why: "browsers send it in another form", hint: `Did you mean \`${origin}\`?` };
}

/** The paths of routes follow it, so it ends without a slash, and clients see it, so it has no password. */
function readServer(text: string): string | undefined {
  const isServer = /^(?:https?:\/\/[\w.:[\]-]+)?(?:\/[^\s\\{}?#/]+)*$/.test(text);
  return only(text, text === "/" || (isServer && URL.canParse(text, "https://localhost") && text !== ""));
}

/** A path below the project's folder, and not one into what a build makes or a package manager installs. */
function readCopied(path: string): string | undefined {
  const bare = path.replace(/^\.\//, "").replace(/\/$/, "");
  return only(bare, isBelow(bare) && !/^(?:dist|node_modules)(?:\/|$)/.test(bare));
}

function isBelow(path: string): boolean {
  return path.split("/").every((name) => /^[^\p{Cc}\\:]+$/u.test(name) && name !== "." && name !== "..");
}

/** False for a path, a part of a package, and a module of Node. */
export function isPackageName(text: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(text);
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
