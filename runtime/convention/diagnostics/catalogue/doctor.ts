/** Every finding of `framework doctor` beside those that reading the project makes, by its permanent code: FW820 and up. */

/** Too many to be named. What was edited is not among them. */
const MISSING_FILES = "$(git diff --name-only --relative --diff-filter=D HEAD -- vendor/framework)";

/** A code once given is never given to anything else. */
export const DOCTOR = {
  FW820: {
    severity: "error",
    title: "Manifest that can't be used",
    message: ({ why }: { why: string }): string =>
      `What was vendored is not known: the manifest is of no use, because ${why}.`,
    hint: (): string => "Bring it back: git checkout HEAD -- vendor/framework/manifest.json",
  },
  FW821: {
    severity: "error",
    title: "Vendored file that is missing",
    message: ({ count }: { count: number; files: readonly string[] }): string =>
      count === 1
        ? "A file of the vendored framework is missing, or can't be read."
        : `${count} files of the vendored framework are missing, or can't be read.`,
    hint: ({ count, files }: { count: number; files: readonly string[] }): string =>
      `Bring back what git has: git checkout HEAD -- ${count === files.length ? files.join(" ") : MISSING_FILES}; without git, take it from a new project of the same version.`,
  },
  FW822: {
    severity: "info",
    title: "Vendored file that was edited",
    message: ({ count }: { count: number }): string =>
      count === 1
        ? "A file of the vendored framework is not as it came."
        : `${count} files of the vendored framework are not as they came.`,
    hint: (): string => "They are yours to edit: `framework upgrade` merges edits with what is new.",
  },
  FW823: {
    severity: "info",
    title: "File that was not vendored",
    message: ({ count }: { count: number }): string =>
      count === 1
        ? "A file among the vendored ones did not come with them."
        : `${count} files among the vendored ones did not come with them.`,
    hint: (): string => "`framework upgrade` leaves them as they are. Remove what is not needed.",
  },
  FW824: {
    severity: "error",
    title: "Conflict that is not resolved",
    message: (_: Record<never, never>): string =>
      "The marks of a merge conflict are still in a file of the vendored framework, which can't run so.",
    hint: (): string => "Choose between the two sides there, and remove the lines of marks.",
  },
  FW825: {
    severity: "error",
    title: "Node.js that is too old",
    message: ({ version, oldest }: { version: string; oldest: string }): string =>
      `This is Node.js ${version}, and the framework needs ${oldest} or newer.`,
    hint: (): string => "Install a newer one from https://nodejs.org, such as the newest LTS version.",
  },
  FW826: {
    severity: "warning",
    title: "Node.js with known holes",
    message: ({ version }: { version: string; safe: string }): string =>
      `Node.js ${version} has holes that a request can use, among them CVE-2026-21710 and CVE-2026-21717.`,
    hint: ({ safe }: { version: string; safe: string }): string =>
      `Install ${safe} or newer from https://nodejs.org.`,
  },
  FW827: {
    severity: "error",
    title: "JSON that can't be read",
    message: ({ file, why }: { file: string; why: string }): string => `${file} is not JSON: ${why}.`,
    hint: (): string => "Mend it there.",
  },
  FW828: {
    severity: "error",
    title: "File that every project has",
    message: ({ file, what }: { file: string; what: string }): string => `There is no ${file}: ${what}.`,
    hint: ({ file }: { file: string; what: string }): string =>
      `Bring it back: git checkout HEAD -- ${file}; without git, take it from a new project: npm create convention-app`,
  },
  FW829: {
    severity: "warning",
    title: "package.json that says something else",
    message: ({ key, why }: { key: string; wanted: string; why: string }): string =>
      `\`${key}\` is not as the framework needs it: ${why}.`,
    hint: ({ wanted }: { key: string; wanted: string; why: string }): string => `Write: ${wanted}`,
  },
  FW831: {
    severity: "warning",
    title: "Compiler option that hides mistakes",
    message: ({ option, why }: { option: string; why: string }): string =>
      `\`${option}\` is not set: ${why}.`,
    hint: ({ option }: { option: string; why: string }): string =>
      `Write under "compilerOptions": "${option}": true`,
  },
  FW832: {
    severity: "warning",
    title: "Types of the framework that can't be found",
    message: (_: Record<never, never>): string =>
      'The type checker does not find "framework": it is neither among `paths` nor installed.',
    hint: (): string =>
      'Write under "compilerOptions": "paths": { "framework": ["./vendor/framework/index.d.ts"], "framework/*": ["./vendor/framework/*.d.ts"] }',
  },
  FW833: {
    severity: "warning",
    title: "Package that is not installed",
    message: ({ names }: { names: readonly string[]; command: string }): string =>
      names.length === 1
        ? `\`${names[0]}\` is listed in package.json, but not installed.`
        : `${names.map((name) => `\`${name}\``).join(", ")} are listed in package.json, but not installed.`,
    hint: ({ command }: { names: readonly string[]; command: string }): string => `Install: ${command}`,
  },
  FW834: {
    severity: "warning",
    title: "Copy of the framework that is out of date",
    message: ({ folder, file }: { folder: string; file: string; command: string }): string =>
      `${folder} is not what vendor/framework is: it differs in ${file}. The server does not use it, other tools may.`,
    hint: ({ folder, command }: { folder: string; file: string; command: string }): string =>
      `Remove the folder ${folder}, then: ${command}`,
  },
  FW835: {
    severity: "info",
    title: "Built server that is out of date",
    message: ({ file }: { file: string }): string =>
      `dist/server.js is out of date, because of ${file}, so that \`framework start\` passes it over.`,
    hint: (): string => "Build it anew: npx framework build",
  },
  FW836: {
    severity: "warning",
    title: "Command that was interrupted",
    message: (_: Record<never, never>): string =>
      "A command was interrupted while it changed the project, and what it had begun is neither finished nor taken back.",
    hint: (): string =>
      "The next `framework generate` or `framework destroy` does that before anything else.",
  },
  FW837: {
    severity: "warning",
    title: "Secrets that git would take in",
    message: ({ file }: { file: string }): string =>
      `${file} is not ignored by git, and what is in it is meant for this machine only.`,
    hint: ({ file }: { file: string }): string =>
      `Add a line to .gitignore: ${file}; if it is committed already, also: git rm --cached ${file}`,
  },
  FW839: {
    severity: "error",
    title: "Check that could not be made",
    message: ({ subject, why }: { subject: string; why: string }): string =>
      `${subject} could not be checked: ${why}.`,
    hint: (): string => "Mend the other findings first. If there are none, please report this as a fault.",
  },
  FW840: {
    severity: "error",
    title: ".env that can't be used",
    message: ({ why }: { why: string; hint: string }): string => why,
    hint: ({ hint }: { why: string; hint: string }): string => hint,
  },
  FW841: {
    severity: "warning",
    title: "Upgrade that waits for you",
    message: ({ from, to }: { from: string; to: string }): string =>
      `An upgrade from ${from} to ${to} is under way, and waits for its conflicts to be resolved.`,
    hint: (): string =>
      "Edit these files until no mark is left, then: npx framework upgrade --continue; or give it up: npx framework upgrade --abort",
  },
  FW842: {
    severity: "error",
    title: "Vendored file that can't run",
    message: ({ why }: { file: string; why: string }): string =>
      `A file of the vendored framework was edited, and is no JavaScript any more: ${why.replace(/\.$/, "")}.`,
    hint: ({ file }: { file: string; why: string }): string =>
      `Mend it there; or give the edit up: git checkout HEAD -- ${file}`,
  },
  FW843: {
    severity: "warning",
    title: "Vendored file that git leaves out",
    message: ({ count }: { count: number }): string =>
      count === 1
        ? "A file of the vendored framework is ignored by git, so that a clone is without it."
        : `${count} files of the vendored framework are ignored by git, so that a clone is without them.`,
    hint: (): string => "Add two lines at the end of .gitignore: !/vendor/ and !/vendor/**",
  },
  FW844: {
    severity: "info",
    title: "No set-up of the type checker",
    message: (_: Record<never, never>): string =>
      "There is no tsconfig.json, so `npm run typecheck` has nothing to check.",
    hint: (): string =>
      "A copy that only serves needs none. Bring it back: git checkout HEAD -- tsconfig.json",
  },
} as const;
