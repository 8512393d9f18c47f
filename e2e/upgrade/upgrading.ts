/** Upgrades in the test's process, and what they make of a project. */

import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { toCommandInput } from "#toolchain/cli/parse";
import { upgrade as command, runUpgrade } from "#toolchain/cli/upgrade/upgrade";
import type { Outcome } from "../harness/command.ts";
import { collect } from "../harness/in-process.ts";
import { once } from "../harness/once.ts";
import { packFolder, unpackOnce } from "../harness/package.ts";
import type { Project } from "../harness/project.ts";
import { createFolder } from "../harness/workspace.ts";
import { createVariant, type Draft, readTree, type Variant } from "./variants.ts";

export const VENDORED = "vendor/framework";

/** Files of the framework that each version has. */
export const APP = "runtime/app.js";
export const ROUTER = "runtime/routing.js";
export const WIRE = "runtime/wire.js";
export const GONE = "http.d.ts";
export const ADDED = "runtime/added.js";

export function prepend(draft: Draft, file: string, line: string): void {
  draft.write(file, `${line}\n${draft.read(file)}`);
}

/** Of every kind of file one changes; one comes, one goes. */
export const next: () => Promise<Variant> = once("version 90.2.0", () =>
  createVariant("90.2.0", (draft) => {
    for (const file of [APP, ROUTER]) prepend(draft, file, "// 90.2.0");
    draft.write(ADDED, "export const added = 2;\n");
    draft.remove(GONE);
  }),
);

/** One more. */
export const afterNext: () => Promise<Variant> = once("version 90.3.0", () =>
  createVariant("90.3.0", (draft) => {
    prepend(draft, WIRE, "// 90.3.0");
    draft.write(ADDED, "export const added = 3;\n");
  }),
);

export const pack: () => Promise<string> = once("tarball of version 90.2.0", async () => {
  return (await packFolder((await next()).folder, createFolder("packed"))).tarball;
});

/** `framework upgrade` in this process. @param own the framework that does it: with `--from` the folder above it, the newer one. */
export function upgradeBy(
  own: string,
  { folder: cwd }: Pick<Project, "folder">,
  ...words: string[]
): Promise<Outcome> {
  return collect(async (terminal) => runUpgrade(toCommandInput(command, words, { cwd, terminal }), own));
}

/** By the newer framework, as its package starts it, and with the package that made the project for its originals. */
export async function upgrade(
  project: Project,
  { framework }: Version,
  ...words: string[]
): Promise<Outcome> {
  const base = words.includes("--base") ? [] : ["--base", await unpackOnce()];
  return upgradeBy(framework, project, "--from", dirname(framework), ...base, ...words);
}

/** @param tell is called with what it prints to stderr, when it does. */
export async function upgradeTelling(
  { folder: cwd }: Project,
  { framework }: Version,
  tell: (line: string) => void,
): Promise<Outcome> {
  const words = ["--from", dirname(framework), "--base", await unpackOnce()];
  return collect((terminal) =>
    runUpgrade(
      toCommandInput(command, words, { cwd, terminal: { ...terminal, printError: tell } }),
      framework,
    ),
  );
}

export type Version = Pick<Variant, "framework">;

export async function upgradeWell(project: Project, version: Version, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await upgrade(project, version, ...words);
  assert.is(status, 0, stdout + stderr);
  assert.is(stderr, "");
  return stdout;
}

/** Without a version to go to, which `--continue` and `--abort` don't need. */
export function upgradeOn(project: Project, ...words: string[]): Promise<Outcome> {
  return upgradeBy(join(project.folder, VENDORED), project, ...words);
}

export function versionOf(project: Project): string {
  return JSON.parse(vendored(project, "package.json")).version;
}

/** Everything in the project, with the vendored files. */
export function treeOf({ folder }: Project): Record<string, string> {
  const files = Object.entries(readTree(folder)).map(([file, bytes]) => [file, bytes.toString("latin1")]);
  return Object.fromEntries(files);
}

/** The vendored files that are not as a version has them. */
export function differing({ folder }: Project, { files }: Pick<Variant, "files">): string[] {
  const found = readTree(join(folder, VENDORED));
  const names = [...new Set([...Object.keys(found), ...Object.keys(files)])].sort();
  return names.filter((file) => found[file]?.equals(files[file] ?? Buffer.of()) !== true);
}

export function vendored(project: Project, file: string): string {
  return project.read(`${VENDORED}/${file}`);
}

export function editTop(project: Project, file: string, line: string): void {
  project.write(`${VENDORED}/${file}`, `${line}\n${vendored(project, file)}`);
}

export function editEnd(project: Project, file: string, line: string): void {
  project.write(`${VENDORED}/${file}`, `${vendored(project, file)}${line}\n`);
}
