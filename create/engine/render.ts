/** Runs create-create-app: it renders the files with placeholders into a folder, and calls a hook for the rest. See README.md. */

import { create } from "create-create-app";
import { ENGINE_TEMPLATE } from "../template.ts";

export interface RenderInput {
  /** The folder of the templates: one folder for each, with only the files to render. */
  readonly templates: string;
  /** Absolute, missing or empty. */
  readonly directory: string;
  readonly view: Readonly<Record<string, unknown>>;
  /** Called after the rendered files are written. */
  readonly after: () => void;
}

export async function render(input: RenderInput): Promise<void> {
  await quietly(input.directory, () =>
    create("create-convention-app", {
      templateRoot: input.templates,
      defaultTemplate: ENGINE_TEMPLATE,
      extra: toAnswers(input.view),
      skipGitInit: true,
      skipNpmInstall: true,
      after: input.after,
    }),
  );
}

/** The engine reads the directory from the command line, and prints its progress. Neither is meant for it, so we replace both meanwhile. */
async function quietly(directory: string, run: () => Promise<void>): Promise<void> {
  const { argv } = process;
  const { log } = console;
  process.argv = [argv[0] ?? "", argv[1] ?? "", directory];
  console.log = () => {};
  try {
    await run();
  } finally {
    process.argv = argv;
    console.log = log;
  }
}

/** As questions: the stand-in for the engine's prompt layer answers each with its default. */
function toAnswers(view: RenderInput["view"]): Record<string, { default: boolean }> {
  const questions = Object.entries(view).map(([name, value]) => [name, { default: value }]);
  return Object.fromEntries(questions) as Record<string, { default: boolean }>;
}
