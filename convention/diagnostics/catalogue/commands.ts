/** What commands can report: generators by codes FW6xx, a build by FW7xx, upgrades and the doctor by FW8xx. */

import { listed } from "../entry.ts";
import type { Nearest } from "./project.ts";

/** Why a generator wrote nothing. */
export const GENERATORS = {
  FW601: {
    title: "Bad name, param or field",
    message: "{why}.",
    hint: "{hint}",
  },
  FW602: {
    title: "Unknown name",
    message: "{what}.",
    hint: ({ nearest, instead }: Nearest & { instead: string }): string =>
      nearest === undefined ? instead : `Did you mean \`${nearest}\`?`,
  },
  FW603: {
    title: "Path outside the app",
    message: "`{path}` does not begin with {prefix}.",
    hint: "{hint}",
  },
  FW604: {
    title: "Choice that is not made",
    message: "{what}.",
    hint: "{hint}",
  },
  FW608: {
    title: "Something else is there",
    message: "{what}.",
    hint: "{hint}",
  },
  FW610: {
    title: "Route already served",
    message: "`{handler}` in {file} already serves {route}.",
    hint: "Choose another path or param type, or change that handler.",
  },
  FW611: {
    title: "Plan that does not fit the project",
    message: "{what} can't be made here: {why}",
    hint: ({ hint }: { hint: string | null }): string | null => hint,
  },
  FW612: {
    title: "File that can't be edited",
    message: "A generator can't edit {file}: {why}.",
    hint: "{hint}",
  },
  FW622: {
    title: "File that can't be written",
    message: "{file} can't be written: {why}. Nothing was changed.",
    hint: "Fix that, and run the command again.",
  },
  FW624: {
    title: "Change that could not be undone",
    message: "{file} can't be written: {why}. The changes in {left} could not be undone.",
    hint: "Fix the cause, and run the same command again: it completes what is missing.",
  },
  FW625: {
    title: "Project in use",
    message: "For half a minute {holder} has been changing this project, so nothing was done.",
    hint: "Wait for it to end. If it is not a `framework` command, remove the folder {lock}.",
  },
  FW640: {
    title: "Project without a database",
    message: "The project has no database: {file} is missing.",
    hint: "Add one with: npx framework generate database sqlite",
  },
} as const;

export const BUILDING = {
  FW701: {
    title: "Native addon",
    message: "`{name}` has a native part ({file}), which one file of JavaScript can't hold.",
    hint: 'To leave it out of the file, write `external = ["{name}"]` below `[build]` in framework.toml.',
  },
  FW702: {
    title: "Import that is not a module",
    message: "{file} is neither JavaScript, TypeScript nor JSON.",
    hint: "Export its content from a module, or copy the file (`[build] copy`) and read it from process.cwd().",
  },
  FW703: {
    title: "Unresolved import",
    message: "`{source}` can't be found.",
    hint: ({ source }: { source: string }): string =>
      /^[./#]|^\w+:/.test(source)
        ? "Correct the path. It has to name a file with its ending."
        : "Correct the name, or add the package to the project: `npm install` with its name.",
  },
  FW704: {
    severity: "warning",
    title: "Path of a module",
    message: ({ text, use }: { text: string; use?: PackageUse }): string =>
      use
        ? `\`${use.name}\` uses \`${text}\` (${use.place}), which in a build is the path of dist/server.js.`
        : `In a build, \`${text}\` is the path of dist/server.js and not of this file.`,
    hint: ({ use }: { use?: PackageUse }): string =>
      use
        ? `If it reads files from there, write \`external = ["${use.name}"]\` below \`[build]\` in framework.toml.`
        : "Import the file that it leads to, or find it from process.cwd() and copy it: `[build] copy` in framework.toml.",
  },
  FW706: {
    severity: "warning",
    title: "Native addon left out",
    message: "`{name}` has a native part ({file}), which a build leaves out. The code catches that.",
    hint: 'To keep it, write `external = ["{name}"]` below `[build]` in framework.toml.',
  },
  FW707: {
    severity: "warning",
    title: "Import that fails when it runs",
    message: "Node can't import `{source}`, so this import() fails when it runs.",
    hint: "Correct its name or install the package. If it is optional, catch the error.",
  },
  FW709: {
    severity: "warning",
    title: "Warning of the bundler",
    message: "The bundler warns: {why}.",
    hint: "Nothing has to be done if the built server does what you mean.",
  },
  FW710: {
    title: "File that can't be copied",
    message: ({ path, made }: { path: string; made: string | undefined }): string =>
      made ? `The build makes dist/${made} itself.` : `\`copy\` names \`${path}\`, which has no file.`,
    hint: "Write paths from the project's folder below `[build]`, as in `public` or `templates/*.html`.",
  },
} as const;

/** Why an upgrade was not made, or not yet. */
export const UPGRADE = {
  FW801: {
    title: "Package that can't be fetched",
    message: "npm could not fetch {wanted}: {why}",
    hint: "Without a network, use a package that you have: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW802: {
    title: "Not a package of the framework",
    message: "{option} can't take the framework from {from}: {why}.",
    hint: "Give the tarball or the folder of create-convention-app, as in: npx framework upgrade {option} ./create-convention-app-1.2.3.tgz",
  },
  FW803: {
    title: "Older version",
    message: "{to} is older than {from}, which this project has.",
    hint: "To go back all the same, add --force. It merges your edits, too.",
  },
  FW804: {
    title: "Edited file that can't be merged",
    message: ({ count, from, why, isLost }: Unmerged): string =>
      `${count === 1 ? "An edit" : `Edits of ${count} files`} can't be merged${isLost ? ` without the original of ${from}` : ""}: ${why}`,
    hint: ({ from, isLost, folder }: Unmerged): string =>
      `Nothing was replaced. ${isLost ? `Give the original: --base <tarball or folder of ${from}>. Or merge` : "You can also merge"} each ….edited file in ${folder} by hand, and then: npx framework upgrade --continue`,
  },
  FW805: {
    title: "Conflicts to resolve",
    message: ({ conflicts, to }: { conflicts: number; to: string }): string =>
      `You and ${to} changed the same lines in ${conflicts === 1 ? "one place" : `${conflicts} places`}.`,
    hint: "Edit these files until no mark is left, then: npx framework upgrade --continue. The project stays at {from} until then. To cancel: npx framework upgrade --abort",
  },
  FW806: {
    title: "Upgrade under way",
    message: "An upgrade waits for you in {folder}, so none to {asked} was started.",
    hint: "Finish it: npx framework upgrade --continue; or remove it: npx framework upgrade --abort",
  },
  FW808: {
    title: "Framework that can't be upgraded",
    message: "The project's framework can't be upgraded because of {file}: {why}.",
    hint: "Restore that file from the project's history.",
  },
  FW810: {
    title: "Framework that can't be replaced",
    message: ({ why, away }: { why: string; away: string | undefined }): string =>
      `The framework can't be replaced: ${why}. ${away === undefined ? "Nothing was changed" : `It is in ${away} now`}.`,
    hint: ({ away }: { away: string | undefined }): string =>
      away === undefined
        ? "Fix that, or stop what uses vendor/framework, such as `framework dev`, and run the command again."
        : `Fix that, and rename the folder: mv ${away} vendor/framework`,
  },
} as const;

/** What `framework doctor` can report beside what reading the project does. */
export const DOCTOR = {
  FW821: {
    title: "Missing vendored file",
    message: ({ count }: { count: number }): string =>
      `${vendoredFiles(count, "is", "are")} missing, or can't be read.`,
    hint: ({ count, files }: { count: number; files: readonly string[] }): string => {
      const restored = count === files.length ? files.join(" ") : MISSING_FILES;
      const other = files.every((file) => file.startsWith("vendor/framework/database"))
        ? "run: npx framework generate database sqlite, or postgres"
        : "copy it from a new project of the same version.";
      return `Restore what git has: git checkout HEAD -- ${restored}; without git, ${other}`;
    },
  },
  FW822: {
    severity: "info",
    title: "Edited vendored file",
    message: ({ count }: { count: number }): string => `${vendoredFiles(count, "has", "have")} been edited.`,
    hint: "Edit as you like: `framework upgrade` merges your edits. In tools/, it replaces the files, and keeps yours as ….edited.",
  },
  FW823: {
    severity: "info",
    title: "Own file among the vendored ones",
    message: ({ count }: { count: number }): string =>
      `${count === 1 ? "A file" : `${count} files`} in vendor/framework did not come with the framework.`,
    hint: "Remove what you don't need. `framework upgrade` leaves the rest as it is.",
  },
  FW825: {
    title: "Version that does not fit",
    message: "{tool} {version} does not fit: {why}.",
    hint: "{hint}",
  },
  FW827: {
    title: "Unusable file",
    message: "{file} can't be used: {why}.",
    hint: "{hint}",
  },
  FW828: {
    title: "Missing project file",
    message: "There is no {file}: {what}.",
    hint: "Restore it: git checkout HEAD -- {file}; without git, copy it from a new project: npm create convention-app",
  },
  FW829: {
    severity: "warning",
    title: "Wrong entry in package.json",
    message: "`{key}` is not what the framework needs: {why}.",
    hint: "Write: {wanted}",
  },
  FW833: {
    severity: "warning",
    title: "Package not installed",
    message: ({ names }: { names: readonly string[] }): string =>
      `package.json lists ${listed(names.map((name) => `\`${name}\``))}, but ${names.length === 1 ? "it is" : "they are"} not installed.`,
    hint: "Install: {command}",
  },
  FW834: {
    severity: "warning",
    title: "Outdated copy of the framework",
    message:
      "{folder} differs from vendor/framework in {file}. The server does not use it, but other tools may.",
    hint: "Remove the folder {folder}, then: {command}",
  },
  FW835: {
    severity: "info",
    title: "Outdated build",
    message: "dist/server.js is out of date because of {file}, so `framework start` ignores it.",
    hint: "Build it again: npx framework build",
  },
  FW836: {
    severity: "warning",
    title: "Unfinished command",
    message: "{what}.",
    hint: "{hint}",
  },
  FW837: {
    severity: "warning",
    title: "Wrong .gitignore",
    message: "Git {ignores} {file}: {why}.",
    hint: "{hint}",
  },
  FW839: {
    title: "Check that failed",
    message: "{subject} could not be checked: {why}.",
    hint: "Fix the other problems first. If there are none, please report this as a bug.",
  },
  FW845: {
    title: "Framework of another project",
    message: "`framework` leads to {folder}, which belongs to another project, instead of vendor/framework.",
    hint: "Install in this project: {command}. In a workspace of npm, instead do this at its root: write install-strategy=nested into .npmrc, remove node_modules and package-lock.json, then npm install.",
  },
} as const;

/** Where a package does something. */
export interface PackageUse {
  readonly name: string;
  /** A file and a line. */
  readonly place: string;
}

interface Unmerged {
  readonly count: number;
  readonly from: string;
  readonly why: string;
  /** Whether the original was not found. */
  readonly isLost: boolean;
  readonly folder: string;
}

/** For a message that holds for one file and for several. */
function vendoredFiles(count: number, one: string, several: string): string {
  return count === 1 ? `A vendored file ${one}` : `${count} vendored files ${several}`;
}

/** Too many to name. It lists no edited files. */
const MISSING_FILES = "$(git diff --name-only --relative --diff-filter=D HEAD -- vendor/framework)";
