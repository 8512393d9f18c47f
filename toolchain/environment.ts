/** What a process that serves a project has around it: its `.env`, and the mode in NODE_ENV. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { codeOf, explainSystemError } from "#convention/diagnostics/system-error";
import type { Address } from "#runtime/node/listen";
import { Problem } from "#runtime/problem";
import { type ServerSettings, withEnvironment } from "#runtime/settings";

const FILE = ".env";

/** Sets what the project's `.env` sets, if it has one. A variable that is already set overrides it. @throws {Problem} */
export function loadEnvironment(root: string, mode: "development" | "production"): void {
  for (const [name, value] of Object.entries(readEnvironment(root))) process.env[name] ??= value;
  process.env.NODE_ENV ??= mode;
}

/**
 * The variables of the project's `.env`; none where it has no such file.
 *
 * @throws {Problem} when it can't be read, or has a line that sets nothing, which Node would silently ignore.
 */
export function readEnvironment(root: string): Readonly<Record<string, string>> {
  const text = readText(join(root, FILE));
  const line = findMistake(text);
  if (line === 0) return parseEnv(text) as Record<string, string>;
  throw new Problem(
    `${FILE}:${line} does not set a variable.`,
    "A line is NAME=value, or a comment after #.",
  );
}

/** Where a server of the project will listen, unless its code says otherwise. @throws {Problem} */
export function readAddress(root: string, settings: ServerSettings): Address {
  return withEnvironment(settings, { ...readEnvironment(root), ...process.env });
}

function readText(path: string): string {
  try {
    // To read a pipe is to wait until somebody writes into it.
    if (statSync(path).isFIFO()) throw toProblem("it is a pipe and not a file");
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (codeOf(error) === "ENOENT") return "";
    throw toProblem(explainSystemError(error));
  }
}

function toProblem(why: string): Problem {
  return new Problem(`${FILE} could not be read: ${why}.`, "Fix that, or remove it.");
}

/** The line itself is not shown: it may hold a secret. @returns the number of the first line that sets nothing; 0 for none. */
function findMistake(text: string): number {
  const lines = text
    .replace(/^[ \t]*#.*$/gm, "")
    // What is in quotes may have lines of its own.
    .replace(/=[ \t]*(["'`])[\s\S]*?\1/g, (quoted) => `=${quoted.replace(/[^\n]/g, "")}`)
    .split("\n");
  return lines.findIndex((line) => line.trim() !== "" && !/^\s*(?:export\s+)?[\w.-]+\s*=/.test(line)) + 1;
}
