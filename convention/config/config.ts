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
import { type AppSettings, NO_SETTINGS, readAppSettings } from "./app-settings.ts";
import { type BuildSettings, readBuildSettings } from "./build-settings.ts";
import { type ContractSettings, readContractSettings } from "./contract-settings.ts";
import { readCors } from "./cors-settings.ts";
import { type DevSettings, readDev } from "./dev-settings.ts";
import { type Exposure, readExposure } from "./exposure.ts";
import { badAppName } from "./folder-name.ts";
import { readSettings } from "./server-settings.ts";
import { keysOf, PROJECT_KEYS, type TableName } from "./tables.ts";
import { isToml, parseToml, type TomlTable, type TomlValue } from "./toml.ts";
import { diagnoseUnknownKeys, readTable, readTexts, type TextArray } from "./toml-table.ts";

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
  /** Missing only where `framework.toml` can't be read. */
  readonly dev?: DevSettings;
  /** In the order of `framework.toml`; without those that can't be read at all. */
  readonly apps: readonly App[];
  readonly diagnostics: readonly Diagnostic[];
}

const APP_NAMES: TextArray = {
  key: "apps",
  wanted: "an array of app names",
  correct: ({ kind }) => {
    const example = 'apps = ["products", "users"]';
    // A user who wrote `[apps]` or `[[apps]]` may write the array below another table's name.
    return kind === "table" ? `${example}, above every \`[table]\`` : example;
  },
  diagnoseRepeated: (app, ...locations) => diagnose("FW107", { app }, ...locations),
};

/** Reads `framework.toml` and every listed app's `app.toml`. Where something is wrong, the default replaces it. */
export function readConfig(files: Files): Config {
  const text = files.read(CONFIG_FILE);
  if (text === undefined) {
    const diagnostics = files.has(CONFIG_FILE) ? [] : [diagnose("FW101", {}, startOf(CONFIG_FILE))];
    return { settings: DEFAULT_SETTINGS, apps: [], diagnostics };
  }
  const table = parseToml(text, CONFIG_FILE);
  if (!isToml(table)) return { settings: DEFAULT_SETTINGS, apps: [], diagnostics: [table] };
  const { entries } = table;
  const diagnostics = diagnoseUnknownKeys(table, PROJECT_KEYS);
  const find = (name: TableName): TomlTable | undefined =>
    readTable(entries.get(name)?.value, keysOf(name), diagnostics);
  const settings = readSettings(find("server"), diagnostics);
  const cors = readCors(find("cors"), diagnostics);
  const exposure = readExposure(find("exposure"), diagnostics);
  const contract = readContractSettings(find("contract"), diagnostics);
  const build = readBuildSettings(find("build"), diagnostics);
  const dev = readDev(find("dev"), diagnostics);
  const apps = readApps(files, entries.get("apps")?.value, diagnostics);
  const tables = {
    ...(cors && { cors }),
    ...(exposure && { exposure }),
    ...(contract && { contract }),
    ...(build && { build }),
    dev,
  };
  return { settings, ...tables, apps, diagnostics };
}

function readApps(files: Files, listed: TomlValue | undefined, diagnostics: Diagnostic[]): App[] {
  const names = readTexts(listed, APP_NAMES, diagnostics);
  const entries = files.list(APPS_FOLDER);
  const folders = new Set(entries.flatMap(({ name, kind }) => (kind === "folder" ? [name] : [])));
  const unlisted = [...folders].filter((name) => !names.has(name) && looksLikeApp(files, name));
  const apps: App[] = [];
  for (const [name, location] of names) {
    const bad = badAppName(name);
    if (bad !== undefined) {
      diagnostics.push(diagnose("FW108", bad, location));
    } else if (!folders.has(name)) {
      const test = `tests/${name}.test.ts`;
      const details = {
        app: name,
        nearest: closest(name, unlisted),
        test: files.has(test) ? test : undefined,
      };
      diagnostics.push(diagnose("FW109", details, location));
    } else {
      const { label = name, prefix = `/${name}` } = readAppFile(files, name, location, diagnostics);
      apps.push({ name, label, folder: appFiles(name).folder, prefix, location });
    }
  }
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
  return diagnose("FW110", { app, file, nearest: closest(file, names) }, listed);
}

function readAppFile(files: Files, app: string, listed: Location, diagnostics: Diagnostic[]): AppSettings {
  const { config: file } = appFiles(app);
  const text = files.read(file);
  if (text === undefined) {
    if (!files.has(file)) diagnostics.push(diagnoseMissing(files, app, APP_CONFIG_FILE, listed));
    return NO_SETTINGS;
  }
  const table = parseToml(text, file);
  if (isToml(table)) return readAppSettings(table, app, diagnostics);
  diagnostics.push(table);
  return NO_SETTINGS;
}
