/** The list of the vendored files with a hash for each, by which a project later knows which of them it has edited. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface Manifest {
  readonly version: string;
  /** Path relative to the folder, with forward slashes, to the SHA-256 of its bytes in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
  /** What a new project's package.json has: an upgrade tells what differs from it later. */
  readonly template: Readonly<
    Record<"imports" | "scripts" | "devDependencies", Readonly<Record<string, string>>>
  >;
}

/**
 * @param folder absolute path of the runtime to be vendored.
 * @param template absolute path of the template.
 */
export function createManifest(folder: string, version: string, template: string): Manifest {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [relative(folder, file).split(sep).join("/"), hashFile(file)]);
  const { imports, scripts, devDependencies } = JSON.parse(
    readFileSync(join(template, "package.json"), "utf8"),
  );
  return { version, files: Object.fromEntries(files), template: { imports, scripts, devDependencies } };
}

function hashFile(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
