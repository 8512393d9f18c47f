/** Starts TypeScript before the project is read, because both take long and need nothing of each other. */

import { APPS_FOLDER, appFiles, HOOKS_FILE, hooksFile, ROUTES_FOLDER } from "#convention/layout";
import { createFiles, type Files } from "#convention/source/files";
import { createModules } from "#convention/source/modules";
import type { Trees } from "#convention/source/syntax";
import { findCompiler } from "./compiler.ts";
import { type Copies, copySources, leavesTypes, type Subject } from "./copies.ts";
import { type Compilation, openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace.ts";

/** TypeScript at work. */
export interface Started {
  /** Whoever has it closes it. */
  readonly workspace: Workspace;
  readonly program: string;
  readonly copies: Copies;
  readonly compiling: Promise<Compilation>;
}

/**
 * @param trees keep what is parsed for those who read the project next.
 * @returns undefined where it is not worth it, or not possible; nothing is reported.
 */
export function startAhead(root: string, trees: Trees): Started | undefined {
  const program = findCompiler(root);
  const files = createFiles(root);
  try {
    return program === undefined
      ? undefined
      : startCompiler(root, program, {
          files,
          trees,
          modules: createModules(files),
          wanted: guessFiles(files),
        });
  } catch {
    return undefined;
  }
}

/** @returns undefined where those files write all their types. @throws the system's error where the copies can't be written. */
export function startCompiler(
  root: string,
  program: string,
  subject: Subject,
  options: WorkspaceOptions = {},
): Started | undefined {
  if (!leavesTypes(subject)) return undefined;
  const workspace = openWorkspace(root, options);
  try {
    const copies = copySources(subject, workspace.home);
    workspace.write(copies.texts);
    return { workspace, program, copies, compiling: workspace.compile(program, copies.texts.keys()) };
  } catch (error) {
    workspace.close();
    throw error;
  }
}

/** The files whose functions serve requests, by their places alone. */
function guessFiles(files: Files): readonly string[] {
  const apps = files.list(APPS_FOLDER).flatMap(({ name, kind }) => (kind === "folder" ? [name] : []));
  const known = [
    HOOKS_FILE,
    hooksFile(APPS_FOLDER),
    ...apps.flatMap((app) => [hooksFile(appFiles(app).folder), appFiles(app).views]),
  ];
  return [...known.filter(files.has), ...listSources(files, ROUTES_FOLDER)];
}

function listSources(files: Files, folder: string): readonly string[] {
  return files.list(folder).flatMap(({ name, kind, link }) => {
    const path = `${folder}/${name}`;
    if (kind === "folder") return link ? [] : listSources(files, path);
    return /\.m?ts$/.test(name) && !/\.(?:d|test|spec)\.\w+$/.test(name) ? [path] : [];
  });
}
