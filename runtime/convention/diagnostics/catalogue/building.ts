/** Every finding that a build makes about a project which is otherwise without mistakes, by its permanent code: FW7xx. */

/** Where a package does something. */
export interface PackageUse {
  readonly name: string;
  /** A file and a line. */
  readonly place: string;
}

export const BUILDING = {
  FW701: {
    severity: "error",
    title: "Native addon",
    message: ({ name, file }: { name: string; file: string }): string =>
      `\`${name}\` has a native part (${file}), which one file of JavaScript can't hold.`,
    hint: ({ name }: { name: string; file: string }): string =>
      `Build with \`--external ${name}\` and install it beside dist/server.js, or choose a package without a native part.`,
  },
  FW702: {
    severity: "error",
    title: "Import that is no module",
    message: ({ file }: { file: string }): string => `${file} is neither JavaScript, TypeScript nor JSON.`,
    hint: (): string => "Export its content from a module, or read the file at run time, from process.cwd().",
  },
  FW703: {
    severity: "error",
    title: "Import that leads nowhere",
    message: ({ source }: { source: string }): string => `\`${source}\` can't be found.`,
    hint: ({ source }: { source: string }): string =>
      /^[./]/.test(source) ? "Mend the path." : "Add it to the project: `npm install` with its name.",
  },
  FW704: {
    severity: "warning",
    title: "Place of a module",
    message: ({ text, use }: { text: string; use?: PackageUse }): string =>
      use
        ? `\`${use.name}\` uses \`${text}\` (${use.place}), which in a build is the place of dist/server.js.`
        : `\`${text}\` is the place of dist/server.js in a build, and not the one of this file.`,
    hint: ({ use }: { text: string; use?: PackageUse }): string =>
      use
        ? `If it reads files from there, ${leaveOut(use)}`
        : "Import what it leads to, or find the file from process.cwd().",
  },
  FW705: {
    severity: "warning",
    title: "Computed import",
    message: ({ use }: { text: string; use?: PackageUse }): string =>
      use
        ? `\`${use.name}\` loads a module by a computed name (${use.place}), so a build leaves that module out.`
        : "What this import() loads is known at run time only, so that a build leaves it out.",
    hint: ({ use }: { text: string; use?: PackageUse }): string =>
      use
        ? `If it needs that module, ${leaveOut(use)}`
        : 'Write the names out, as in `{ a: () => import("./a.ts") }`, and choose among them.',
  },
  FW706: {
    severity: "warning",
    title: "Native addon left out",
    message: ({ name, file }: { name: string; file: string }): string =>
      `\`${name}\` has a native part (${file}), which a build leaves out. The code catches that.`,
    hint: ({ name }: { name: string; file: string }): string =>
      `To keep it, build with \`--external ${name}\` and install it beside dist/server.js.`,
  },
  FW707: {
    severity: "warning",
    title: "Import that fails when it runs",
    message: ({ source }: { source: string }): string =>
      `Node can't import \`${source}\`, so this import() fails when it runs.`,
    hint: (): string => "Correct its name or install the package. If it is optional, catch the error.",
  },
} as const;

function leaveOut({ name }: PackageUse): string {
  return `build with \`--external ${name}\` and install it beside dist/server.js.`;
}
