/** A created project with the bundler at hand, and the server that it is built into. */

import type { Outcome } from "./command.ts";
import { runInProcess } from "./in-process.ts";
import { linkPackages } from "./modules.ts";
import { copyProject, type Project } from "./project.ts";

/** @param files are added to it. Of what `npm install` would bring, only the bundler is there. */
export async function buildableCopy(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await copyProject();
  linkPackages(project, "rolldown");
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project;
}

/** `framework build` in this process, of the framework as it was built last: it holds what the project's vendored one holds. */
export function build({ folder }: Project, words: readonly string[] = []): Promise<Outcome> {
  return runInProcess(["build", ...words], folder);
}

/** As `buildableCopy`, with `dist/server.js`. */
export async function builtCopy(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await buildableCopy(files);
  const { status, stderr } = await build(project);
  if (status !== 0 || stderr !== "") throw new Error(`The build ended with ${status}: ${stderr}`);
  return project;
}
