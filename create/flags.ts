/** From the words of the command line to what was asked for, or to a refusal that says which word and why. */

import leven from "leven";
import { isPackageManager, PACKAGE_MANAGERS, type PackageManager } from "./package-managers.ts";
import { escapeControl, isRefusal, type Refusal, refuse } from "./refusal.ts";
import { SAMPLE_APPS, type SampleApp } from "./template.ts";

/** What the command line decides; what is absent is asked on a terminal, else takes its default. */
export interface Flags {
  readonly directory?: string;
  readonly apps?: readonly SampleApp[];
  readonly bare?: boolean;
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

export interface FlagText {
  readonly name: keyof Flags;
  readonly short?: string;
  /** What stands for the value in the help text; a flag without one is a switch. */
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
  { name: "bare", description: "no sample apps, sample routes, or their tests" },
  {
    name: "pm",
    value: "<name>",
    description: `${PACKAGE_MANAGERS.join(", ")} (default: the one in use)`,
  },
  { name: "install", negatable: true, description: "install packages (default: no, it runs without)" },
  { name: "git", negatable: true, description: "git repository with one commit (default: yes)" },
  { name: "description", value: "<text>", description: "for package.json" },
  { name: "author", value: "<text>", description: "for package.json" },
  { name: "license", value: "<id>", description: "for package.json (default: UNLICENSED)" },
  { name: "json", description: "print one JSON object, for programs; asks nothing" },
  { name: "upgrade", description: "bring this version into the project here" },
  { name: "help", short: "h", description: "show this" },
  { name: "version", short: "v", description: "show the version" },
];

interface Word {
  readonly flag: FlagText;
  readonly on: boolean;
  /** What stands after `=`. */
  readonly value: string | undefined;
}

/**
 * @param words the command line after the program's name
 * @example parseFlags(["shop", "--apps=users", "--no-git"]) // { directory: "shop", apps: ["users"], git: false }
 */
export function parseFlags(words: readonly string[]): Flags | Refusal {
  const given: Record<string, unknown> = {};
  const directories: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at] ?? "";
    if (text === "--") {
      directories.push(...words.slice(at + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      directories.push(text);
      continue;
    }
    const word = parseWord(text);
    if (isRefusal(word)) return word;
    let value = word.value;
    if (word.flag.value !== undefined && value === undefined) {
      value = words[++at];
      if (value === undefined || value.startsWith("--")) return missingValue(word.flag);
    }
    const read = word.flag.value === undefined ? word.on : readValue(word.flag.name, value ?? "");
    if (isRefusal(read)) return read;
    given[word.flag.name] = read;
  }
  if (directories.length > 1) return extraWord(directories);
  const flags: Flags = directories[0] === undefined ? given : { ...given, directory: directories[0] };
  return flags.bare && flags.apps?.length ? bareWithApps(flags.apps) : flags;
}

function parseWord(text: string): Word | Refusal {
  const [name = "", ...rest] = text.split("=");
  const value = text.includes("=") ? rest.join("=") : undefined;
  const flag = FLAGS.find(
    (known) => name === `--${known.name}` || (known.short !== undefined && name === `-${known.short}`),
  );
  const negated = FLAGS.find((known) => known.negatable === true && name === `--no-${known.name}`);
  const found = flag ?? negated;
  if (found === undefined) return unknownFlag(name);
  if (found.value === undefined && value !== undefined) {
    return refuse(
      2,
      `${name} takes no value, but "${escapeControl(value)}" was given`,
      `Write ${name} alone.`,
    );
  }
  return { flag: found, on: flag !== undefined, value };
}

/** The value of a flag that takes one, checked. */
export function readValue(name: keyof Flags, text: string): string | readonly SampleApp[] | Refusal {
  if (name === "apps") return readApps(text);
  if (name === "pm" && !isPackageManager(text)) {
    const hint = `Choose one of ${PACKAGE_MANAGERS.join(", ")}.`;
    return refuse(2, `--pm knows no package manager "${escapeControl(text)}"`, hint);
  }
  return text;
}

function readApps(text: string): readonly SampleApp[] | Refusal {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0 || (names.length === 1 && names[0] === "none")) return [];
  const unknown = names.find((name) => !SAMPLE_APPS.some((known) => known === name));
  if (unknown === undefined) return SAMPLE_APPS.filter((app) => names.includes(app));
  const hint = `Choose from ${SAMPLE_APPS.join(", ")}, or none. More apps are added later by: npx framework generate app`;
  return refuse(2, `there is no sample app "${escapeControl(unknown)}"`, hint);
}

function unknownFlag(name: string): Refusal {
  const known = FLAGS.flatMap((flag) => (flag.negatable ? [flag.name, `no-${flag.name}`] : [flag.name]));
  const asked = name.replace(/^-+/, "");
  const [nearest] = known
    .map((word) => ({ word, distance: leven(asked, word) }))
    .sort((left, right) => left.distance - right.distance);
  const close = nearest !== undefined && nearest.distance <= Math.max(1, Math.round(asked.length * 0.4));
  const hint = close ? `Did you mean --${nearest.word}?` : "--help lists the options.";
  return refuse(2, `there is no option ${escapeControl(name)}`, hint);
}

function missingValue(flag: FlagText): Refusal {
  return refuse(2, `--${flag.name} needs a value`, `Write --${flag.name} ${flag.value}.`);
}

function bareWithApps(apps: readonly SampleApp[]): Refusal {
  const hint = `Write one of the two. With --apps ${apps.join(",")} alone come the sample routes, too.`;
  return refuse(2, "--bare leaves all samples out, and --apps asks for some", hint);
}

function extraWord(directories: readonly string[]): Refusal {
  const [first = "", second = ""] = directories;
  return refuse(
    2,
    `one directory can be given, but there are two: "${escapeControl(first)}" and "${escapeControl(second)}"`,
    'Quote a name that has spaces. With npm, options stand after "--": npm create convention-app my-app -- --yes',
  );
}
