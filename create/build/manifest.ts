/** The list of the vendored files with a hash for each, by which a project later knows which of them it has edited. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface Manifest {
  readonly version: string;
  /** Path relative to the folder, with forward slashes, to the SHA-256 of its bytes in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
  /** What a new project has. An upgrade tells what differs from the parts of package.json later. */
  readonly template: Readonly<
    Record<"imports" | "scripts" | "devDependencies", Readonly<Record<string, string>>>
  > & {
    /** Files of the samples to the SHA-256 of their text, with LF: `destroy` takes back those that are still as they came. */
    readonly samples: Readonly<Record<string, string>>;
  };
}

/**
 * @param folder absolute path of the runtime to be vendored.
 * @param template absolute path of the template.
 */
export function createManifest(folder: string, version: string, template: string): Manifest {
  const files = hashFiles(folder, folder);
  const { imports, scripts, devDependencies } = JSON.parse(
    readFileSync(join(template, "package.json"), "utf8"),
  );
  const samples = Object.assign(
    {},
    ...SAMPLE_FOLDERS.map((name) => hashFiles(template, join(template, name))),
  );
  return { version, files, template: { imports, scripts, devDependencies, samples } };
}

const SAMPLE_FOLDERS = ["apps", "routes", "tests"];

/** @param below the folder whose files are listed, by their paths from `folder`. */
function hashFiles(folder: string, below: string): Readonly<Record<string, string>> {
  const files = readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [relative(folder, file).split(sep).join("/"), hashFile(file)]);
  return Object.fromEntries(files);
}

function hashFile(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
