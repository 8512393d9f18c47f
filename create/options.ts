/** Reads the command line, and recovers the flags that npm took from it. A refusal names the wrong word and says why. */

import { parseArgs } from "node:util";
import kleur from "kleur";
import leven from "leven";
import { isPackageManager, PACKAGE_MANAGERS, type PackageManager } from "./package-managers.ts";
import { escapeControl, isRefusal, type Refusal, refuse } from "./refusal.ts";
import { DATABASES, type Database, SAMPLE_APPS, type SampleApp, type Values } from "./template.ts";

/** What the command line decides. On a terminal we ask for the rest; otherwise it takes its default. */
export interface Flags {
  readonly directory?: string;
  readonly apps?: readonly SampleApp[];
  readonly bare?: boolean;
  readonly database?: Database | "none";
  readonly pm?: PackageManager;
  readonly install?: boolean;
  readonly git?: boolean;
  readonly description?: string;
  readonly author?: string;
  readonly license?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly upgrade?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

/** All that is decided before a project is made. */
export interface Choices extends Omit<Values, "project"> {
  readonly directory: string;
  readonly install: boolean;
  readonly git: boolean;
}

interface FlagText {
  readonly name: keyof Flags;
  readonly short?: string;
  /** The value's name in the help text. A flag without one is a switch. */
  readonly value?: string;
  /** The values that it may have. */
  readonly choices?: readonly string[];
  /** A switch that `--no-<name>` turns off. */
  readonly negatable?: boolean;
  readonly description: string;
}

export const FLAGS: readonly FlagText[] = [
  { name: "yes", short: "y", description: "ask nothing, take the defaults" },
  {
    name: "apps",
    value: "<names>",
    choices: [...SAMPLE_APPS, "none"],
    description: `sample apps, or none (default: ${SAMPLE_APPS.join(",")})`,
  },
  { name: "bare", description: "no sample apps or routes, and none of their tests" },
  {
    name: "database",
    value: "<name>",
    choices: [...DATABASES, "none"],
    description: `${DATABASES.join(", ")} or none (default: none)`,
  },
  {
    name: "pm",
    value: "<name>",
    choices: PACKAGE_MANAGERS,
    description: `${PACKAGE_MANAGERS.join(", ")} (default: the one in use)`,
  },
  { name: "install", negatable: true, description: "install packages now (default: no)" },
  { name: "git", negatable: true, description: "git repository with one commit (default: yes)" },
  { name: "description", value: "<text>", description: "for package.json" },
  { name: "author", value: "<text>", description: "for package.json" },
  { name: "license", value: "<id>", description: "for package.json (default: UNLICENSED)" },
  { name: "json", description: "print one JSON object, for programs; asks nothing" },
  { name: "upgrade", description: "upgrade the project in this folder to this version" },
  { name: "help", short: "h", description: "show this help" },
  { name: "version", short: "v", description: "show the version" },
];

const OPTIONS = Object.fromEntries(
  FLAGS.map(({ name, short, value }) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, short === undefined ? { type } : { type, short }];
  }),
);

/**
 * @param words the command line after the program's name
 * @param env in which npm leaves the name of an option whose value it gave us as a word
 * @example parseFlags(["shop", "--apps=users", "--no-git"]) // { directory: "shop", apps: ["users"], git: false }
 */
export function parseFlags(words: readonly string[], env: NodeJS.ProcessEnv = {}): Flags | Refusal {
  const { tokens } = parseArgs({ args: [...words], options: OPTIONS, strict: false, tokens: true });
  const given: Record<string, unknown> = {};
  const directories: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") directories.push(token.value);
    if (token.kind !== "option") continue;
    const flag = FLAGS.find(({ name }) => name === token.name);
    const negated = FLAGS.find(({ name, negatable }) => negatable && `no-${name}` === token.name);
    if (!flag && !negated) return unknownFlag(token.rawName);
    const read = flag?.value ? readText(flag, token) : readSwitch(token, flag !== undefined);
    if (isRefusal(read)) return read;
    given[(flag ?? negated)?.name ?? ""] = read;
  }
  if (directories.length > 1) return extraWord(directories, env);
  const flags: Flags = directories[0] === undefined ? given : { ...given, directory: directories[0] };
  if (!flags.bare || !flags.apps?.length) return flags;
  return refuse(2, "--bare leaves out all samples, but --apps asks for some", "Leave out one of the two.");
}

/** What `parseArgs` says about an option. */
interface Option {
  readonly rawName: string;
  readonly value: string | undefined;
  /** True for `--name=value`. */
  readonly inlineValue: boolean | undefined;
}

function readSwitch({ rawName, value }: Option, isOn: boolean): boolean | Refusal {
  if (value === undefined) return isOn;
  return refuse(2, `${rawName} takes no value, but got "${escapeControl(value)}"`, `Write ${rawName} alone.`);
}

function readText(flag: FlagText, { value, inlineValue }: Option): string | readonly string[] | Refusal {
  const { name, choices = [] } = flag;
  // `--apps --json` would otherwise take the next option for the value.
  if (value === undefined || (!inlineValue && value.startsWith("--")))
    return refuse(2, `--${name} needs a value`, `Write --${name} ${flag.value}.`);
  const names = name === "apps" ? value.split(/[\s,]+/).filter(Boolean) : [value];
  const unknown = names.find((one) => choices.length > 0 && !choices.includes(one));
  if (unknown !== undefined) {
    const hint = suggest(unknown, choices, "") ?? `Choose from ${choices.join(", ")}.`;
    return refuse(2, `--${name} can't be "${escapeControl(unknown)}"`, hint);
  }
  return name === "apps" ? SAMPLE_APPS.filter((app) => names.includes(app)) : value;
}

function unknownFlag(name: string): Refusal {
  const known = FLAGS.flatMap((flag) => (flag.negatable ? [flag.name, `no-${flag.name}`] : [flag.name]));
  const hint = suggest(name.replace(/^-+/, ""), known, "--") ?? "--help lists the options.";
  return refuse(2, `there is no option ${escapeControl(name)}`, hint);
}

/** @returns undefined where none is like the word. */
function suggest(asked: string, known: readonly string[], before: string): string | undefined {
  const [nearest] = known
    .map((word) => ({ word, distance: leven(asked, word) }))
    .sort((left, right) => left.distance - right.distance);
  const limit = Math.max(1, Math.round(asked.length * 0.4));
  return nearest && nearest.distance <= limit ? `Did you mean ${before}${nearest.word}?` : undefined;
}

function extraWord(directories: readonly string[], environment: NodeJS.ProcessEnv): Refusal {
  const [first, second] = directories.map(escapeControl);
  const option = TEXTS.find((name) => environment[`npm_config_${name}`] === "true");
  const words = option === undefined ? "--yes" : `--${option} "${second}"`;
  return refuse(
    2,
    `only one directory can be given, but there are two: "${first}" and "${second}"`,
    `Quote a name that has spaces. npm wants "--" before options: npm create convention-app ${first} -- ${words}`,
  );
}

/** What `--help` prints. */
export function formatHelp(): string {
  const rows = FLAGS.map((flag) => {
    const short = flag.short === undefined ? "    " : `-${flag.short}, `;
    const name = flag.negatable ? `[no-]${flag.name}` : flag.name;
    const left = `  ${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
    return `${left.padEnd(28)}${flag.description}`;
  });
  return [
    `${kleur.bold("create-convention-app")}: a TypeScript web API with function names for routes`,
    "",
    kleur.bold("Usage"),
    "  npm create convention-app@latest [directory] [-- options]",
    "",
    "  directory                 new, empty, or . for this folder (default: my-app);",
    "                            its last part is the project's name",
    "",
    kleur.bold("Options"),
    ...rows,
    "",
    kleur.bold("Examples"),
    "  npm create convention-app@latest my-shop -- --yes --apps products",
    "  npm create --silent convention-app@latest my-shop -- --json",
    "  pnpm create convention-app@latest my-shop --yes",
    "",
    "Only npm wants -- before options. On a terminal you are asked for what is",
    "missing; elsewhere it takes its default.",
    "Exit status: 0 done, 1 failed, 2 wrong usage, 130 cancelled.",
  ].join("\n");
}

/** Settings of npm, by name and value, that were flags of ours. Those beside `--upgrade` count: a dry run must not become a real one. */
const SWITCHES: readonly (readonly [setting: string, value: string, flag: string])[] = [
  ["yes", "true", "--yes"],
  ["json", "true", "--json"],
  ["install", "true", "--install"],
  ["install", "", "--no-install"],
  ["bare", "true", "--bare"],
  ["git", "", "--git"],
  ["git", "false", "--no-git"],
  ["upgrade", "true", "--upgrade"],
];
const BESIDE_UPGRADE = ["dry-run", "check", "continue", "abort", "force"];
const TEXTS = ["author", "license", "database"];

/**
 * `npm create convention-app shop --pm pnpm`, without the `--` that npm wants before our flags: npm takes them for its own.
 * We recover them from the environment, if npm leaves a trace there. A value that npm has left as a word is refused as a second directory.
 *
 * Seen with npm 11.19: the switches, `--author=Ann` and `--database=sqlite` arrive as settings, `--author Ann` without its value ("true").
 * npm reads `--pm pnpm` letter by letter: parseable, message "pnpm".
 */
export function recoverFlags(environment: NodeJS.ProcessEnv): string[] {
  if (!environment.npm_config_user_agent?.startsWith("npm/")) return [];
  const setting = (name: string) => environment[`npm_config_${name.replace("-", "_")}`];
  const manager = setting("parseable") === "true" ? setting("message") : undefined;
  const besideUpgrade = setting("upgrade") === "true" ? BESIDE_UPGRADE : [];
  return [
    ...SWITCHES.filter(([name, value]) => setting(name) === value).map(([, , flag]) => flag),
    ...besideUpgrade.filter((name) => setting(name) === "true").map((name) => `--${name}`),
    ...(isPackageManager(manager) ? [`--pm=${manager}`] : []),
    ...TEXTS.filter((name) => (setting(name) ?? "true") !== "true").map(
      (name) => `--${name}=${setting(name)}`,
    ),
  ];
}
