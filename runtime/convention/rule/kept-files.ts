/** Keeps what was found in a file, for as long as every question that was asked for it has the same answer. */

import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import type { Discovery } from "./discovery.ts";
import type { CallReader } from "./providers.ts";

/** What earlier readings found, by file. */
export type KeptFiles = Map<string, KeptFile>;

interface KeptFile {
  readonly module: SourceModule;
  readonly given: string;
  readonly questions: readonly Question[];
  readonly found: Discovery;
}

/** Asks once more. @returns whether the answer is the same. */
type Question = (modules: Modules) => boolean;

const UNSURE: Question = () => false;

/**
 * @param given what decides besides the project's files.
 * @param read asks nothing but the reader that it gets.
 */
export function keepFound(
  kept: KeptFiles,
  types: CallReader,
  module: SourceModule,
  given: string,
  read: (types: CallReader) => Discovery,
): Discovery {
  const { file } = module;
  const before = kept.get(file);
  const isGiven = before?.module === module && before.given === given;
  // In their order: with the same answers so far, reading would ask the same question next. So nothing else is read than by reading again.
  if (isGiven && before.questions.every((isSame) => isSame(types.modules))) return before.found;
  const questions: Question[] = [];
  const found = read(listen(types, questions));
  if (questions.includes(UNSURE)) kept.delete(file);
  else kept.set(file, { module, given, questions, found });
  return found;
}

/** The same reader, which notes what it is asked. Names of shapes, and which file is the first to need a provider, depend on the other files. */
function listen({ modules, shapes, providers }: CallReader, questions: Question[]): CallReader {
  function note<Answer>(ask: (modules: Modules) => Answer): Answer {
    const answer = ask(modules);
    questions.push((now) => ask(now) === answer);
    return answer;
  }
  return {
    modules: {
      get: (file) => note((now) => now.get(file)),
      locate: (...place) => note((now) => now.locate(...place)),
      resolve: (...place) => note((now) => now.resolve(...place)),
      get parsed() {
        questions.push(UNSURE);
        return modules.parsed;
      },
    },
    get shapes() {
      questions.push(UNSURE);
      return shapes;
    },
    get providers() {
      questions.push(UNSURE);
      return providers;
    },
  };
}
