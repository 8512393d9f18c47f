/** The layout of a project: the names of its folders and files, relative to its root, with forward slashes. */

/** It creates the app and listens. */
export const MAIN_FILE = "app.ts";
export const APPS_FOLDER = "apps";
export const ROUTES_FOLDER = "routes";
export const APP_CONFIG_FILE = "app.toml";
export const VIEWS_FILE = "views.ts";
/** What it exports holds for every route whose module is in its folder or below. */
export const HOOKS_FILE = "_hooks.ts";
/** Where generators write providers: a file for each here, or one file for all of an app. Any other file may export some, too. */
export const PROVIDERS_FOLDER = "providers";
export const PROVIDERS_FILE = "providers.ts";
export const PACKAGE_FILE = "package.json";
/** Its connection, tables and migrations, where it has a database. */
export const DATABASE_FOLDER = "database";
export const MIGRATIONS_FOLDER: string = `${DATABASE_FOLDER}/migrations`;
/** The command line of the migrations. */
export const MIGRATE_FILE: string = `${DATABASE_FOLDER}/migrate.ts`;

/** The framework's own folder, and in it the list of its files. */
export const VENDORED_FOLDER = "vendor/framework";
export const MANIFEST_FILE = "manifest.json";

/** @example appFiles("users").views // "apps/users/views.ts" */
export function appFiles(name: string): Readonly<Record<"folder" | "config" | "views", string>> {
  const folder = `${APPS_FOLDER}/${name}`;
  return { folder, config: `${folder}/${APP_CONFIG_FILE}`, views: `${folder}/${VIEWS_FILE}` };
}

/** @param folder "" is the root. @example hooksFile("routes/admin") // "routes/admin/_hooks.ts" */
export function hooksFile(folder: string): string {
  return folder === "" ? HOOKS_FILE : `${folder}/${HOOKS_FILE}`;
}

/** @example toRouteModule("admin/[id].ts") // "routes/admin/[id].ts" */
export function toRouteModule(path: string): string {
  return `${ROUTES_FOLDER}/${path}`;
}

/** The inverse of {@link toRouteModule}; undefined for a file elsewhere. */
export function toRoutePath(file: string): string | undefined {
  return file.startsWith(`${ROUTES_FOLDER}/`) ? file.slice(ROUTES_FOLDER.length + 1) : undefined;
}
