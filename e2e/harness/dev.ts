/** One project under `framework dev` for the tests of a file, since a start takes longer than most tests: each leaves it sound. */

import { type Answer, askUntil } from "./client.ts";
import { once } from "./once.ts";
import { copyProject, type Project } from "./project.ts";
import { DEV, type RunningServer, serve } from "./server.ts";

export interface Dev {
  readonly project: Project;
  readonly server: RunningServer;
  /** Asks until the answer has the status, or the text. @returns all answers until then. */
  until(line: string, wanted: number | string | RegExp): Promise<Answer[]>;
  /** Saves it as `routes/index.ts`' answer, and waits until that is served, and so all that was saved before. */
  settle(): Promise<void>;
  /** What is printed from now on. */
  listen(): () => string;
}

/** @param prepare changes the project before it is served. @param options words after `dev`, and settings of the environment. */
export function devOnce(
  prepare: (project: Project) => void = () => {},
  {
    words = [],
    settings = {},
  }: { words?: readonly string[]; settings?: Readonly<Record<string, string>> } = {},
): () => Promise<Dev> {
  return once("dev server", async () => {
    const project = await copyProject();
    prepare(project);
    const server = await serve(project.folder, [...DEV, ...words], settings);
    let settled = 0;
    const until: Dev["until"] = (line, wanted) =>
      askUntil(server.url, line, ({ status, text }) =>
        wanted instanceof RegExp ? wanted.test(text) : status === wanted || text === wanted,
      );
    return {
      project,
      server,
      until,
      async settle() {
        settled += 1;
        project.write("routes/settled.ts", `export const get = () => ${settled};\n`);
        await until("GET /settled", String(settled));
      },
      listen() {
        const before = server.output().length;
        return () => server.output().slice(before);
      },
    };
  });
}

/** The watcher waits a little longer than this for more of a change. A test that is held up meanwhile has shown it one half. */
const AT_ONCE_MS = 4;

/** @returns whether the work was done so fast that the watcher can't have seen half of it. */
export function doAtOnce(work: () => void): boolean {
  const began = performance.now();
  work();
  return performance.now() - began < AT_ONCE_MS;
}
