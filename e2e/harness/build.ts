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

/** `framework build` in this process, from the sources, in a quarter of the time. It puts the files of `dist/framework` into the server. */
export function build({ folder }: Project, words: readonly string[] = []): Promise<Outcome> {
  return runInProcess(["build", ...words], folder);
}

/** As `buildableCopy`, with the `dist/server.js` that the vendored framework makes. */
export async function builtCopy(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await buildableCopy(files);
  const { status, stderr } = await project.framework(["build"]);
  if (status !== 0 || stderr !== "") throw new Error(`The build ended with ${status}: ${stderr}`);
  return project;
}
