/** The package as npm would publish it: built if its sources are newer, packed once a run. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { run, runWell } from "./command.ts";
import { ordinaryEnvironment } from "./environment.ts";
import { once } from "./once.ts";
import { readPrepared } from "./prepared.ts";
import { atEnd, createFolder, REPOSITORY } from "./workspace.ts";

export interface Package {
  readonly tarball: string;
  readonly version: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** What the build reads. */
const SOURCES = [
  "runtime",
  "convention",
  "toolchain",
  "generators",
  "create",
  "template",
  "biome.json",
  "package.json",
  "package-lock.json",
];
/** A build that failed on its way leaves some of `dist/`. */
const WHOLE = ["create.cjs", "framework/manifest.json", "template"];

/** The package of this repository. */
export const packOnce: () => Promise<Package> = once("package", async () => {
  const prepared = readPrepared<Package>("package");
  if (prepared) return prepared;
  const env = ordinaryEnvironment();
  if (!isBuilt()) await runWell(["npm", "run", "build"], { cwd: REPOSITORY, env });
  return packFolder(REPOSITORY, createFolder("package"));
});

/** The folder `package` of its tarball, for what needs no npm. */
export const unpackOnce: () => Promise<string> = once("unpacked package", async () => {
  const { tarball } = await packOnce();
  const folder = createFolder("unpacked");
  await runWell(["tar", "-xzf", tarball, "-C", folder], { cwd: folder, env: ordinaryEnvironment() });
  return join(folder, "package");
});

/** Packs any folder that has a package.json. */
export async function packFolder(folder: string, destination: string): Promise<Package> {
  const words = ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const { stdout } = await runWell(words, { cwd: folder, env: ordinaryEnvironment() });
  const [packed] = JSON.parse(stdout) as {
    filename: string;
    version: string;
    size: number;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error(`npm pack made nothing in ${folder}`);
  return {
    tarball: join(destination, packed.filename),
    version: packed.version,
    size: packed.size,
    files: packed.files.map(({ path }) => path).sort(),
  };
}

/** True when `dist/` is whole and each file of it younger than every source: a stale package would make the tests lie. */
function isBuilt(): boolean {
  if (!WHOLE.every((file) => existsSync(join(REPOSITORY, "dist", file)))) return false;
  const built = timesOf(join(REPOSITORY, "dist"));
  const sources = SOURCES.flatMap((source) => timesOf(join(REPOSITORY, source)));
  return Math.min(...built) >= Math.max(...sources);
}

function timesOf(path: string): number[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [stat.mtimeMs];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.(?:test|fixture)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](?:node_modules|vendor)[\\/]/.test(file))
    .map((file) => statSync(file).mtimeMs);
}

const INSTALLED = "node_modules";

/**
 * Installs what a folder's lockfile names, if it is not there: beside it, and then by one rename, since several test files at a
 * time may want it.
 *
 * @param only one of its packages, which is installed in a folder of that name.
 * @returns false when that can't be done.
 */
export async function installLocked(folder: string, only?: string): Promise<boolean> {
  const target = join(folder, only ?? "", INSTALLED);
  if (isInstalled(folder, target)) return true;
  // On the same disk, so that it can be renamed, and where git does not look.
  const beside = mkdtempSync(join(REPOSITORY, "node_modules/.installing-"));
  const forget = atEnd(() => rmSync(beside, { recursive: true, force: true }));
  if (existsSync(target)) renameSync(target, join(beside, "outdated"));
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (only !== undefined) manifest.dependencies = { [only]: manifest.dependencies[only] };
  writeFileSync(join(beside, "package.json"), JSON.stringify(manifest));
  copyFileSync(join(folder, "package-lock.json"), join(beside, "package-lock.json"));
  const words = ["npm", "ci", "--no-audit", "--no-fund"];
  const { status } = await run(words, { cwd: beside, env: ordinaryEnvironment() });
  try {
    mkdirSync(dirname(target), { recursive: true });
    if (status === 0) renameSync(join(beside, INSTALLED), target);
  } catch {
    // Another test file was first.
  }
  rmSync(beside, { recursive: true });
  forget();
  return isInstalled(folder, target);
}

function isInstalled(folder: string, target: string): boolean {
  // npm writes the inner one last.
  const [wanted, present] = [join(folder, "package-lock.json"), join(target, ".package-lock.json")].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs,
  );
  return wanted !== undefined && present !== undefined && present >= wanted;
}
