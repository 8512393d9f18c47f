/** Whether each route is guarded, and by what, or listed under `[exposure]` in `framework.toml` as open to anyone. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isProbe, type ServerSettings } from "#runtime/settings";
import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { type Exposure, formatEntry, type OpenEntry } from "../config/exposure.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { sortDiagnostics } from "../diagnostics/order.ts";
import { formatTakeName } from "../wire/format-take.ts";
import type { Call, Shared, TypedRoute } from "../wire/typed-route.ts";
import { createTableRouter, type RouteTable } from "./table-router.ts";

/** What an audit needs of a project. */
export interface Audited extends RouteTable {
  readonly exposure?: Exposure | undefined;
  readonly settings: Pick<ServerSettings, "health" | "docs">;
  readonly diagnostics: readonly Diagnostic[];
}

/** What may refuse a request before the handler runs: a guard, a provider, or the handler's own credential. */
export interface Guarding extends Pick<Shared, "name" | "module" | "location"> {
  readonly kind: "guard" | "provider" | "credential";
  /** A request may leave out the credential, and the provider decides what comes of that. */
  readonly optional: boolean;
}

export interface AuditedRoute {
  readonly route: TypedRoute;
  /** In the order in which they run. */
  readonly guardedBy: readonly Guarding[];
  /** The entry under `[exposure]` that lists it. */
  readonly entry: OpenEntry | undefined;
  /** Anyone may call it, listed or not. */
  readonly open: boolean;
}

export interface Audit {
  /** In the order of the table. */
  readonly routes: readonly AuditedRoute[];
  /** None without `[exposure]`: nothing says then what should be open. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Nothing here keeps a project from being served: a route that is half written is often still open.
 *
 * @example auditRoutes(readProject(root)).routes.filter(({ open }) => open)
 */
export function auditRoutes(project: Audited): Audit {
  const { exposure } = project;
  const routes = project.routes.map((route) => auditRoute(route, exposure?.open ?? []));
  const diagnostics = exposure === undefined ? [] : diagnoseExposure(routes, exposure, project);
  return { routes, diagnostics };
}

/** A path that the framework itself serves to anyone, by GET and HEAD. */
export interface OwnPath {
  /** The one in `[server]` that turns it on. */
  readonly setting: "health" | "docs";
  readonly path: string;
}

/** A project's own route comes before the docs. */
export function listOwnPaths(project: Pick<Audited, keyof RouteTable | "settings">): readonly OwnPath[] {
  const { settings } = project;
  const health = settings.health === "" ? [] : [settings.health];
  const router = settings.docs ? createTableRouter(project) : undefined;
  const docs = ["/docs", "/openapi.json"].filter(
    (path) => router && router.find("GET", path).kind !== "match",
  );
  return [
    ...health.map((path) => ({ setting: "health" as const, path })),
    ...docs.map((path) => ({ setting: "docs" as const, path })),
  ];
}

/** All that is wrong with a project, what its audit finds included. */
export function checkRoutes(project: Audited): readonly Diagnostic[] {
  return sortDiagnostics([...project.diagnostics, ...auditRoutes(project).diagnostics]);
}

function auditRoute(route: TypedRoute, listed: readonly OpenEntry[]): AuditedRoute {
  const guardedBy = [...findGuards(route.calls), ...findCredentials(route)];
  const entry = listed.find((one) => covers(one, route));
  const open = guardedBy.every(({ optional }) => optional && entry !== undefined);
  return { route, guardedBy, entry, open };
}

function covers({ method, pattern }: OpenEntry, route: Pick<TypedRoute, "method" | "pattern">): boolean {
  return pattern === route.pattern && (method === null || method === route.method);
}

/** Each guard, and each provider that gets to know who calls and can refuse, by itself or by the providers that it needs. */
function findGuards(calls: readonly Call[]): Guarding[] {
  /** Of each call, what may say who calls. */
  const known: (readonly DeclaredInput[])[] = [];
  return calls.flatMap(({ kind, name, module, location, takes, provided, canRefuse }): Guarding[] => {
    const identities = [...takes.filter(isIdentity), ...provided.flatMap((index) => known[index] ?? [])];
    known.push(identities);
    if (!canRefuse || (kind === "provider" && identities.length === 0)) return [];
    const optional = kind === "provider" && identities.every((take) => take.optional);
    return [{ kind, name, module, optional, location }];
  });
}

/** It may say who calls. */
function isIdentity(take: DeclaredInput): boolean {
  return take.in === "cookie" || isCredential(take.in);
}

/** Without it a request gets a 401. */
function isRequiredCredential(take: DeclaredInput): boolean {
  return isCredential(take.in) && !take.optional;
}

function findCredentials({ takes, module, location }: TypedRoute): Guarding[] {
  const names = takes.filter(isRequiredCredential).map(formatTakeName);
  return names.map((name) => ({ kind: "credential", name, module, optional: false, location }));
}

function diagnoseExposure(
  routes: readonly AuditedRoute[],
  { open }: Exposure,
  project: Audited,
): Diagnostic[] {
  // A handler with an error is missing from the table, and so is a guard.
  const isWhole = !hasErrors(project.diagnostics);
  const unlisted = routes.filter(
    ({ guardedBy, entry }) => isWhole && guardedBy.length === 0 && entry === undefined,
  );
  const served = open.map((entry) => [entry, routes.filter(({ route }) => covers(entry, route))] as const);
  const stale = served.filter(([, covered]) => isWhole && covered.length === 0);
  const own = stale.length === 0 ? [] : listOwnPaths(project);
  return [
    ...unlisted.map(({ route }) => diagnose("FW410", { route: formatEntry(route) }, route.location)),
    ...stale
      .map(([entry]) => entry)
      .filter(({ method, pattern }) => !own.some(({ path }) => isProbe(path, method ?? "GET", pattern)))
      .map((entry) => diagnoseStale(entry, routes)),
    ...served.flatMap(([entry, covered]) => diagnoseGuarded(entry, covered)),
  ];
}

function diagnoseStale(entry: OpenEntry, routes: readonly AuditedRoute[]): Diagnostic {
  const unlisted = routes.filter((one) => one.entry === undefined);
  const written = unlisted.map(({ route }) =>
    formatEntry({ ...route, method: entry.method && route.method }),
  );
  const nearest = closest(formatEntry(entry), written);
  const hint = nearest === undefined ? "Remove the entry." : `Did you mean "${nearest}"?`;
  const details = { entry: formatEntry(entry), why: "there is no such route", hint };
  return diagnose("FW411", details, entry.location);
}

/** An entry that is not needed would hide that the guard was lost. */
function diagnoseGuarded(entry: OpenEntry, covered: readonly AuditedRoute[]): Diagnostic[] {
  const others = covered.filter(({ open }) => open).map(({ route }) => formatEntry(route));
  return covered.flatMap(({ route, guardedBy }) => {
    const guarding = guardedBy.find(({ optional }) => !optional);
    if (guarding === undefined) return [];
    const [listedAs, shown] = [formatEntry(entry), formatEntry(route)];
    const why = `\`${guarding.name}\` guards ${listedAs === shown ? "it" : shown}`;
    const hint =
      others.length === 0
        ? "Remove the entry: it would hide that the guard was lost."
        : `List only what is open: ${others.map((other) => `"${other}"`).join(", ")}.`;
    return [diagnose("FW411", { entry: listedAs, why, hint }, entry.location, guarding.location)];
  });
}
