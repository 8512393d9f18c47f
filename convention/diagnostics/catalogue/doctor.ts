/** What `framework doctor` can report beside what reading the project does, by permanent codes FW820 and up. */

/** For a message that holds for one file and for several. */
function vendoredFiles(count: number, one: string, several: string): string {
  return count === 1 ? `A vendored file ${one}` : `${count} vendored files ${several}`;
}

/** Too many to name. It lists no edited files. */
const MISSING_FILES = "$(git diff --name-only --relative --diff-filter=D HEAD -- vendor/framework)";

export const DOCTOR = {
  FW820: {
    title: "Unusable manifest",
    message: "The manifest of the vendored framework can't be used: {why}.",
    hint: "Restore it: git checkout HEAD -- vendor/framework/manifest.json",
  },
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
  FW824: {
    title: "Unresolved conflict",
    message: "A vendored file still has the marks of a merge conflict, so it can't run.",
    hint: "Choose between the two sides there, and remove the lines of marks.",
  },
  FW825: {
    title: "Node.js that is too old",
    message: "This is Node.js {version}, but the framework needs {oldest} or newer.",
    hint: "Install a newer one from https://nodejs.org, such as the newest LTS version.",
  },
  FW826: {
    severity: "warning",
    title: "Node.js with known vulnerabilities",
    message:
      "Node.js {version} has vulnerabilities that a request can use, such as CVE-2026-21710 and CVE-2026-21717.",
    hint: "Install {safe} or newer from https://nodejs.org.",
  },
  FW827: {
    title: "Malformed JSON",
    message: "{file} is not JSON: {why}.",
    hint: "Correct it there.",
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
  FW831: {
    severity: "warning",
    title: "Compiler option that hides mistakes",
    message: "`{option}` is not set: {why}.",
    hint: 'Write under "compilerOptions": "{option}": true',
  },
  FW832: {
    severity: "warning",
    title: "Types of the framework not found",
    message: 'The type checker does not find "framework": it is neither among `paths` nor installed.',
    hint: 'Write under "compilerOptions": "paths": { "framework": ["./vendor/framework/index.d.ts"], "framework/*": ["./vendor/framework/*.d.ts"] }',
  },
  FW833: {
    severity: "warning",
    title: "Package not installed",
    message: ({ names }: { names: readonly string[] }): string =>
      `package.json lists ${names.map((name) => `\`${name}\``).join(", ")}, but ${names.length === 1 ? "it is" : "they are"} not installed.`,
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
    title: "Interrupted command",
    message: "A command was killed while it changed the project, so some of its files may be missing.",
    hint: "Run the same command again: it completes what is missing.",
  },
  FW837: {
    severity: "warning",
    title: "Secrets that git would commit",
    message: "Git does not ignore {file}, whose content is for this machine only.",
    hint: "Add a line to .gitignore: {file}; if it is committed already, also: git rm --cached {file}",
  },
  FW839: {
    title: "Check that failed",
    message: "{subject} could not be checked: {why}.",
    hint: "Fix the other problems first. If there are none, please report this as a bug.",
  },
  FW840: {
    title: "Unusable .env",
    message: "{why}",
    hint: "{hint}",
  },
  FW841: {
    severity: "warning",
    title: "Upgrade that is not finished",
    message: "An upgrade is not finished: it left {folder}.",
    hint: "If it waits for you to merge edits, do so, and then: npx framework upgrade --continue. Or remove what it left: npx framework upgrade --abort",
  },
  FW842: {
    title: "Vendored file that can't run",
    message: "An edited vendored file is not JavaScript: {why}.",
    hint: "Correct it there; or undo the edit: git checkout HEAD -- {file}",
  },
  FW843: {
    severity: "warning",
    title: "Vendored file that git ignores",
    message: ({ count }: { count: number }): string =>
      `Git ignores ${count === 1 ? "a vendored file" : `${count} vendored files`}, so a clone lacks ${count === 1 ? "it" : "them"}.`,
    hint: "Add two lines at the end of .gitignore: !/vendor/ and !/vendor/**",
  },
  FW844: {
    severity: "info",
    title: "No tsconfig.json",
    message: "There is no tsconfig.json, so `npm run typecheck` has nothing to check.",
    hint: "A copy that only serves needs none. Restore it: git checkout HEAD -- tsconfig.json",
  },
  FW845: {
    title: "Framework of another project",
    message: "`framework` leads to {folder}, which belongs to another project, instead of vendor/framework.",
    hint: "Install in this project: {command}. In a workspace of npm, instead do this at its root: write install-strategy=nested into .npmrc, remove node_modules and package-lock.json, then npm install.",
  },
} as const;
