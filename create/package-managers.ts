/** What differs between npm, pnpm, yarn and bun: the words to create, to install and to run a script. */

export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

export function isPackageManager(text: string | undefined): text is PackageManager {
  return PACKAGE_MANAGERS.some((known) => known === text);
}

/**
 * Whose `create` command runs us.
 *
 * @param userAgent `npm_config_user_agent`, which all four set, as in `pnpm/10.1.0 npm/? node/v22.1.0 linux x64`
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/", 1)[0];
  return isPackageManager(name) ? name : "npm";
}

/** Only npm needs a `--` before flags: otherwise it takes them for its own. */
export function toCreateCommand(
  manager: PackageManager,
  directory: string,
  flags: readonly string[],
): string {
  const initializer = manager === "yarn" ? "convention-app" : "convention-app@latest";
  const separator = manager === "npm" && flags.length > 0 ? ["--"] : [];
  return [manager, "create", initializer, directory, ...separator, ...flags].join(" ");
}

/**
 * The commands to begin with, and the framework's command without its words. Yarn 2 and later run nothing before an install, so
 * until then npm does it, which comes with Node.
 */
export function toFirstCommands(
  manager: PackageManager,
  installed: boolean,
): { dev: string; routes: string; framework: string } {
  const runner = manager === "yarn" && !installed ? "npm" : manager;
  if (runner === "npm")
    return { dev: "npm run dev", routes: "npx framework routes list", framework: "npx framework" };
  return { dev: `${runner} run dev`, routes: `${runner} run routes`, framework: "node vendor/framework" };
}

/** The shell commands by which CI installs a project. With a committed lockfile they install exactly what it names. */
export const INSTALL_STEPS: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ["if [ -f package-lock.json ]; then npm ci; else npm install; fi"],
  pnpm: [
    "npm install --global pnpm",
    "if [ -f pnpm-lock.yaml ]; then pnpm install --frozen-lockfile; else pnpm install --no-frozen-lockfile; fi",
  ],
  // corepack reads in package.json (`packageManager`) which yarn to run. Node 25 and later do not bring corepack. Images of Node bring a yarn.
  yarn: [
    "npm install --global --force corepack",
    "corepack enable",
    "if [ -f yarn.lock ]; then yarn install --frozen-lockfile; else YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install; fi",
  ],
  bun: [
    "npm install --global bun",
    "if [ -f bun.lock ]; then bun install --frozen-lockfile; else bun install; fi",
  ],
};
