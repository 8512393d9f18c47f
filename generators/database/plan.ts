/**
 * Plans a database: `database/`, a route that says whether it answers, what package.json needs, and the framework's own files of a
 * database. The rest is printed.
 */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { PACKAGE_FILE, VENDORED_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import {
  checkPlan,
  diagnoseServed,
  type FileChanges,
  type IntendedRoute,
  isNoPlan,
  type NoPlan,
  noPlan,
  type Plan,
} from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { additions } from "./additions.ts";
import { DEFAULT_URLS, type Engine } from "./engine.ts";
import { addToPackageFile } from "./package-file.ts";

export interface DatabaseInput {
  readonly engine: Engine;
  /** `DATABASE_FILES`. */
  readonly template: ReadonlyMap<string, string>;
}

const CONNECTION_FILE = "database/connection.ts";
const READY: IntendedRoute = {
  method: "GET",
  segments: ["readyz"],
  pattern: "/readyz",
  module: "routes/readyz.ts",
};
const READY_TEST = "tests/readyz.test.ts";
const COMPOSE_FILE = "compose.yaml";

/** Which database/connection.ts is of this command, however it was edited since. */
const OPENS_DATABASE = /["']framework\/database["']/;

/** A line of code with the URL of an engine, as in `export const url = process.env.DATABASE_URL ?? "sqlite:data/app.db"`. */
const URL_LINE = /^([^/*]*)["'`](sqlite|postgres)(?:ql)?:/;

/**
 * @returns the plan, which leaves out the files that are there, or why it can't be made.
 * @example planDatabase(project, { engine: "sqlite", template })
 */
export function planDatabase(project: Project, input: DatabaseInput): Plan | NoPlan {
  const connection = readText(project.root, CONNECTION_FILE);
  if (isDiagnostic(connection)) return noPlan(connection);
  const isThere = connection !== null && OPENS_DATABASE.test(connection);
  const other = isThere ? diagnoseOtherEngine(connection, input.engine) : undefined;
  if (other !== undefined) return noPlan(other);
  const isReadyServed = diagnoseServed(project, [READY]) !== undefined;
  const files = planFiles(project, input, { isThere, isReadyServed });
  if (isDiagnostic(files)) return noPlan(files);
  const packages = planPackages(project);
  if (isDiagnostic(packages)) return noPlan(packages);
  const changes = [...files.changes, ...packages];
  const isReadyNew = changes.some(({ file }) => file === READY.module);
  // With a file that was deleted, all routes come back that need it.
  const routes = isThere ? "any" : isReadyNew ? [READY] : [];
  const checked = checkPlan(project, changes, { what: "The database", routes });
  if (isNoPlan(checked)) return checked;
  const missing = printAdditions(project, input);
  if (changes.length === 0)
    return { changes, made: [], present: [], notes: [...missing, "The database is there already."] };
  const ready =
    isReadyServed && !isThere
      ? [`GET ${READY.pattern} is served already. Have it ask the database, so that a load balancer knows.`]
      : [];
  const notes = [...checked.notes, ...files.notes, ...ready, ...missing, ...nextSteps(input.engine)];
  return { changes, made: checked.made, present: [], notes };
}

function nextSteps(engine: Engine): readonly string[] {
  return [
    "Install its packages: npm install",
    ...(engine === "postgres" ? [`Start the server of ${COMPOSE_FILE}: docker compose up -d postgres`] : []),
    "Add a table with its routes: npx framework generate resource books title:string pages:int",
  ];
}

/** The code is the same for both engines, so the other one is a line to change, and the rows are the user's to move. */
function diagnoseOtherEngine(text: string, engine: Engine): Diagnostic | undefined {
  const lines = text.split("\n").map((line) => URL_LINE.exec(line));
  const index = lines.findIndex((match) => match !== null);
  const [, before = "", used] = lines[index] ?? [];
  if (used === undefined || used === engine) return undefined;
  const location = { file: CONNECTION_FILE, line: index + 1, column: before.length + 1 };
  return diagnose(
    "FW608",
    {
      what: `The project has a database already, and its URL is of ${used}`,
      hint: `For ${engine}, set DATABASE_URL or write ${DEFAULT_URLS[engine]} there. The rest of the code stays.`,
    },
    location,
  );
}

/** @param state whether the project has a database: its files are then the user's. And whether another file serves the route. */
function planFiles(
  project: Project,
  { engine, template }: DatabaseInput,
  state: { readonly isThere: boolean; readonly isReadyServed: boolean },
): FileChanges | Diagnostic {
  const style = referenceStyle(project);
  const changes: Change[] = [];
  const notes: string[] = [];
  const notWanted = state.isReadyServed ? servedFiles(project) : [];
  for (const [name, text] of template) {
    const isCode = /^(?:database|routes|tests)\//.test(name);
    const isVendored = name.startsWith(`${VENDORED_FOLDER}/`);
    const isWanted = isCode || isVendored || name === `compose.${engine}.yaml`;
    if (!isWanted || notWanted.includes(name)) continue;
    const file = isCode || isVendored ? name : COMPOSE_FILE;
    const own = isVendored ? text : text.replaceAll("\n", style.eol);
    const after = isCode ? applyStyle(text.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]), style) : own;
    const before = readText(project.root, file);
    if (isDiagnostic(before)) return before;
    if (before === null) changes.push({ file, before, after });
    else if (before === after || (isCode && state.isThere)) continue;
    else if (isCode) {
      const what = `${file} is there already, and the database needs a file of that name`;
      return diagnose("FW608", { what, hint: "Move it, and run the command again." }, startOf(file));
    } else notes.push(`${file} was left alone because it is there already.`);
  }
  return { changes, notes };
}

/** A served route is not written again. The test of a route that does not ask the database would fail. */
function servedFiles({ root }: Project): readonly string[] {
  const asksDatabase = String(readText(root, READY.module)).includes("checkDatabase");
  return asksDatabase ? [READY.module] : [READY.module, READY_TEST];
}

function planPackages({ root }: Project): readonly Change[] | Diagnostic {
  const before = readText(root, PACKAGE_FILE);
  if (before === null) return [];
  if (isDiagnostic(before)) return before;
  const after = addToPackageFile(before);
  if (after !== undefined) return after === before ? [] : [{ file: PACKAGE_FILE, before, after }];
  return diagnose("FW612", {
    file: PACKAGE_FILE,
    why: "it is not a JSON object",
    hint: "Fix it, and run the command again.",
  });
}

/** What the project's other files lack. A file that is not there needs nothing. */
function printAdditions({ root }: Project, { engine, template }: DatabaseInput): readonly string[] {
  const read = (file: string): string =>
    String(template.get(file)).replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]).trimEnd();
  return additions(engine, read).flatMap(({ file, has, where, text }) => {
    const found = readText(root, file);
    return typeof found !== "string" || has.test(found) ? [] : [`${where}\n\n${text}`];
  });
}
