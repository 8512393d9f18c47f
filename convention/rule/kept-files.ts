/** Keeps what was found in a file, for as long as every question that was asked for it has the same answer. */

import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import type { Discovery } from "./discovery.ts";
import type { CallReader } from "./providers.ts";

/** What earlier readings found, by file. */
export type KeptFiles = Map<string, KeptFile>;

export interface KeptFile {
  readonly given: string;
  readonly questions: readonly Question[];
  readonly found: Discovery;
}

/** What was asked, with the answer. A module is all that its text says. */
export type Question =
  | { readonly ask: "get"; readonly file: string; readonly text: string | undefined }
  | {
      readonly ask: "locate" | "resolve";
      readonly place: Parameters<Modules["resolve"]>;
      readonly answer: string | undefined;
    };

/**
 * @param given what decides besides the project's files.
 * @param read asks nothing but the reader that it gets.
 * @returns undefined where there is no such file.
 */
export function keepFound(
  kept: KeptFiles,
  types: CallReader,
  file: string,
  given: string,
  read: (types: CallReader, module: SourceModule) => Discovery,
): Discovery | undefined {
  const before = kept.get(file);
  const isGiven = before?.given === given;
  // In their order: with the same answers so far, reading would ask the same question next. So nothing else is read than by reading again.
  if (isGiven && before.questions.every((one) => hasSameAnswer(one, types.modules))) return before.found;
  const heard = listen(types);
  const module = heard.types.modules.get(file);
  if (module === undefined) return undefined;
  const found = read(heard.types, module);
  if (heard.isUnsure) kept.delete(file);
  else kept.set(file, { given, questions: heard.questions, found });
  return found;
}

function hasSameAnswer(question: Question, modules: Modules): boolean {
  if (question.ask === "get") return modules.textOf(question.file) === question.text;
  return modules[question.ask](...question.place) === question.answer;
}

interface Heard {
  /** The same reader, which notes what it is asked. */
  readonly types: CallReader;
  readonly questions: Question[];
  /** Names of shapes, and which file is the first to need a provider, depend on the other files. */
  isUnsure: boolean;
}

function listen({ modules, shapes, providers }: CallReader): Heard {
  const questions: Question[] = [];
  function follow(ask: "locate" | "resolve", place: Parameters<Modules["resolve"]>): string | undefined {
    const answer = modules[ask](...place);
    questions.push({ ask, place, answer });
    return answer;
  }
  function textOf(file: string): string | undefined {
    const text = modules.textOf(file);
    questions.push({ ask: "get", file, text });
    return text;
  }
  const heard: Heard = {
    questions,
    isUnsure: false,
    types: {
      modules: {
        textOf,
        get: (file) => (textOf(file) === undefined ? undefined : modules.get(file)),
        locate: (...place) => follow("locate", place),
        resolve: (...place) => follow("resolve", place),
        get parsed() {
          heard.isUnsure = true;
          return modules.parsed;
        },
        get problems() {
          heard.isUnsure = true;
          return modules.problems;
        },
      },
      get shapes() {
        heard.isUnsure = true;
        return shapes;
      },
      get providers() {
        heard.isUnsure = true;
        return providers;
      },
    },
  };
  return heard;
}
