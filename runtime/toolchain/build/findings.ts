/** Every finding that a build makes about a project which is otherwise without mistakes, by its permanent code: FW7xx. */

import { createFinder, type Finder } from "../../convention/diagnostics.ts";

export const BUILD_FINDINGS = {
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
    message: ({ text }: { text: string }): string =>
      `\`${text}\` is the place of dist/server.js in a build, and not the one of this file.`,
    hint: (): string => "Import what it leads to, or find the file from process.cwd().",
  },
  FW705: {
    severity: "warning",
    title: "Computed import",
    message: (_: Record<never, never>): string =>
      "What this import() loads is known at run time only, so that a build leaves it out.",
    hint: (): string => 'Write the names out, as in `{ a: () => import("./a.ts") }`, and choose among them.',
  },
} as const;

/** @example find("FW702", { file: "fsevents.node" }, place) */
export const find: Finder<typeof BUILD_FINDINGS> = createFinder(BUILD_FINDINGS);
