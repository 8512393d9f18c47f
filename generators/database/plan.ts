/**
 * Plans a database: the files that collide with nothing, and the packages. What the project's other files lack is printed, as
 * `npm create` writes it.
 */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { PACKAGE_FILE, VENDORED_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import {
  checkPlan,
  diagnoseServed,
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
import { DEFAULT_URLS, ENGINES, type Engine } from "./engine.ts";
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
const READY_FILES: readonly string[] = [READY.module, "tests/readyz.test.ts"];

/**
 * @returns the plan, which leaves out the files that are there, or why it can't be made.
 * @example planDatabase(project, { engine: "sqlite", template })
 */
export function planDatabase(project: Project, input: DatabaseInput): Plan | NoPlan {
  const text = readText(project.root, CONNECTION_FILE);
  // However it was edited since: what comes from the framework shows that it is ours.
  const connection = typeof text === "string" && /["']framework\/database["']/.test(text) ? text : undefined;
  const other = connection === undefined ? undefined : diagnoseOtherEngine(connection, input.engine);
  if (other !== undefined) return noPlan(other);
  const isReadyServed = diagnoseServed(project, [READY]) !== undefined;
  const isReadyOurs = String(readText(project.root, READY.module)).includes("checkDatabase");
  const notWanted = isReadyServed ? READY_FILES.slice(0, isReadyOurs ? 1 : 2) : [];
  const files = toFiles(project, input).filter(({ file }) => !notWanted.includes(file));
  const found = files.map(({ file }) => readText(project.root, file));
  const blocked = files.find(({ isCode, after }, index) => {
    const there = found[index];
    return (
      isDiagnostic(there ?? "") || (isCode && connection === undefined && there !== null && there !== after)
    );
  });
  if (blocked !== undefined) return noPlan(diagnoseBlocked(project, blocked.file));
  const packages = planPackages(project);
  if (isDiagnostic(packages)) return noPlan(packages);
  const created = files.filter((_, index) => found[index] === null);
  const changes = [...created.map(({ file, after }): Change => ({ file, before: null, after })), ...packages];
  // With a file that was deleted, all routes come back that need it.
  const isReadyNew = changes.some(({ file }) => file === READY.module);
  const routes = connection !== undefined ? "any" : isReadyNew ? [READY] : [];
  const checked = checkPlan(project, changes, { what: "The database", routes });
  if (isNoPlan(checked)) return checked;
  const missing = printAdditions(project, input);
  if (changes.length === 0)
    return { changes, made: [], present: [], notes: [...missing, "The database is there already."] };
  const left = files.filter(
    ({ isCode, after }, index) => !isCode && found[index] !== null && found[index] !== after,
  );
  const notes = [
    ...checked.notes,
    ...left.map(({ file }) => `${file} was left alone because it is there already.`),
    ...(isReadyServed && connection === undefined
      ? [`GET ${READY.pattern} is served already. Have it ask the database, so that a load balancer knows.`]
      : []),
    ...missing,
    "Install its packages: npm install",
    ...(input.engine === "postgres"
      ? ["Start the server of compose.yaml: docker compose up -d postgres"]
      : []),
    "Add a table with its routes: npx framework generate resource books title:string pages:int",
  ];
  return { changes, made: checked.made, present: [], notes };
}

interface TemplateFile {
  readonly file: string;
  readonly after: string;
  /** It is written in the layout of the project, and is the user's from then on. */
  readonly isCode: boolean;
}

function toFiles(project: Project, { engine, template }: DatabaseInput): readonly TemplateFile[] {
  const style = referenceStyle(project);
  return [...template].flatMap(([name, text]): TemplateFile[] => {
    const own = text.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]);
    if (name.startsWith(`${VENDORED_FOLDER}/`)) return [{ file: name, after: text, isCode: false }];
    if (/^(?:database|routes|tests)\//.test(name))
      return [{ file: name, after: applyStyle(own, style), isCode: true }];
    const isCompose = name === `compose.${engine}.yaml`;
    return isCompose
      ? [{ file: "compose.yaml", after: text.replaceAll("\n", style.eol), isCode: false }]
      : [];
  });
}

function diagnoseBlocked({ root }: Project, file: string): Diagnostic {
  const there = readText(root, file);
  if (there !== null && isDiagnostic(there)) return there;
  const what = `${file} is there already, and the database needs a file of that name`;
  return diagnose("FW608", { what, hint: "Move it, and run the command again." }, startOf(file));
}

/** The code is the same for both engines, so the other one is a line to change, and the rows are the user's to move. */
function diagnoseOtherEngine(text: string, engine: Engine): Diagnostic | undefined {
  const lines = text.split("\n").map((line) => /^([^/*]*)["'`](sqlite|postgres)(?:ql)?:/.exec(line));
  const index = lines.findIndex((match) => match !== null);
  const [, before = "", word] = lines[index] ?? [];
  const used = ENGINES.find((one) => one === word);
  if (used === undefined || used === engine) return undefined;
  const what = `The project has a database already, and its URL is of ${used}`;
  const hint = `For ${engine}, set DATABASE_URL or write ${DEFAULT_URLS[engine]} there. The rest of the code stays.`;
  return diagnose(
    "FW608",
    { what, hint },
    { file: CONNECTION_FILE, line: index + 1, column: before.length + 1 },
  );
}

function planPackages({ root }: Project): readonly Change[] | Diagnostic {
  const before = readText(root, PACKAGE_FILE);
  if (before === null) return [];
  if (isDiagnostic(before)) return before;
  const after = addToPackageFile(before);
  if (after !== undefined) return after === before ? [] : [{ file: PACKAGE_FILE, before, after }];
  const [why, hint] = ["it is not a JSON object", "Fix it, and run the command again."];
  return diagnose("FW612", { file: PACKAGE_FILE, why, hint });
}

/** A file that is not there needs nothing. */
function printAdditions({ root }: Project, { engine, template }: DatabaseInput): readonly string[] {
  const read = (file: string): string =>
    String(template.get(file)).replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]).trimEnd();
  return additions(engine, read).flatMap(({ file, has, where, text }) => {
    const found = readText(root, file);
    return typeof found !== "string" || has.test(found) ? [] : [`${where}\n\n${text}`];
  });
}
