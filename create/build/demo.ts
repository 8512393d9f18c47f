/**
 * `npm run demo`: what a user gets, from this checkout: builds, packs, creates a project in a fresh folder by way of the
 * packed tarball, and serves it on port 8000. With `--watch` (`npm run dev`) the project stays in `playground/`, and each
 * change of the sources is built into it.
 */

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const TO_TRY = `
  curl http://localhost:8000/
  curl http://localhost:8000/users/by/id/7
  curl http://localhost:8000/items -d '{"name":"lamp"}'
  curl -i http://localhost:8000/items -d '{}'
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const isWatching = process.argv.includes("--watch");
const parent = isWatching ? root : mkdtempSync(join(tmpdir(), "convention-app-"));
const project = join(parent, isWatching ? "playground" : "my-app");

npm(["run", "--silent", "build"], root);
if (existsSync(project)) vendor();
else createProject();
process.stdout.write(
  `\nThe project is in ${project}. It answers on port 8000; try, in another terminal:\n${TO_TRY}\n`,
);
if (isWatching) watchSources();
const dev = spawn("npm", ["run", "--silent", "dev"], { cwd: project, stdio: "inherit", shell: isWindows() });
// Ctrl-C ends dev, which may still have a request to answer, and then the demo.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => dev.kill(signal));
if (!isWatching) dev.on("close", () => rmSync(parent, { recursive: true, force: true }));

/** By the same door as a user: the tarball that npm would publish. */
function createProject(): void {
  const packed = mkdtempSync(join(tmpdir(), "convention-app-packed-"));
  npm(["pack", "--silent", "--pack-destination", packed], root);
  const tarball = join(packed, `create-convention-app-${process.env.npm_package_version}.tgz`);
  const create = ["create-convention-app", basename(project), "--yes", "--no-git"];
  npm(["exec", "--yes", "--package", tarball, "--", ...create], parent);
  rmSync(packed, { recursive: true });
}

function vendor(): void {
  cpSync(join(root, "dist/framework"), join(project, "vendor/framework"), { recursive: true });
}

function watchSources(): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ["runtime", "convention", "toolchain", "generators"]) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        npm(["run", "--silent", "build"], root, false);
        vendor();
      }, 100);
    });
  }
}

function npm(words: readonly string[], cwd: string, isFatal = true): void {
  const { status } = spawnSync("npm", words, { cwd, stdio: "inherit", shell: isWindows() });
  if (status !== 0 && isFatal) throw new Error(`npm ${words.join(" ")} ended with ${status}.`);
}

/** There `npm` is a command file, which only a shell can start. */
function isWindows(): boolean {
  return process.platform === "win32";
}
