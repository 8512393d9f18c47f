/** Reads the project for dev. What is parsed is kept, so that after a change only the changed files are parsed again. */

import { existsSync } from "node:fs";
import type { Declared } from "#convention/contract/declared";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { type Project, readSources, type Sources } from "#convention/project";
import type { Address } from "#runtime/node/listen";
import { Problem } from "#runtime/problem";
import { DEFAULT_SETTINGS, withEnvironment } from "#runtime/settings";
import { readAddress } from "../environment.ts";
import { ProjectError } from "../load/project-error.ts";

export type Reading = SoundReading | BrokenReading;

export interface SoundReading {
  readonly isSound: true;
  readonly project: Project;
  /** Where the settings want the project to be served. */
  readonly address: Address;
  /** Warnings, if there are any. */
  readonly warnings: ProjectError | undefined;
  /** @returns what the handler of a route says that it returns; undefined where it writes no type. @param name as in `GET /items`. */
  declaredOf(name: string): Promise<Declared | undefined>;
}

export interface BrokenReading {
  readonly isSound: false;
  /** With what could be read. */
  readonly project: Project | undefined;
  readonly address: Address;
  /** Why it can't be loaded. */
  readonly error: unknown;
}

/** Reports errors in the sources before those in the environment. */
export function readForDev(root: string): Reading {
  let project: Project | undefined;
  try {
    const sources = readSources(root);
    project = sources.project;
    const { diagnostics, settings } = project;
    const warnings = diagnostics.length > 0 ? new ProjectError(root, diagnostics) : undefined;
    if (warnings && hasErrors(diagnostics)) throw warnings;
    const address = readAddress(root, settings);
    return { isSound: true, project, address, warnings, declaredOf: (name) => declaredOf(sources, name) };
  } catch (error) {
    const gone = new Problem(`The project's folder is gone: ${root}`, "Put it back.");
    return {
      isSound: false,
      project,
      address: addressOf(root, project),
      error: existsSync(root) ? error : gone,
    };
  }
}

/** As far as it can be read: a project is to be broken at the address where it was wanted. */
function addressOf(root: string, project: Project | undefined): Address {
  const settings = project?.settings ?? DEFAULT_SETTINGS;
  for (const read of [() => readAddress(root, settings), () => withEnvironment(settings, process.env)]) {
    try {
      return read();
    } catch {}
  }
  return settings;
}

async function declaredOf(sources: Sources, name: string): Promise<Declared | undefined> {
  // Only here, because the contract's code is not needed to serve.
  const { readDeclared } = await import("#convention/contract/declared");
  const route = sources.project.routes.find(({ method, pattern }) => `${method} ${pattern}` === name);
  return route && readDeclared(sources, route);
}
