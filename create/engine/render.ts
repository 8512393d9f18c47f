/** Runs create-create-app: the files with placeholders are rendered into a folder, and a hook fills in the rest. */

import { create } from "create-create-app";
import { ENGINE_TEMPLATE } from "../template.ts";

export interface RenderInput {
  /** Holds one folder for each template, each with only the files to be rendered. */
  readonly templates: string;
  /** Absolute, missing or empty. */
  readonly directory: string;
  readonly view: Readonly<Record<string, unknown>>;
  /** Called once the rendered files are written. */
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

/** The engine reads the directory from the command line and tells its progress; both are ours, so both are lent for the while. */
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

/** As questions, whose defaults the stand-in of the engine's prompt layer takes for answers. */
function toAnswers(view: RenderInput["view"]): Record<string, { default: boolean }> {
  const questions = Object.entries(view).map(([name, value]) => [name, { default: value }]);
  return Object.fromEntries(questions) as Record<string, { default: boolean }>;
}
