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
import { checkPlan, findServed, type IntendedRoute, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { refuse } from "../refused.ts";
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
 * @returns the plan, which leaves out the files that are there.
 * @throws {Refused}
 * @example planDatabase(project, { engine: "sqlite", template })
 */
export function planDatabase(project: Project, input: DatabaseInput): Plan {
  const connection = readText(project.root, CONNECTION_FILE) ?? "";
  // However it was edited since: what comes from the framework shows that it is ours.
  const isOurs = /["']framework\/database["']/.test(connection);
  if (isOurs) refuseOtherEngine(connection, input.engine);
  const isReadyServed = findServed(project, READY) !== undefined;
  const isReadyOurs = String(tryText(project.root, READY.module)).includes("checkDatabase");
  const notWanted = isReadyServed ? READY_FILES.slice(0, isReadyOurs ? 1 : 2) : [];
  const files = toFiles(project, input).filter(({ file }) => !notWanted.includes(file));
  const blocked = files.find(({ isCode, before, after }) => {
    return isCode && !isOurs && before !== null && before !== after;
  });
  if (blocked !== undefined) {
    const what = `${blocked.file} is there already, and the database needs a file of that name`;
    refuse("FW608", { what, hint: "Move it, and run the command again." }, startOf(blocked.file));
  }
  const changes: readonly Change[] = [
    ...files.filter(({ before }) => before === null),
    ...planPackages(project),
  ].map(({ file, before, after }) => ({ file, before, after }));
  // With a file that was deleted, all routes come back that need it.
  const isReadyNew = changes.some(({ file }) => file === READY.module);
  const routes = isOurs ? "any" : isReadyNew ? [READY] : [];
  const checked = checkPlan(project, changes, { what: "The database", routes });
  const missing = printAdditions(project, input);
  if (changes.length === 0)
    return { changes, made: [], present: [], notes: [...missing, "The database is there already."] };
  const left = files.filter(({ isCode, before, after }) => !isCode && before !== null && before !== after);
  const notes = [
    ...checked.notes,
    ...left.map(({ file }) => `${file} was left alone because it is there already.`),
    ...(isReadyServed && !isOurs
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

interface TemplateFile extends Change {
  /** It is written in the layout of the project, and is the user's from then on. */
  readonly isCode: boolean;
}

function toFiles(project: Project, { engine, template }: DatabaseInput): readonly TemplateFile[] {
  const style = referenceStyle(project);
  return [...template].flatMap(([name, text]): TemplateFile[] => {
    const file = name === `compose.${engine}.yaml` ? "compose.yaml" : name;
    const isCode = /^(?:database|routes|tests)\//.test(name);
    const isVendored = name.startsWith(`${VENDORED_FOLDER}/`);
    if (!isCode && !isVendored && file === name) return [];
    const own = text.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]);
    const written = isVendored ? text : text.replaceAll("\n", style.eol);
    const after = isCode ? applyStyle(own, style) : written;
    return [{ file, before: readText(project.root, file), after, isCode }];
  });
}

/** The code is the same for both engines, so the other one is a line to change, and the rows are the user's to move. */
function refuseOtherEngine(text: string, engine: Engine): void {
  const lines = text.split("\n").map((line) => /^([^/*]*)["'`](sqlite|postgres)(?:ql)?:/.exec(line));
  const index = lines.findIndex((match) => match !== null);
  const [, before = "", word] = lines[index] ?? [];
  const used = ENGINES.find((one) => one === word);
  if (used === undefined || used === engine) return;
  const what = `The project has a database already, and its URL is of ${used}`;
  const hint = `For ${engine}, set DATABASE_URL or write ${DEFAULT_URLS[engine]} there. The rest of the code stays.`;
  refuse("FW608", { what, hint }, { file: CONNECTION_FILE, line: index + 1, column: before.length + 1 });
}

function planPackages({ root }: Project): readonly Change[] {
  const before = readText(root, PACKAGE_FILE);
  if (before === null) return [];
  const [why, hint] = ["it is not a JSON object", "Fix it, and run the command again."];
  const after = addToPackageFile(before) ?? refuse("FW612", { file: PACKAGE_FILE, why, hint });
  return after === before ? [] : [{ file: PACKAGE_FILE, before, after }];
}

/** A file that is not there needs nothing. */
function printAdditions({ root }: Project, { engine, template }: DatabaseInput): readonly string[] {
  const read = (file: string): string =>
    String(template.get(file)).replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine]).trimEnd();
  return additions(engine, read).flatMap(({ file, has, where, text }) => {
    const found = tryText(root, file);
    return typeof found !== "string" || has.test(found) ? [] : [`${where}\n\n${text}`];
  });
}
