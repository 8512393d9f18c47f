/** The project's configuration: `framework.toml` and each app's `app.toml`, with everything that is wrong in them. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { CONFIG_FILE } from "#runtime/project-root";
import type { Location } from "#runtime/routing/route";
import { type CorsSettings, DEFAULT_SETTINGS, type ServerSettings } from "#runtime/settings";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { APP_CONFIG_FILE, APPS_FOLDER, appFiles } from "../layout.ts";
import type { Files } from "../source/files.ts";
import { diagnoseTwins } from "../source/letter-case.ts";
import type { Exposure } from "./exposure.ts";
import { type ReadFiles, readFiles } from "./files-settings.ts";
import { badAppName } from "./folder-name.ts";
import { diagnoseUnknownKeys, readList, readTable } from "./read-table.ts";
import { EVERY, type Listed, type ListSetting, type Tables } from "./settings.ts";
import { isToml, parseToml, type TomlTable, type TomlValue } from "./toml.ts";

export interface App {
  /** The folder's name, which `framework.toml` and `--app` use. */
  readonly name: string;
  /** The name in lists: `name` in `app.toml`, or the folder's name. */
  readonly label: string;
  /** As in `apps/products`. */
  readonly folder: string;
  /** "" for the root, else with a leading and without a trailing slash: `/api/v1/products`. */
  readonly prefix: string;
  /** Where `framework.toml` lists it. */
  readonly location: Location;
}

export interface Config {
  readonly settings: ServerSettings;
  readonly cors?: CorsSettings;
  readonly exposure?: Exposure;
  readonly contract?: ContractSettings;
  readonly build?: BuildSettings;
  readonly served?: ReadFiles;
  /** Missing only where `framework.toml` can't be read. */
  readonly dev?: DevSettings;
  /** In the order of `framework.toml`; without those that can't be read at all. */
  readonly apps: readonly App[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The `[contract]` table: what the contract says about the API as a whole. */
export interface ContractSettings {
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly servers?: readonly string[];
  /** The file of the client that dev keeps current, relative to the project. */
  readonly client?: string;
  /** Asks Standard Schemas for their JSON Schemas, for which the files that export them run. */
  readonly loadSchemas?: boolean;
}

/** The `[build]` table. */
export interface BuildSettings {
  /** Names of packages that a build leaves out of its file. */
  readonly external: readonly Listed<string>[];
  /** Files and folders that a build copies beside its file, from the root. A `*` is any part of a name. */
  readonly copy: readonly Listed<string>[];
}

/** The `[dev]` table. */
export interface DevSettings {
  /** Names of this machine, as in `app.local`. `.app.local` is that name with every name below it. */
  readonly hosts: readonly string[];
  /** Files that reload the project besides its source, as in `web/*.html`. */
  readonly watch: readonly string[];
}

const APPS: ListSetting<string> = {
  wanted: "an array of app names",
  example: "products",
  readText: (name) => badAppName(name) ?? name,
};

/** Reads `framework.toml` and every listed app's `app.toml`. Where something is wrong, the default replaces it. */
export function readConfig(files: Files): Config {
  const nothing = { settings: DEFAULT_SETTINGS, apps: [] };
  const text = files.read(CONFIG_FILE);
  if (text === undefined) {
    const diagnostics = files.has(CONFIG_FILE) ? [] : [diagnose("FW101", {}, startOf(CONFIG_FILE))];
    return { ...nothing, diagnostics };
  }
  const file = parseToml(text, CONFIG_FILE);
  if (!isToml(file)) return { ...nothing, diagnostics: [file] };
  const diagnostics = diagnoseUnknownKeys(file, undefined);
  const server = readTable(file, "server", diagnostics);
  const cors = readTable(file, "cors", diagnostics);
  const exposure = readTable(file, "exposure", diagnostics);
  const contract = readTable(file, "contract", diagnostics);
  const build = readTable(file, "build", diagnostics);
  const dev = readTable(file, "dev", diagnostics);
  const served = readFiles(file, diagnostics);
  const allowed = cors && toCors(cors, file, diagnostics);
  const settings = reconcileTimeouts({ ...DEFAULT_SETTINGS, ...server }, file, diagnostics);
  const { location } = file.entries.get("exposure")?.value ?? file;
  return {
    settings,
    ...(allowed && { cors: allowed }),
    ...(exposure && { exposure: { open: toEntries(exposure.open), location } }),
    ...(contract && { contract: toContract(contract) }),
    ...(served && { served }),
    ...(build && { build: { external: [], copy: [], ...build } }),
    dev: { hosts: toValues(dev?.hosts), watch: toValues(dev?.watch) },
    apps: readApps(files, file.entries.get("apps")?.value, diagnostics),
    diagnostics,
  };
}

function toValues<Value>(listed: readonly Listed<Value>[] = []): readonly Value[] {
  return listed.map(({ value }) => value);
}

function toEntries(listed: Tables["exposure"]["open"] = []): Exposure["open"] {
  return listed.map(({ value, location }) => ({ ...value, location }));
}

function toContract({ servers, ...texts }: Partial<Tables["contract"]>): ContractSettings {
  return { ...texts, ...(servers && { servers: toValues(servers) }) };
}

/** @returns undefined where it lists no origin that can be used. */
function toCors(
  { origins, credentials = false, maxAge = 600, expose }: Partial<Tables["cors"]>,
  file: TomlTable,
  diagnostics: Diagnostic[],
): CorsSettings | undefined {
  const table = file.entries.get("cors")?.value;
  const report = (why: string, hint: string, ...locations: (Location | undefined)[]): void => {
    diagnostics.push(diagnose("FW104", { why, hint }, ...locations.filter((one) => one !== undefined)));
  };
  const place = table?.kind === "table" ? table.entries.get("credentials")?.location : undefined;
  const lists = { origin: origins, header: expose };
  for (const [what, listed = []] of Object.entries(lists)) {
    const every = listed.find(({ value }) => value === EVERY);
    if (every === undefined) continue;
    if (listed.length > 1)
      report('A list with "*" lists others, too', 'Keep "*" alone, or remove it.', every.location);
    if (credentials) {
      const why = `With \`credentials = true\`, browsers do not take "*" as every ${what}`;
      report(why, `List each ${what}, or remove \`credentials\`.`, every.location, place);
    }
  }
  const isMissing = table?.kind === "table" && isEmpty(table.entries.get("origins")?.value);
  if (isMissing) {
    const hint = 'List the sites that may: origins = ["https://shop.example"]. "*" alone is every site.';
    report("`[cors]` lists no origin, so no other site can read an answer", hint, table.location);
  }
  const allowed = toValues(origins);
  return allowed.length === 0
    ? undefined
    : { origins: allowed, credentials, maxAge, expose: toValues(expose) };
}

function isEmpty(list: TomlValue | undefined): boolean {
  return list === undefined || (list.kind === "array" && list.items.length === 0);
}

/** Node throws where headersTimeout > requestTimeout: a default gives way, and what the user wrote is reported. */
function reconcileTimeouts(
  settings: ServerSettings,
  { entries }: TomlTable,
  diagnostics: Diagnostic[],
): ServerSettings {
  const { headersTimeout, requestTimeout } = settings;
  if (headersTimeout <= requestTimeout) return settings;
  const server = entries.get("server")?.value;
  const written = server?.kind === "table" ? server.entries.get("headers_timeout") : undefined;
  if (written !== undefined) {
    const why = `headers_timeout (${headersTimeout} s) is longer than request_timeout (${requestTimeout} s), which includes it`;
    const hint = "Make headers_timeout the shorter one.";
    diagnostics.push(diagnose("FW104", { why, hint }, written.value.location));
  }
  return { ...settings, headersTimeout: requestTimeout };
}

function readApps(files: Files, listed: TomlValue | undefined, diagnostics: Diagnostic[]): App[] {
  const shown = { name: "apps", key: "apps" };
  const names = listed === undefined ? [] : readList(listed, shown, APPS, diagnostics);
  const isListed = new Set(toValues(names));
  const entries = files.list(APPS_FOLDER);
  const folders = new Set(entries.flatMap(({ name, kind }) => (kind === "folder" ? [name] : [])));
  const unlisted = [...folders].filter((name) => !isListed.has(name) && looksLikeApp(files, name));
  const apps = names.flatMap(({ value: name, location }): App[] => {
    const { folder } = appFiles(name);
    if (folders.has(name)) {
      const { label = name, prefix = `/${name}` } = readAppFile(files, name, location, diagnostics);
      return [{ name, label, folder, prefix, location }];
    }
    const test = `tests/${name}.test.ts`;
    const details = {
      app: name,
      file: `folder ${folder}/`,
      nearest: closest(name, unlisted),
      test: files.has(test) ? test : undefined,
    };
    diagnostics.push(diagnose("FW109", details, location));
    return [];
  });
  diagnostics.push(...diagnoseTwins(APPS_FOLDER, entries));
  for (const app of unlisted) diagnostics.push(diagnose("FW112", { app }, unlistedPlace(files, app)));
  return apps;
}

function looksLikeApp(files: Files, name: string): boolean {
  if (name.startsWith("_") || name.startsWith(".")) return false;
  const { config, views } = appFiles(name);
  return files.has(config) || files.has(views);
}

function unlistedPlace(files: Files, app: string): Location {
  const { config, views } = appFiles(app);
  return startOf(files.has(config) ? config : views);
}

/** An app lacks one of its files: the nearest name in its folder is probably meant. */
export function diagnoseMissing(files: Files, app: string, file: string, listed: Location): Diagnostic {
  const others = files.list(appFiles(app).folder).filter(({ kind }) => kind === "file");
  const names = others.map(({ name }) => name);
  return diagnose("FW109", { app, file, nearest: closest(file, names) }, listed);
}

function readAppFile(
  files: Files,
  app: string,
  listed: Location,
  diagnostics: Diagnostic[],
): { readonly label?: string; readonly prefix?: string } {
  const { config: file } = appFiles(app);
  const text = files.read(file);
  if (text === undefined) {
    if (!files.has(file)) diagnostics.push(diagnoseMissing(files, app, APP_CONFIG_FILE, listed));
    return {};
  }
  const toml = parseToml(text, file);
  if (!isToml(toml)) {
    diagnostics.push(toml);
    return {};
  }
  diagnostics.push(...diagnoseUnknownKeys(toml, undefined));
  const { name, prefix } = readTable(toml, "app", diagnostics) ?? {};
  return { ...(name !== undefined && { label: name }), ...(prefix !== undefined && { prefix }) };
}
