/** Makes `dist/`, which is what npm publishes: the initializer, the template, and the runtime in the form that is vendored. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { bundleCreate } from "./bundle.ts";
import { collectLicences } from "./licences.ts";
import { createManifest } from "./manifest.ts";
import { packFramework, packTemplate } from "./template.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
/** Built here and then moved, so that a build that fails leaves the last good one where it is. */
const staging = join(root, "node_modules/.dist");
const framework = join(staging, "framework");

rmSync(staging, { recursive: true, force: true });
compileRuntime();
await bundleDependencies();
writeFrameworkPackage();
await bundleCreate(join(staging, "create.cjs"));
packTemplate(join(root, "template"), staging);
packFramework(framework, staging);
rmSync(dist, { recursive: true, force: true });
renameSync(staging, dist);

/** One .js and one .d.ts for each source file, with its comments: the project that they are copied into owns and reads them. */
function compileRuntime(): void {
  const compiled = join(staging, "compiled");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "runtime"), "--outDir", compiled], {
    stdio: "inherit",
  });
  renameSync(join(compiled, "runtime"), framework);
  renameSync(join(compiled, "generators"), join(framework, "generators"));
  rmSync(compiled, { recursive: true });
}

/** Third-party code sits apart from ours: one file a library, with its licence. */
async function bundleDependencies(): Promise<void> {
  const source = join(root, "runtime/deps");
  const target = join(framework, "deps");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  for (const file of readdirSync(source).filter((name) => name.endsWith(".ts"))) {
    const build = await rolldown({
      input: join(source, file),
      platform: "node",
      logLevel: "warn",
      // ES modules where a library has them: a CommonJS one stands in a function, which Node 20 compiles twice.
      resolve: { mainFields: ["module", "main"] },
      plugins: [unwrapParser()],
    });
    const { output } = await build.write({
      file: join(target, file.replace(/\.ts$/, ".js")),
      format: "esm",
      minify: true,
      codeSplitting: false,
    });
    await build.close();
    const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
    writeFileSync(join(target, file.replace(/\.ts$/, ".LICENSE.txt")), collectLicences(modules));
  }
}

/** @babel/parser 7 has only a CommonJS form. Without the function around it, it loads in half the time on Node 20. */
function unwrapParser(): Plugin {
  return {
    name: "unwrap-parser",
    transform(code, id) {
      if (!/[\\/]@babel[\\/]parser[\\/]lib[\\/]index\.js$/.test(id)) return undefined;
      const body = code
        .replace(/Object\.defineProperty\(exports, ['"]__esModule['"], \{[^}]*\}\);/, "")
        .replace(/^exports\.(\w+) = (\w+);$/gm, "export { $2 as $1 };");
      if (/^\s*(?:module\.)?exports\b|\brequire\(/m.test(body))
        throw new Error(`${id} has another form now.`);
      return { code: body, moduleType: "js" };
    },
  };
}

function writeFrameworkPackage(): void {
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
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
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./http": { types: "./http.d.ts", default: "./http.js" },
      "./test": { types: "./test.d.ts", default: "./test.js" },
      "./package.json": "./package.json",
    },
    imports: { "#runtime/*": "./*.js", "#generators/*": "./generators/*.js" },
    engines: { node: ">=20.19" },
  });
  cpSync(join(root, "LICENSE"), join(framework, "LICENSE"));
  chmodSync(join(framework, "cli/main.js"), 0o755);
  writeJson(join(framework, "manifest.json"), createManifest(framework, version));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
