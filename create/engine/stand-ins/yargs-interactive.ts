/** Instead of yargs-interactive: answers every question of the engine with its default. See README.md. */

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
