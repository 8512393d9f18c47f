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

/** The words before the directory and those before the flags: only npm needs a `--` to leave flags alone. */
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
 * The commands to begin with, the last of them without its words. Yarn 2 and later run nothing in a project that was not installed, so there npm,
 * which comes with Node, does it.
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

interface Installing {
  /** Brings what does not come with Node. */
  readonly before: readonly string[];
  readonly lockfile: string;
  /** Just what the lockfile names. */
  readonly locked: string;
  /** Where there is none yet; in CI most want one. */
  readonly unlocked: string;
}

const INSTALLING: Readonly<Record<PackageManager, Installing>> = {
  npm: { before: [], lockfile: "package-lock.json", locked: "npm ci", unlocked: "npm install" },
  pnpm: {
    before: ["npm install --global pnpm"],
    lockfile: "pnpm-lock.yaml",
    locked: "pnpm install --frozen-lockfile",
    unlocked: "pnpm install --no-frozen-lockfile",
  },
  // Which yarn is said by `packageManager` in package.json, and read by corepack, which comes no more with Node 25.
  yarn: {
    before: ["npm install --global corepack", "corepack enable"],
    lockfile: "yarn.lock",
    locked: "yarn install --frozen-lockfile",
    unlocked: "YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install",
  },
  bun: {
    before: ["npm install --global bun"],
    lockfile: "bun.lock",
    locked: "bun install --frozen-lockfile",
    unlocked: "bun install",
  },
};

/** The lines of shell with which CI installs a project, before and after its lockfile is committed. */
export function toInstallSteps(manager: PackageManager): readonly string[] {
  const { before, lockfile, locked, unlocked } = INSTALLING[manager];
  return [...before, `if [ -f ${lockfile} ]; then ${locked}; else ${unlocked}; fi`];
}
