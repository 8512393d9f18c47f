/** Makes `dist/`, which is what npm publishes: the initializer, the template, and the runtime in the form that is vendored. */

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packFramework, recordBase } from "../framework.ts";
import { packTemplate } from "../template.ts";
import { bundleCreate } from "./bundle.ts";
import { pruneDeclarations } from "./declarations.ts";
import { bundleLibraries } from "./libraries.ts";
import { createManifest } from "./manifest.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
/** Built here and then moved, so that a build that fails leaves the last good one where it is. */
const staging = join(root, "node_modules/.dist");
const framework = join(staging, "framework");
/** What a project imports. */
const ENTRIES = ["index", "http", "test"] as const;

// npm packs a file's mode with it, and that is not to depend on who builds.
process.umask(0o022);
rmSync(staging, { recursive: true, force: true });
compileRuntime();
await bundleLibraries(join(root, "runtime/deps"), join(framework, "deps"));
writeFrameworkPackage();
await bundleCreate(join(staging, "create.cjs"));
packTemplate(join(root, "template"), staging);
packFramework(framework, staging);
rmSync(dist, { recursive: true, force: true });
renameSync(staging, dist);

/** One .js for each source file, with its comments: the project that they are copied into owns and reads them. */
function compileRuntime(): void {
  const compiled = join(staging, "compiled");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "runtime"), "--outDir", compiled], {
    stdio: "inherit",
  });
  renameSync(join(compiled, "runtime"), framework);
  renameSync(join(compiled, "generators"), join(framework, "generators"));
  rmSync(compiled, { recursive: true });
  // Compiled along, because the others import them. They are bundled instead.
  rmSync(join(framework, "deps"), { recursive: true });
  pruneDeclarations(framework, ENTRIES);
}

function writeFrameworkPackage(): void {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeJson(join(framework, "package.json"), {
    name: "framework",
    version,
    description:
      "The runtime of this project, vendored by create-convention-app: yours to read and to change",
    license,
    private: true,
    type: "module",
    main: "./cli/main.js",
    bin: { framework: "./cli/main.js" },
    exports: { ...Object.fromEntries(ENTRIES.map(toExport)), "./package.json": "./package.json" },
    imports: { "#runtime/*": "./*.js", "#generators/*": "./generators/*.js" },
    engines,
  });
  cpSync(join(root, "LICENSE"), join(framework, "LICENSE"));
  chmodSync(join(framework, "cli/main.js"), 0o755);
  recordBase(framework);
  writeJson(join(framework, "manifest.json"), createManifest(framework, version, join(root, "template")));
}

function toExport(entry: string): [name: string, targets: Readonly<Record<"types" | "default", string>>] {
  const name = entry === "index" ? "." : `./${entry}`;
  return [name, { types: `./${entry}.d.ts`, default: `./${entry}.js` }];
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
