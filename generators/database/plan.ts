/** Plans a database: `database/`, a route that says whether it answers, and what the project's other files need for it. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import {
  checkPlan,
  diagnoseBlocked,
  diagnoseServed,
  type IntendedRoute,
  isNoPlan,
  type NoPlan,
  noPlan,
  type Plan,
} from "../plan.ts";
import { addRouteRows } from "../readme.ts";
import { referenceStyle } from "../reference-style.ts";
import { README_FILE } from "../source/route-table.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { DEFAULT_URLS, type Engine } from "./engine.ts";
import { addToMainFile, explainMainFile } from "./main-file.ts";
import { otherFiles } from "./other-files.ts";

export interface DatabaseInput {
  readonly engine: Engine;
  /** The texts of `template/_database/`, by file. */
  readonly template: ReadonlyMap<string, string>;
}

const CONNECTION_FILE = "database/connection.ts";
const READY: IntendedRoute = {
  method: "GET",
  segments: ["readyz"],
  pattern: "/readyz",
  module: "routes/readyz.ts",
};
const READY_FILES: readonly string[] = [READY.module, "tests/readyz.test.ts"];
const COMPOSE_FILE = "compose.yaml";

/** A line of code with the URL of an engine, as in `export const url = process.env.DATABASE_URL ?? "sqlite:data/app.db"`. */
const URL_LINE = /^([^/*]*)["'`](sqlite|postgres)(?:ql)?:/;

/**
 * @returns the plan, one without changes where the project has this database, or why it can't be made.
 * @example planDatabase(project, { engine: "sqlite", template })
 */
export function planDatabase(project: Project, { engine, template }: DatabaseInput): Plan | NoPlan {
  const connection = readText(project.root, CONNECTION_FILE);
  if (isDiagnostic(connection)) return noPlan(connection);
  if (connection !== null) return findPresentDatabase(connection, engine);
  const isReadyServed = diagnoseServed(project, [READY]) !== undefined;
  const sources = planSources(project, template, engine, isReadyServed);
  if (isNoPlan(sources)) return sources;
  const main = planMainFile(project);
  if (isNoPlan(main)) return main;
  const what = "The database";
  const checked = checkPlan(project, sources, { what, routes: isReadyServed ? [] : [READY] });
  if (isNoPlan(checked)) return checked;
  const others = planOthers(project, checked.after, template, engine);
  if (isNoPlan(others)) return others;
  const changes = [...sources, ...main.changes, ...others.changes];
  const ready = isReadyServed
    ? [`GET ${READY.pattern} is served already. Have it ask the database, so that a load balancer knows.`]
    : [];
  return {
    changes,
    made: checked.made,
    present: [],
    notes: [...checked.notes, ...ready, ...main.notes, ...others.notes, ...nextSteps(engine)],
  };
}

function nextSteps(engine: Engine): readonly string[] {
  return [
    "Install its packages: npm install",
    ...(engine === "postgres" ? [`Start the server of ${COMPOSE_FILE}: docker compose up -d postgres`] : []),
    "Add a table with its routes: npx framework generate resource books title:string pages:int",
  ];
}

/** The code is the same for both engines, so the other one is a line to change, and the rows are the user's to move. */
function findPresentDatabase(text: string, engine: Engine): Plan | NoPlan {
  const lines = text.split("\n").map((line) => URL_LINE.exec(line));
  const line = lines.findIndex((match) => match !== null);
  const [, before = "", used] = lines[line] ?? [];
  if (used !== undefined && used !== engine) {
    const location = { file: CONNECTION_FILE, line: line + 1, column: before.length + 1 };
    return noPlan(diagnose("FW645", { used, engine, url: DEFAULT_URLS[engine] }, location));
  }
  return { changes: [], made: [], present: [], notes: ["The database is there already."] };
}

interface Part {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** The new files with code. */
function planSources(
  project: Project,
  template: DatabaseInput["template"],
  engine: Engine,
  isReadyServed: boolean,
): readonly Change[] | NoPlan {
  const style = referenceStyle(project);
  const changes: Change[] = [];
  for (const [file, text] of template) {
    if (!/^(?:database|routes|tests)\//.test(file) || (isReadyServed && READY_FILES.includes(file))) continue;
    const before = readText(project.root, file);
    if (isDiagnostic(before)) return noPlan(before);
    if (before !== null) return noPlan(diagnose("FW644", { file }, startOf(file)));
    const blocked = diagnoseBlocked(project.root, file);
    if (blocked !== undefined) return noPlan(blocked);
    const after = applyStyle(text.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]), style);
    changes.push({ file, before, after });
  }
  return changes;
}

function planMainFile({ root }: Project): Part | NoPlan {
  const before = readText(root, MAIN_FILE);
  if (isDiagnostic(before)) return noPlan(before);
  const after = before === null ? undefined : addToMainFile(before);
  return after === undefined
    ? { changes: [], notes: [explainMainFile()] }
    : { changes: [{ file: MAIN_FILE, before, after }], notes: [] };
}

/** What can't be edited is left alone, with a note. A file that is not there needs nothing. */
function planOthers(
  project: Project,
  after: Project,
  template: DatabaseInput["template"],
  engine: Engine,
): Part | NoPlan {
  const { root } = project;
  const changes: Change[] = [];
  const notes: string[] = [];
  const pages = {
    readme: templateText(template, "README.section.md"),
    agents: templateText(template, "AGENTS.section.md"),
  };
  for (const { file, edit, byHand } of otherFiles(pages)) {
    const before = readText(root, file);
    if (isDiagnostic(before)) return noPlan(before);
    if (before === null) continue;
    const edited = edit(before, engine);
    if (edited === undefined) {
      notes.push(`${file} has been edited. By hand, ${byHand(engine)}.`);
      continue;
    }
    const text = file === README_FILE ? addRouteRows(edited, project, after) : edited;
    if (text !== before) changes.push({ file, before, after: text });
  }
  const compose = readText(root, COMPOSE_FILE);
  if (compose === null) {
    const { eol } = referenceStyle(project);
    const text = templateText(template, `compose.${engine}.yaml`).replaceAll("\n", eol);
    changes.push({ file: COMPOSE_FILE, before: null, after: text });
  } else notes.push(`${COMPOSE_FILE} was left alone because it is there already.`);
  return { changes, notes };
}

function templateText(template: DatabaseInput["template"], file: string): string {
  const text = template.get(file);
  if (text === undefined) throw new Error(`The framework has no ${file} for a database.`);
  return text;
}
