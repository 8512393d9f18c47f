/** Makes `dist/`, which is what npm publishes: the initializer, the template, and the runtime in the form that is vendored. */

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packFramework } from "../framework.ts";
import { packTemplate } from "../template.ts";
import { bundleCreate } from "./bundle.ts";
import { bundleDeclarations } from "./declarations.ts";
import { bundleLibraries } from "./libraries.ts";
import { formatLicences } from "./licences.ts";
import { createManifest } from "./manifest.ts";
import { bundlePage } from "./page.ts";
import { BUNDLED, joinRuntime } from "./runtime.ts";
import { bundleTools } from "./tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
/** Built here and then moved, so that a build that fails leaves the last good one where it is. */
const staging = join(root, "dist.new");
const framework = join(staging, "framework");
/** What a project imports. */
const ENTRIES = ["index", "http", "database"] as const;
const RULE = `\n${"=".repeat(72)}\n\n`;

// npm packs a file's mode with it, and that is not to depend on who builds.
process.umask(0o022);
rmSync(staging, { recursive: true, force: true });
await makeFramework();
await bundleCreate(join(staging, "create.cjs"));
packTemplate(join(root, "template"), staging);
packFramework(framework, staging);
rmSync(dist, { recursive: true, force: true });
renameSync(staging, dist);

/** The modules of the runtime have their comments: the project that they are copied into owns and reads them. */
async function makeFramework(): Promise<void> {
  await joinRuntime(join(root, "runtime"), framework);
  const declared = join(staging, "declared");
  run("typescript/bin/tsc", ["-p", join(root, "create/build"), "--outDir", declared]);
  bundleDeclarations(join(declared, "runtime"), framework);
  rmSync(declared, { recursive: true });
  run("@biomejs/biome/bin/biome", ["format", "--write", "--vcs-enabled=false", framework]);
  mkdirSync(join(framework, "tools"));
  const licences = [
    ...Object.values(BUNDLED).map(({ file, module }) => formatLicences(`${module}.js`, [file])),
    ...(await bundleLibraries(join(root, "convention/deps"), framework)),
  ];
  await bundleTools(framework, await bundlePage(join(root, "toolchain/docs-page")));
  cpSync(join(root, "create/build/framework.md"), join(framework, "README.md"));
  writeFrameworkPackage(licences);
}

/** @param program a file of a package. What it prints is shown if it fails. */
function run(program: string, words: readonly string[]): void {
  const file = join(root, "node_modules", program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${program} has failed:\n${stdout}${stderr}`);
}

function writeFrameworkPackage(licences: readonly string[]): void {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeJson(join(framework, "package.json"), {
    name: "framework",
    version,
    description:
      "The runtime of this project, vendored by create-convention-app: yours to read and to change",
    license,
    private: true,
    type: "module",
    main: "./tools/cli.js",
    bin: { framework: "./tools/cli.js" },
    exports: { ...Object.fromEntries(ENTRIES.map(toExport)), "./package.json": "./package.json" },
    engines,
  });
  const ours = readFileSync(join(root, "LICENSE"), "utf8");
  writeFileSync(join(framework, "LICENSE"), [ours, ...licences].join(RULE));
  chmodSync(join(framework, "tools/cli.js"), 0o755);
  writeJson(join(framework, "manifest.json"), createManifest(framework, version));
}

function toExport(entry: string): [name: string, targets: Readonly<Record<"types" | "default", string>>] {
  const name = entry === "index" ? "." : `./${entry}`;
  return [name, { types: `./${entry}.d.ts`, default: `./${entry}.js` }];
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
