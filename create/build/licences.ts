/** The licences of the packages whose code is in a bundle: one file beside it. `e2e/package.test.ts` lists them, so that a person sees a new one. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "rolldown";

interface Package {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: unknown;
}

/** A NOTICE belongs to the licence wherever there is one: Apache-2.0, section 4 (d). */
const LEGAL_TEXT = /^(?:licen[cs]e|notice|copying)/i;

/** Rolldown names so what it adds itself. */
const BUNDLER_MODULE = "\0rolldown/";
const VIRTUAL_MODULE = "\0";

const RULE = "-".repeat(72);

/**
 * Writes `<bundle>.LICENSE.txt` beside each bundle, from the list of modules whose code is in it; those outside of
 * `node_modules` are ours and need none.
 *
 * @throws for a package without a licence text
 */
export function collectLicences(): Plugin {
  return {
    name: "collect-licences",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const fileName = chunk.fileName.replace(/\.c?js$/, ".LICENSE.txt");
        this.emitFile({ type: "asset", fileName, source: formatLicences(chunk.fileName, chunk.moduleIds) });
      }
    },
  };
}

/** @param modules the files whose code is in the bundle. */
export function formatLicences(bundle: string, modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => findPackage(id) ?? []));
  const packages = [...folders].sort().map((folder) => formatPackage(readPackage(folder)));
  const list = packages.map((text) => `  ${text.split("\n", 1)}`).join("\n");
  const title = `The packages whose code is in ${bundle}, bundled and minified:\n\n${list}\n`;
  return [title, ...packages].join(`\n${RULE}\n\n`);
}

/** @returns the folder of the package that a module belongs to; undefined for a module of ours */
function findPackage(id: string): string | undefined {
  if (id.startsWith(BUNDLER_MODULE))
    return dirname(createRequire(import.meta.url).resolve("rolldown/package.json"));
  if (id.startsWith(VIRTUAL_MODULE))
    throw new Error(`${JSON.stringify(id)} is bundled, and nothing tells whose it is.`);
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { folder, name, version, license };
}

function formatPackage({ folder, name, version, license }: Package): string {
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LEGAL_TEXT.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim())
    .sort();
  if (texts.length === 0) throw new Error(`${name} is bundled, and it has no licence text.`);
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
