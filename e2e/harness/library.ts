/** Projects that `npm create … --database` made, and one with resources that `generate resource` added. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { sample } from "../../runtime/random.fixture.ts";
import { runWell } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { linkModules } from "./modules.ts";
import { once } from "./once.ts";
import { unpackOnce } from "./package.ts";
import { openProject, type Project } from "./project.ts";
import { createFolder } from "./workspace.ts";

/** @param words follow `--database`. */
export async function createWith(...words: readonly string[]): Promise<Project> {
  const cwd = createFolder("created");
  const program = join(await unpackOnce(), "dist/create.cjs");
  const command = [process.execPath, program, "my-app", "--yes", "--database", ...words];
  const { stdout } = await runWell(command, { cwd, env: isolatedEnvironment() });
  assert.match(
    stdout,
    new RegExp(`npm create convention-app@latest my-app -- --yes .*--database ${words[0]}`),
  );
  return openProject(join(cwd, "my-app"));
}

/** Nobody changes it. */
export const sqliteOnce: () => Promise<Project> = once("a project with SQLite", () => createWith("sqlite"));

/** A copy to be changed, which has its packages. */
export async function copySqlite(): Promise<Project> {
  const { folder } = await sqliteOnce();
  const project = openProject(join(createFolder("copied"), "my-app"));
  cpSync(folder, project.folder, { recursive: true });
  linkModules(project);
  return project;
}

export const AUTHORS = "resource authors name:string:unique born:Date?";
export const BOOKS =
  'resource books title:string pages:int subtitle:string? isbn:string?:unique price:number state:"new"|"used" in_print:boolean? author:references --prefix /api/books';
/** Names that SQL, JavaScript and the generated code have for something else. A resource comes after those that it refers to. */
const ODD: readonly (readonly string[])[] = [
  ["resource order group:string user:int? select:boolean class:Date?"],
  ["resource users-groups constructor:string default:int?:unique path:string:unique --prefix /groups"],
  ["resource queries q:string limit:int after:int?"],
  ["resource sections name:string:unique parent:references:sections?"],
  ["resource profiles author:references:unique rank:int:unique since:Date:unique"],
  [
    "resource tables rows:int? columns:string?",
    "resource databases database:string replace:references:tables",
  ],
  [
    "provider current_user",
    "resource members email:string:unique password:string token:string?:unique --guard current_user",
  ],
  ["resource notes text:string due:Date? author:references --under authors"],
  ["resource employees email:string:unique deputy:references:employees:unique?"],
];

/** @param lines what follows `generate`. */
export async function generate(project: Project, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { status, stdout, stderr } = await project.framework(["generate", ...line.split(" ")]);
    assert.is(status, 0, `generate ${line}: ${stdout}${stderr}`);
  }
}

/** The created project with the resources of this run. Nobody changes it. */
export const libraryOnce: () => Promise<Project> = once("a library", async () => {
  const project = await copySqlite();
  await generate(project, AUTHORS, BOOKS, ...sample("resources with odd names", ODD, 3).flat());
  return project;
});
