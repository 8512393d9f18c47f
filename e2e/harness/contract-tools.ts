/** What others make of an OpenAPI document: linters, generators of clients, and a proxy that compares it with what is sent. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type Outcome, type RunningCommand, run, start } from "./command.ts";
import { ordinaryEnvironment } from "./environment.ts";
import { installLocked } from "./package.ts";
import { freePort } from "./port.ts";
import { REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/contract-tools");

/** @returns what redocly's strict rules find, in words. */
export async function lintStrictly(text: string): Promise<string[]> {
  // An operation that takes nothing refuses nothing.
  const rules = { "operation-4xx-response": "off" } as const;
  const config = await createConfig({ extends: ["recommended-strict"], rules });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ ruleId, message, location: [place] }) => `${ruleId}: ${message} (${place?.pointer ?? ""})`,
  );
}

/** Installs the others. They are large, so only `LONG=1` does. */
export async function installTools(): Promise<void> {
  if (!(await installLocked(FOLDER)))
    throw new Error("The tools could not be installed: `npm ci` in e2e/contract-tools tells why.");
}

/** Runs one of them in a folder, by the name of its command. */
export function runTool(cwd: string, [name = "", ...words]: readonly string[]): Promise<Outcome> {
  return run([join(FOLDER, "node_modules/.bin", name), ...words], { cwd, env: ordinaryEnvironment() });
}

/** Makes what is generated in a folder find the packages that it imports. */
export function linkTools(folder: string): void {
  symlinkSync(join(FOLDER, "node_modules"), join(folder, "node_modules"));
}

/** A proxy that adds `sl-violations` to each answer where the request or the answer is not as the document says. */
export async function startProxy(
  document: string,
  server: string,
): Promise<{ url: string; proxy: RunningCommand }> {
  const port = await freePort();
  const prism = join(FOLDER, "node_modules/.bin/prism");
  const words = [prism, "proxy", document, server, "--port", String(port)];
  const proxy = start(words, { cwd: FOLDER, env: ordinaryEnvironment() });
  await proxy.waitFor(/Prism is listening/);
  proxy.letGo();
  return { url: `http://127.0.0.1:${port}`, proxy };
}

/** What the proxy found, by where it is: in the request, or in the response. */
export function violationsIn(
  header: string | string[] | undefined,
): Record<"request" | "response", string[]> {
  const all = (typeof header === "string" ? JSON.parse(header) : []) as {
    location: string[];
    message: string;
  }[];
  const of = (side: string): string[] =>
    all
      .filter(({ location: [first] }) => first === side)
      .map(({ location, message }) => `${location.join(".")}: ${message}`);
  return { request: of("request"), response: of("response") };
}
