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
  const mistake = findMistake(text);
  if (mistake === undefined) return parseEnv(text) as Record<string, string>;
  throw new Problem(
    `${FILE}:${mistake.line} ${mistake.what}.`,
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

const ENTRY = /^(?:export\s+)?[\w.-]+\s*=\s*(["'`]?)(.*)$/;

/** The line itself is not shown: it may hold a secret. */
function findMistake(text: string): { line: number; what: string } | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "" || line.startsWith("#")) continue;
    const [, quote, rest = ""] = ENTRY.exec(line) ?? [];
    if (quote === undefined) return { line: at + 1, what: "does not set a variable" };
    if (quote === "" || rest.includes(quote)) continue;
    const end = lines.findIndex((below, index) => index > at && below.includes(quote));
    if (end === -1) return { line: at + 1, what: `begins with a quote, ${quote}, that nothing closes` };
    at = end;
  }
  return undefined;
}
