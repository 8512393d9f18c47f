/**
 * Instead of `yargs-interactive` in the bundle: every question of the engine is answered with its default, because all
 * that is asked was asked before, by prompts.ts. The real one brings yargs and inquirer.
 */

interface Question {
  readonly default?: unknown;
}

interface Interactive {
  usage(): Interactive;
  interactive(questions: Readonly<Record<string, Question>>): Promise<Record<string, unknown>>;
}

export default function yargsInteractive(): Interactive {
  const interactive: Interactive = {
    usage: () => interactive,
    interactive: async (questions) =>
      Object.fromEntries(Object.entries(questions).map(([name, question]) => [name, question.default])),
  };
  return interactive;
}
