/**
 * The template's files in the published package. A few have placeholders, and Handlebars renders them. The others are copied
 * byte for byte.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packFolder } from "./archive.ts";
import { INSTALL_STEPS, type PackageManager } from "./package-managers.ts";

export const SAMPLE_APPS = ["products", "users"] as const;
export type SampleApp = (typeof SAMPLE_APPS)[number];

export const DATABASES = ["sqlite", "postgres"] as const;
export type Database = (typeof DATABASES)[number];

/** Beside the bundle in the published package. The engine wants its templates one level below `rendered`. */
export const PACKED = {
  rendered: "template",
  project: "template/project.br",
} as const;
export const ENGINE_TEMPLATE = "default";

/** The template's own project name, in its files. */
const SAMPLE_NAME = "my-app";

/** Sections that README.md, AGENTS.md, app.ts, the workflow and the Dockerfile get in a project with a database. */
export const SECTIONS = "_database/";

/** Never part of a project, but in the template after someone ran it in place; and the files that generators write. */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|vendor|dist|\.git|\.env|package-lock\.json|\.DS_Store)(?:\/|$)|^_resource\/|^_database\/(?!\w+\.section\.\w+$)/;

/** The values of the placeholders, as the user gave them. */
export interface Values {
  readonly project: string;
  readonly description: string | undefined;
  readonly author: string | undefined;
  readonly license: string | undefined;
  readonly apps: readonly SampleApp[];
  /** Without samples of any kind, so also without apps. */
  readonly bare: boolean;
  readonly pm: PackageManager;
  /** Undefined for none. */
  readonly database: Database | undefined;
}

/** How each of these files becomes a Handlebars template. */
const PLACEHOLDERS: Readonly<Record<string, (text: string) => string>> = {
  "package.json": (text) =>
    withRunner(withAuthor(withJsonText(withJsonText(text, "description"), "license"))),
  "README.md": (text) => withInstall(withConditions(text)),
  "AGENTS.md": (text) => withInstall(withConditions(text)),
  ".github/workflows/ci.yml": (text) => withRunner(withInstallSteps(text, "      - run: ")),
  Dockerfile: (text) => withRunner(withInstallSteps(text, "RUN ")),
  "framework.toml": (text) => text.replace(/^apps = \[.*\]$/m, "apps = [{{toml.apps}}]"),
};

/**
 * Writes the template in its packed form. The build calls this.
 *
 * @param from the folder with the template's files as they are
 * @param to the folder of the bundle
 */
export function packTemplate(from: string, to: string): void {
  for (const [file, text] of Object.entries(readRendered(from))) {
    const target = join(to, PACKED.rendered, ENGINE_TEMPLATE, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const isPlain = (file: string) => !LEFT_OUT.test(file) && !Object.hasOwn(PLACEHOLDERS, file);
  writeFileSync(join(to, PACKED.project), packFolder(from, isPlain));
}

/** The Handlebars templates, by file. */
export function readRendered(from: string): Record<string, string> {
  const entries = Object.entries(PLACEHOLDERS).map(([file, insert]) => [
    file,
    insert(escapeHandlebars(readFileSync(join(from, file), "utf8"))).replaceAll(SAMPLE_NAME, "{{project}}"),
  ]);
  return Object.fromEntries(entries);
}

/** How a template begins, which tells it apart from the others. With its line end, it is no path. */
export function beginningOf(text: string): string {
  return text.slice(0, 60);
}

/** Yarn 2 and later read this file. The other package managers ignore it. */
const YARN_SETTINGS = ".yarnrc.yml";

const SAMPLE_ROUTE_TESTS: readonly string[] = ["tests/index.test.ts", "tests/items.test.ts"];

/** True if the file belongs to a sample or a package manager that was not chosen. */
export function isLeftOut(file: string, { apps, bare, pm }: Pick<Values, "apps" | "bare" | "pm">): boolean {
  if (file === YARN_SETTINGS) return pm !== "yarn";
  if (file.startsWith(SECTIONS)) return true;
  if (file.startsWith("routes/") || SAMPLE_ROUTE_TESTS.includes(file)) return bare;
  return SAMPLE_APPS.some(
    (app) => !apps.includes(app) && (file.startsWith(`apps/${app}/`) || file === `tests/${app}.test.ts`),
  );
}

/**
 * Text that Handlebars renders to itself.
 *
 * @example escapeHandlebars("a{{b") // "a{{{brace}}}{{{brace}}}b", with `brace` from {@link toView}
 */
export function escapeHandlebars(text: string): string {
  return text.replace(/[\\{]*\{\{[\\{]*/g, (run) =>
    run.replace(/[\\{]/g, (character) => (character === "{" ? "{{{brace}}}" : "{{{backslash}}}")),
  );
}

/** What Handlebars sees. It escapes nothing (the engine sets `noEscape`), so each value is already written as its file needs it. */
export function toView(values: Values): Record<string, unknown> {
  const toJson = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
  return {
    project: values.project,
    json: {
      description: toJson(values.description),
      author: toJson(values.author),
      license: toJson(values.license),
    },
    pm: values.pm,
    install: `${values.pm} install`.padEnd(INSTALL_WIDTH),
    steps: INSTALL_STEPS[values.pm],
    toml: { apps: values.apps.map((app) => JSON.stringify(app)).join(", ") },
    sample: { ...Object.fromEntries(values.apps.map((app) => [app, true])), routes: !values.bare },
    bare: values.bare,
    brace: "{",
    backslash: "\\",
  };
}

/** The template's own text is the default. */
function withJsonText(text: string, key: string): string {
  const line = new RegExp(`^( *"${key}": ")(.*)(",?)$`, "m");
  return text.replace(line, `$1{{#if json.${key}}}{{json.${key}}}{{else}}$2{{/if}}$3`);
}

/** If there is an author, the line goes above the licence. */
function withAuthor(text: string): string {
  return text.replace(
    /^( *)"license": /m,
    '{{#if json.author}}\n$1"author": "{{json.author}}",\n{{/if}}\n$&',
  );
}

/** In Markdown, lines between `<!-- if products -->` and `<!-- end -->` stay only if that sample was chosen. */
function withConditions(text: string): string {
  return text
    .replace(/^<!-- if bare -->$/gm, "{{#if bare}}")
    .replace(/^<!-- if (\w+) -->$/gm, "{{#if sample.$1}}")
    .replace(/^<!-- end -->$/gm, "{{/if}}");
}

/** As wide as the commands above and below it: their comments begin in one column. */
const INSTALL_WIDTH = "npm install        ".length;

function withInstall(text: string): string {
  return text.replace(/^npm install +(?=#)/m, "{{install}}");
}

/** The chosen package manager runs the scripts. In the template it is npm. */
function withRunner(text: string): string {
  return text.replaceAll("npm run", "{{pm}} run");
}

/** The template has the steps of npm. */
function withInstallSteps(text: string, before: string): string {
  const [own = ""] = INSTALL_STEPS.npm;
  return text.replace(`${before}${own}\n`, `{{#each steps}}\n${before}{{this}}\n{{/each}}\n`);
}
