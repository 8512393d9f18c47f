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

export interface FlagText {
  readonly name: keyof Flags;
  readonly short?: string;
  /** The value's name in the help text. A flag without one is a switch. */
  readonly value?: string;
  /** A switch that `--no-<name>` turns off. */
  readonly negatable?: boolean;
  readonly description: string;
}

export const FLAGS: readonly FlagText[] = [
  { name: "yes", short: "y", description: "ask nothing, take the defaults" },
  {
    name: "apps",
    value: "<names>",
    description: `sample apps, or none (default: ${SAMPLE_APPS.join(",")})`,
  },
  { name: "bare", description: "no sample apps or routes, and none of their tests" },
  { name: "database", value: "<name>", description: `${DATABASES.join(", ")} or none (default: none)` },
  {
    name: "pm",
    value: "<name>",
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
 * @example parseFlags(["shop", "--apps=users", "--no-git"]) // { directory: "shop", apps: ["users"], git: false }
 */
export function parseFlags(words: readonly string[]): Flags | Refusal {
  const { tokens } = parseArgs({ args: [...words], options: OPTIONS, strict: false, tokens: true });
  const given: Record<string, unknown> = {};
  const directories: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") directories.push(token.value);
    if (token.kind !== "option") continue;
    const [flag, isOn] = findFlag(token.name);
    if (flag === undefined) return unknownFlag(token.rawName);
    const read = flag.value === undefined ? readSwitch(token, isOn) : readText(flag, token);
    if (isRefusal(read)) return read;
    if (isOther(given[flag.name], read)) return secondValue(flag);
    given[flag.name] = read;
  }
  if (directories.length > 1) return extraWord(directories);
  const flags: Flags = directories[0] === undefined ? given : { ...given, directory: directories[0] };
  return flags.bare && flags.apps?.length ? bareWithApps(flags.apps) : flags;
}

/** A value twice says nothing new. Of two, one would be lost without a word. */
function isOther(before: unknown, value: unknown): boolean {
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(value);
}

function secondValue({ name, value, negatable }: FlagText): Refusal {
  if (negatable)
    return refuse(2, `--${name} and --no-${name} contradict each other`, "Leave out one of the two.");
  const hint =
    name === "apps" ? "Give all names at once: --apps users,products" : `Write --${name} ${value} once.`;
  return refuse(2, `--${name} has two values`, hint);
}

function findFlag(name: string): [flag: FlagText | undefined, isOn: boolean] {
  const flag = FLAGS.find((known) => known.name === name);
  const negated = FLAGS.find((known) => known.negatable === true && name === `no-${known.name}`);
  return [flag ?? negated, flag !== undefined];
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

function readText(flag: FlagText, { value, inlineValue }: Option): ReturnType<typeof readValue> {
  // `--apps --json` would otherwise take the next option for the value.
  const isMissing = value === undefined || (!inlineValue && value.startsWith("--"));
  if (!isMissing) return readValue(flag.name, value);
  return refuse(2, `--${flag.name} needs a value`, `Write --${flag.name} ${flag.value}.`);
}

/** Checks the value of a flag that takes one. */
function readValue(name: keyof Flags, text: string): string | readonly SampleApp[] | Refusal {
  if (name === "apps") return readApps(text);
  if (name === "pm" && !isPackageManager(text)) {
    const hint = `Choose one of ${PACKAGE_MANAGERS.join(", ")}.`;
    return refuse(2, `--pm: there is no package manager "${escapeControl(text)}"`, hint);
  }
  return name === "database" ? readDatabase(text) : text;
}

function readDatabase(text: string): string | Refusal {
  const known = [...DATABASES, "none"];
  if (known.includes(text)) return text;
  const near = findNearest(text, known);
  const hint = near === undefined ? `Choose one of ${known.join(", ")}.` : `Did you mean ${near}?`;
  return refuse(2, `--database: there is no database "${escapeControl(text)}"`, hint);
}

function readApps(text: string): readonly SampleApp[] | Refusal {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0 || (names.length === 1 && names[0] === "none")) return [];
  const unknown = names.find((name) => !SAMPLE_APPS.some((known) => known === name));
  if (unknown === undefined) return SAMPLE_APPS.filter((app) => names.includes(app));
  const hint = `Choose from ${SAMPLE_APPS.join(", ")}, or none. Add other apps in the project later: npx framework generate app`;
  return refuse(2, `there is no sample app "${escapeControl(unknown)}"`, hint);
}

function unknownFlag(name: string): Refusal {
  const known = FLAGS.flatMap((flag) => (flag.negatable ? [flag.name, `no-${flag.name}`] : [flag.name]));
  const asked = name.replace(/^-+/, "");
  const near = findNearest(asked, known);
  const hint = near === undefined ? "--help lists the options." : `Did you mean --${near}?`;
  return refuse(2, `there is no option ${escapeControl(name)}`, hint);
}

/** @returns undefined where none is like the word. */
function findNearest(asked: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((word) => ({ word, distance: leven(asked, word) }))
    .sort((left, right) => left.distance - right.distance);
  const limit = Math.max(1, Math.round(asked.length * 0.4));
  return nearest !== undefined && nearest.distance <= limit ? nearest.word : undefined;
}

function bareWithApps(apps: readonly SampleApp[]): Refusal {
  const hint = `Leave out one of the two. --apps ${apps.join(",")} alone also adds the sample routes.`;
  return refuse(2, "--bare leaves out all samples, but --apps asks for some", hint);
}

function extraWord(directories: readonly string[]): Refusal {
  const [first, second] = directories.map(escapeControl);
  return refuse(
    2,
    `only one directory can be given, but there are two: "${first}" and "${second}"`,
    'Quote a name that has spaces. npm wants "--" before options: npm create convention-app my-app -- --yes',
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

export interface Recovered {
  /** The flags that npm kept. They go before the words. */
  readonly words: readonly string[];
  /** The command line without the words that were values of these flags. */
  readonly rest: readonly string[];
}

/**
 * `npm create convention-app shop --pm pnpm`, without the `--` that npm wants before our flags: npm takes them for its own.
 * We recover them from the environment, if npm leaves a trace there.
 *
 * Seen with npm 11.19: the switches below, `--author=Ann` and `--database=sqlite` arrive as settings. `--upgrade` does, too, with the flags that go with it.
 * npm reads `--pm pnpm` letter by letter: parseable, message "pnpm". In the same way `--apps users` becomes all, parseable and
 * log level silent, and `users` is a word, like the value of `--author Ann`. `--description` leaves only its text as a word, and
 * `parseFlags` refuses that.
 */
export function recoverFlags(words: readonly string[], environment: NodeJS.ProcessEnv): Recovered {
  if (!environment.npm_config_user_agent?.startsWith("npm/")) return { words: [], rest: words };
  const setting = (name: string) => environment[`npm_config_${name}`];
  const [message, isParseable] = [setting("message"), setting("parseable") === "true"];
  const isApps = isParseable && setting("all") === "true" && setting("loglevel") === "silent";
  const recovered = [
    ...SWITCHES.filter(([name, value]) => setting(name) === value).map(([, , flag]) => flag),
    ...(setting("upgrade") === "true" ? ["--upgrade", ...recoverBesideUpgrade(setting)] : []),
    ...(isParseable && isPackageManager(message) ? [`--pm=${message}`] : []),
    ...TEXTS.filter((name) => (setting(name) ?? "true") !== "true").map(
      (name) => `--${name}=${setting(name)}`,
    ),
  ];
  const lost = [...(isApps ? ["apps" as const] : []), ...TEXTS.filter((name) => setting(name) === "true")];
  const [flag, otherFlag] = lost;
  const [, value, otherValue] = words.filter((word) => !word.startsWith("-"));
  const isClear = otherFlag === undefined && otherValue === undefined;
  if (!isClear || flag === undefined || value === undefined || isRefusal(readValue(flag, value)))
    return { words: recovered, rest: words };
  return { words: [...recovered, `--${flag}=${value}`], rest: words.toSpliced(words.lastIndexOf(value), 1) };
}

const SWITCHES: readonly (readonly [setting: string, value: string, flag: string])[] = [
  ["yes", "true", "--yes"],
  ["json", "true", "--json"],
  ["install", "true", "--install"],
  ["install", "", "--no-install"],
  ["bare", "true", "--bare"],
  ["git", "", "--git"],
  ["git", "false", "--no-git"],
];

/** Without `=`, such a setting is "true", and its value is a word. */
const TEXTS = ["author", "license", "database"] as const;

/** A dry run must not become a real one. */
function recoverBesideUpgrade(setting: (name: string) => string | undefined): string[] {
  const names = ["dry-run", "check", "continue", "abort", "force"];
  return names.filter((name) => setting(name.replace("-", "_")) === "true").map((name) => `--${name}`);
}
