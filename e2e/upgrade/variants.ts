/** Other versions of the package: this one with real edits made to the framework in it. */

import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { unpackOnce } from "../harness/package.ts";
import { createFolder, REPOSITORY } from "../harness/workspace.ts";

export interface Variant {
  readonly version: string;
  /** The package as a folder, which has a package.json. */
  readonly folder: string;
  /** The framework in it, before it is packed. */
  readonly framework: string;
  /** That framework as a project without a database has it, by file. */
  readonly files: Readonly<Record<string, Buffer>>;
}

/** A framework before it is packed. */
export interface Draft {
  readonly folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Replaces a text that has to be there. */
  edit(file: string, before: string, after: string): void;
  remove(file: string): void;
  /** What a new project's package.json has, as the manifest says it. */
  readonly template: {
    readonly bin: Record<string, string>;
    readonly scripts: Record<string, string>;
    readonly devDependencies: Record<string, string>;
  };
}

/** @param change makes of this version's framework that of another. */
export async function createVariant(version: string, change: (draft: Draft) => void): Promise<Variant> {
  const unpacked = await unpackOnce();
  const framework = join(createFolder("version"), "framework");
  cpSync(join(REPOSITORY, "dist/framework"), framework, { recursive: true });
  const draft = openDraft(framework);
  draft.edit("package.json", `"version": "${versionOf(unpacked)}"`, `"version": "${version}"`);
  change(draft);
  writeFileSync(join(framework, MANIFEST), JSON.stringify({ template: draft.template }));
  return packVariant(version, framework);
}

const MANIFEST = "manifest.json";

/**
 * @param framework a built framework; its manifest is written again.
 * @param damaged files that are packed in another form than the manifest says.
 * @returns the package of this version with that framework in it.
 */
export async function packVariant(
  version: string,
  framework: string,
  damaged: readonly string[] = [],
): Promise<Variant> {
  const unpacked = await unpackOnce();
  const folder = createFolder("variant");
  cpSync(unpacked, folder, { recursive: true });
  const text = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(
    join(folder, "package.json"),
    text.replace(`"version": "${versionOf(unpacked)}"`, `"version": "${version}"`),
  );
  const { template } = JSON.parse(readFileSync(join(framework, MANIFEST), "utf8"));
  rmSync(join(framework, MANIFEST));
  const manifest = { version, files: hashesOf(framework), template };
  writeFileSync(join(framework, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  const changed = damaged.map((file) => [file, Buffer.from("damaged")]);
  const files = { ...readTree(framework), ...Object.fromEntries(changed) };
  writeFileSync(join(folder, "dist/template/framework.br"), archiveOf(files));
  return { version, folder, framework, files: Object.fromEntries(withoutDatabase(readTree(framework))) };
}

function withoutDatabase(tree: Readonly<Record<string, Buffer>>): readonly (readonly [string, Buffer])[] {
  return Object.entries(tree).filter(([file]) => !/^database[./]/.test(file));
}

/** Every file of a folder, by its path in it. */
export function readTree(folder: string): Record<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file))]));
}

function openDraft(folder: string): Draft {
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  return {
    folder,
    read,
    write,
    edit(file, before, after) {
      if (!read(file).includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)}`);
      write(
        file,
        read(file).replace(before, () => after),
      );
    },
    remove: (file) => rmSync(join(folder, file)),
    template: JSON.parse(read(MANIFEST)).template,
  };
}

/** The form that packages of every version have: a line of JSON with the length of each file, then all files, compressed. */
export function archiveOf(tree: Readonly<Record<string, Buffer>>): Buffer {
  const files = Object.entries(tree);
  const index = JSON.stringify(Object.fromEntries(files.map(([file, bytes]) => [file, bytes.length])));
  const bytes = Buffer.concat([Buffer.from(`${index}\n`), ...files.map(([, content]) => content)]);
  // The best compression takes seconds, and is not what is looked at here.
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

function hashesOf(folder: string): Record<string, string> {
  const hash = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  return Object.fromEntries(Object.entries(readTree(folder)).map(([file, bytes]) => [file, hash(bytes)]));
}

function versionOf(folder: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}
