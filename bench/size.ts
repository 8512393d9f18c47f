/** How much is published, and how much a project brings with it. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { packOnce } from "../e2e/harness/package.ts";
import { copyProject } from "../e2e/harness/project.ts";
import { measureBundle } from "./bundle.ts";
import { formatTable } from "./measure.ts";

export async function benchSize(): Promise<string> {
  const { size, files } = await packOnce();
  const project = await copyProject();
  const { dependencies } = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
  const fetched = Object.values(dependencies as Record<string, string>).filter(
    (from) => !from.startsWith("file:"),
  );
  const all = filesBelow(project.folder);
  const vendored = all.filter((file) => file.startsWith(join(project.folder, "vendor")));
  const kilobytes = (list: readonly string[]): string =>
    (list.reduce((sum, file) => sum + statSync(file).size, 0) / 1024).toFixed(0);
  return formatTable(
    ["", "files", "KiB"],
    [
      ["published package, packed", String(files.length), (size / 1024).toFixed(0)],
      [
        "project, without the vendored runtime",
        String(all.length - vendored.length),
        kilobytes(all.filter((file) => !vendored.includes(file))),
      ],
      ["vendored runtime", String(vendored.length), kilobytes(vendored)],
      ["smallest app, bundled and minified", "1", ((await measureBundle()) / 1024).toFixed(1)],
      ["packages fetched to run it", String(fetched.length), "0"],
    ],
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
