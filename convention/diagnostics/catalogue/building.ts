/** What a build can report about a project that otherwise has no mistakes, by permanent codes FW7xx. */

/** Where a package does something. */
export interface PackageUse {
  readonly name: string;
  /** A file and a line. */
  readonly place: string;
}

export const BUILDING = {
  FW701: {
    title: "Native addon",
    message: "`{name}` has a native part ({file}), which one file of JavaScript can't hold.",
    hint: 'To leave it out of the file, write `external = ["{name}"]` below `[build]` in framework.toml.',
  },
  FW702: {
    title: "Import that is not a module",
    message: "{file} is neither JavaScript, TypeScript nor JSON.",
    hint: "Export its content from a module, or read the file at run time, from process.cwd().",
  },
  FW703: {
    title: "Unresolved import",
    message: "`{source}` can't be found.",
    hint({ source, nearest }: { source: string; nearest?: string | undefined }): string {
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      return /^[./#]|^\w+:/.test(source)
        ? "Correct the path. It has to name a file with its ending."
        : "Add it to the project: `npm install` with its name.";
    },
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
        ? `If it reads files from there, ${leaveOut(use)}`
        : "Import the file that it leads to, or find it from process.cwd().",
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
  FW708: {
    title: "Syntax that Node does not know",
    message: "Node can't parse what was built: {why}.",
    hint: ({ isPlaced }: { isPlaced: boolean }): string =>
      isPlaced
        ? "Write it in syntax that Node knows. If a package has it, choose another version of the package."
        : "Build without `--minify` to see where it is.",
  },
  FW709: {
    severity: "warning",
    title: "Warning of the bundler",
    message: "The bundler warns: {why}.",
    hint: "Nothing has to be done if the built server does what you mean.",
  },
} as const;

function leaveOut({ name }: PackageUse): string {
  return `write \`external = ["${name}"]\` below \`[build]\` in framework.toml.`;
}
