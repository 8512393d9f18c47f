/** The engines besides Node. Their packages are apart from the repository's own: `npm ci` in e2e/platforms installs them. */

import { join } from "node:path";
import { REPOSITORY } from "./workspace.ts";

export const ENGINES_FOLDER: string = join(REPOSITORY, "e2e/platforms");

export const ENGINES: Readonly<Record<"bun" | "deno" | "workerd", string>> = {
  bun: join(ENGINES_FOLDER, "node_modules/@oven/bun-linux-x64/bin/bun"),
  deno: join(ENGINES_FOLDER, "node_modules/@deno/linux-x64-glibc/deno"),
  workerd: join(ENGINES_FOLDER, "node_modules/@cloudflare/workerd-linux-64/bin/workerd"),
};
