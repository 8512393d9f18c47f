/**
 * Plans a database: the files that collide with nothing, and the packages. What the project's other files lack is printed, as
 * `npm create` writes it.
 */

import { startOf } from "#convention/diagnostics/catalogue";
import { PACKAGE_FILE, VENDORED_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { applyStyle } from "../edit/style.ts";
import { readText, tryText } from "../edit/text.ts";
import { checkPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { refuse } from "../refused.ts";
import { printAdditions } from "./additions.ts";
import { DEFAULT_URLS, type Engine } from "./engine.ts";
import { addToPackageFile } from "./package-file.ts";

export interface DatabaseInput {
  readonly engine: Engine;
  /** `DATABASE_FILES`. */
  readonly template: ReadonlyMap<string, string>;
}

const CONNECTION_FILE = "database/connection.ts";
const READY_FILE = "routes/readyz.ts";

/** Code is written in the layout of the project, and is the user's from then on. */
const CODE = /^(?:database|routes|tests)\//;

/**
 * @returns the plan, which leaves out the files that are there.
 * @throws {Refused}
 * @example planDatabase(project, { engine: "sqlite", template })
 */
export function planDatabase(project: Project, { engine, template }: DatabaseInput): Plan {
  const connection = readText(project.root, CONNECTION_FILE) ?? "";
  // However it was edited since: what comes from the framework shows that it is ours.
  const isOurs = /["']framework\/database["']/.test(connection);
  if (isOurs) refuseOtherEngine(connection, engine);
  const isReadyServed = project.routes.some(
    ({ method, pattern }) => `${method} ${pattern}` === "GET /readyz",
  );
  const hasOtherReady = isReadyServed && !String(tryText(project.root, READY_FILE)).includes("checkDatabase");
  const files = toFiles(project, engine, template).filter(
    ({ file }) => !hasOtherReady || !/\breadyz\b/.test(file),
  );
  const differing = files.filter(({ before, after }) => before !== null && before !== after);
  const blocked = differing.find(({ file }) => CODE.test(file));
  if (blocked !== undefined && !isOurs) {
    const what = `${blocked.file} is there already, and the database needs a file of that name`;
    refuse("FW608", { what, hint: "Move it, and run the command again." }, startOf(blocked.file));
  }
  const changes = [...files.filter(({ before }) => before === null), ...planPackages(project)];
  const checked = checkPlan(project, changes, { what: "The database", routes: "any" });
  const missing = printAdditions(project, engine, template);
  if (changes.length === 0)
    return { changes, made: [], present: [], notes: [...missing, "The database is there already."] };
  const left = differing.filter(({ file }) => !CODE.test(file));
  const notes = [
    ...checked.notes,
    ...left.map(({ file }) => `${file} was left alone because it is there already.`),
    ...(isReadyServed && !isOurs
      ? ["GET /readyz is served already. Have it ask the database, so that a load balancer knows."]
      : []),
    ...missing,
    "Install its packages: npm install",
    ...(engine === "postgres" ? ["Start the server of compose.yaml: docker compose up -d postgres"] : []),
    "Add a table with its routes: npx framework generate resource books title:string pages:int",
  ];
  return { changes, made: checked.made, present: [], notes };
}

/** Without the sections, which are printed, and the other engine's `compose.yaml`. */
function toFiles(project: Project, engine: Engine, template: DatabaseInput["template"]): readonly Change[] {
  const style = referenceStyle(project);
  return [...template].flatMap(([name, text]): Change[] => {
    const change = (file: string, after: string): Change[] => [
      { file, before: readText(project.root, file), after },
    ];
    if (name.startsWith(`${VENDORED_FOLDER}/`)) return change(name, text);
    if (name === `compose.${engine}.yaml`) return change("compose.yaml", text.replaceAll("\n", style.eol));
    if (!CODE.test(name)) return [];
    return change(name, applyStyle(text.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]), style));
  });
}

/** The code is the same for both engines, so the other one is a line to change, and the rows are the user's to move. */
function refuseOtherEngine(text: string, engine: Engine): void {
  const found = /^([^/*\n]*)["'`](sqlite|postgres)(?:ql)?:/m.exec(text);
  const [, before = "", used = engine] = found ?? [];
  if (used === engine) return;
  const line = text.slice(0, found?.index).split("\n").length;
  const what = `The project has a database already, and its URL is of ${used}`;
  const hint = `For ${engine}, set DATABASE_URL or write ${DEFAULT_URLS[engine]} there. The rest of the code stays.`;
  refuse("FW608", { what, hint }, { file: CONNECTION_FILE, line, column: before.length + 1 });
}

function planPackages({ root }: Project): readonly Change[] {
  const before = readText(root, PACKAGE_FILE);
  if (before === null) return [];
  const [why, hint] = ["it is not a JSON object", "Fix it, and run the command again."];
  const after = addToPackageFile(before) ?? refuse("FW612", { file: PACKAGE_FILE, why, hint });
  return after === before ? [] : [{ file: PACKAGE_FILE, before, after }];
}
