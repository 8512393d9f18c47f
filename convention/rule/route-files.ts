/** Lists the files under `routes/` that may be route files. */

import { sep } from "node:path";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { ROUTES_FOLDER, toRouteModule } from "../layout.ts";
import type { Entry, Files } from "../source/files.ts";
import { diagnoseTwins } from "../source/letter-case.ts";
import { isHidden } from "./file-naming.ts";

export interface RouteFiles {
  /** Relative to `routes/`. */
  readonly paths: readonly string[];
  /** The folders that may have some, `routes` first, each before those in it. */
  readonly folders: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Skips folders that have no routes by rule. */
export function listRouteFiles(files: Files): RouteFiles {
  const paths: string[] = [];
  const folders: string[] = [];
  const diagnostics: Diagnostic[] = [];
  enterFolder("", []);
  return { paths, folders, diagnostics };

  /** @param above the places of the folders on the way here, which a link must not lead back to. */
  function enterFolder(folder: string, above: readonly string[]): void {
    const path = folder === "" ? ROUTES_FOLDER : toRouteModule(folder);
    const places = [...above, path];
    folders.push(path);
    const entries = files.list(path);
    diagnostics.push(...diagnoseTwins(path, entries));
    for (const entry of entries) {
      const inner = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isHidden(entry.name)) continue;
      if (entry.kind === "folder") {
        if (!leadsBack(entry, inner, places)) enterFolder(inner, places);
      } else if (entry.kind === "file") {
        if (isUnservedSource(entry.name)) diagnostics.push(diagnoseEnding(toRouteModule(inner)));
        paths.push(inner);
      } else if (entry.name.endsWith(".ts")) {
        const why = "it is not a file, or it is a link to nothing";
        diagnostics.push(
          diagnose("FW113", { file: toRouteModule(inner), why }, startOf(toRouteModule(inner))),
        );
      }
    }
  }

  function leadsBack({ link }: Entry, inner: string, places: readonly string[]): boolean {
    if (!link) return false;
    const place = files.place(toRouteModule(inner));
    if (!places.some((above) => `${files.place(above)}${sep}`.startsWith(`${place}${sep}`))) return false;
    const file = toRouteModule(inner);
    diagnostics.push(diagnose("FW115", { file }, startOf(file)));
    return true;
  }
}

function diagnoseEnding(file: string): Diagnostic {
  const hint = "Rename it to .ts, or begin its name with `_` if it is not a route file.";
  return diagnose("FW208", { file, why: "a route file ends in .ts", hint }, startOf(file));
}

/** Source that someone may take for a route file, but whose ending says otherwise. */
function isUnservedSource(name: string): boolean {
  return /\.(?:[cm]?js|[cm]ts|[jt]sx)$/.test(name) && !/\.(?:d|test|spec)\.\w+$/.test(name);
}
