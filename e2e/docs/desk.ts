/** Where a page is followed: a folder, and lines that are typed into a shell there. */

import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type RunningCommand, run, start } from "../harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment, withNode } from "../harness/environment.ts";
import { runInProcess, runsInProcess } from "../harness/in-process.ts";
import { once } from "../harness/once.ts";
import { packOnce } from "../harness/package.ts";
import { copyProject } from "../harness/project.ts";
import { registryWithPackage } from "../harness/registry.ts";
import { createFolder } from "../harness/workspace.ts";
import { writeWhole } from "../harness/write.ts";
import { installOnce } from "./install.ts";
import { NEWER_PACKAGE, OWN_PACKAGE, packNewer } from "./newer-package.ts";
import { checkProject } from "./project-check.ts";
import { toPattern } from "./shown.ts";
import { createStandIns } from "./stand-ins.ts";

export interface Desk {
  /** Runs a line to its end. Both streams are told as one, as a terminal does. */
  type(line: string): Promise<Typed>;
  /** Starts a line that goes on until it is stopped. There is one server at a time: the one before is stopped first. */
  serve(line: string): Promise<void>;
  isServing(): boolean;
  /** Waits until the server has printed these lines, below those of an earlier call. @returns all that it printed where it does not. */
  awaitShown(shown: readonly string[]): Promise<string | undefined>;
  /** Ctrl-C. @returns all that the server printed after it. */
  interrupt(): Promise<string>;
  /** A file or a folder in the folder where the shell stands, or that folder itself. */
  has(path: string): boolean;
  /** The path of a file whose name is shown with `…`, for what differs from run to run. Undefined where no file has such a name. */
  find(path: string): string | undefined;
  /** Undefined where there is no such file. */
  read(file: string): string | undefined;
  /** @param text undefined takes the file away. */
  write(file: string, text: string | undefined): void;
  /** What is wrong with the project as it stands. */
  check(): Promise<string[]>;
  leave(): Promise<void>;
}

export interface Typed {
  readonly status: number | null;
  readonly printed: string;
}

const VENDORED = "vendor/framework";

/** What is fetched from the ordinary registry; all else is to work without a network. */
const FETCHES = /\bnpm (?:install|i|ci)\b/;
/** What is fetched from the registry with our package. */
const OURS = /\bnpm create\b|\bframework upgrade\b/;
/** A command of the framework, in which there is nothing for a shell to do. */
const PLAIN = /^npx framework ([\w:/.=, -]+?)(?: +#.*)?$/;
/** Such a line does nothing else, so that what it does can be copied. */
const INSTALLS = /^npm install[\w@/ -]*(?:#.*)?$/;

/**
 * @param hasProject else it is an empty folder.
 * @param node the program that `node` is there
 */
export async function sitDown(hasProject: boolean, node: string = process.execPath): Promise<Desk> {
  let cwd = hasProject ? (await copyProject()).folder : createFolder("page");
  const { port, toReal, toShown } = await createStandIns(hasProject ? dirname(cwd) : cwd);
  const notes = createNotes(cwd);
  const settings = { PORT: port, CURL_HOME: notes, npm_config_loglevel: "error" };
  const offline = withNode({ ...isolatedEnvironment(), ...settings }, node);
  const online = withNode({ ...ordinaryEnvironment(), ...settings }, node);
  const atRegistry = once("environment with our registry", async () => {
    const { url } = await registryWithPackage();
    return withNode({ ...isolatedEnvironment(url), ...settings }, node);
  });
  let server: RunningCommand | undefined;

  const newerPackage = join(dirname(cwd), NEWER_PACKAGE);

  let isNpxShown = false;

  /** `npx` takes longer than the command itself, so each page has it once. */
  function toQuick(line: string): string {
    if (!/^npx framework /.test(line) || !existsSync(join(cwd, VENDORED))) return line;
    if (isNpxShown) return line.replace("npx framework", `node ${VENDORED}`);
    isNpxShown = true;
    return line;
  }

  /** What is typed after `npx framework`, if this process can do it: a page has many such lines. */
  function wordsInProcess(line: string): readonly string[] | undefined {
    const [, words = ""] = PLAIN.exec(line) ?? [];
    const isPossible = isNpxShown && node === process.execPath && existsSync(join(cwd, VENDORED));
    const list = toReal(words).split(/ +/);
    return words !== "" && isPossible && runsInProcess(list) ? list : undefined;
  }

  function type(line: string): Promise<Typed> {
    return INSTALLS.test(line) ? installOnce(cwd, node, line, () => typeItself(line)) : typeItself(line);
  }

  async function typeItself(line: string): Promise<Typed> {
    const words = wordsInProcess(line);
    if (words !== undefined) {
      const { status, printed } = await runInProcess(words, cwd);
      return { status, printed: toShown(printed) };
    }
    if (line.includes(NEWER_PACKAGE)) copyFileSync(await packNewer(), newerPackage);
    if (line.includes(OWN_PACKAGE)) copyFileSync((await packOnce()).tarball, join(dirname(cwd), OWN_PACKAGE));
    // What is typed may change the folder, and what follows happens there.
    const script = `exec 2>&1\n${toReal(toQuick(line))}\nstatus=$?\npwd > "$1"\nexit $status`;
    const env = FETCHES.test(line) ? online : OURS.test(line) ? await atRegistry() : offline;
    const { status, stdout } = await run(["sh", "-c", script, "sh", join(notes, "cwd")], { cwd, env });
    cwd = readFileSync(join(notes, "cwd"), "utf8").trim();
    return { status, printed: toShown(stdout) };
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    server?.signalGroup(signal);
    await server?.waitForEnd();
    server = undefined;
  }

  return {
    type,
    async serve(line) {
      await stop("SIGTERM");
      const [, before, last = line] = /^(.+) && (.+?)$/.exec(line) ?? [];
      if (before !== undefined) await type(before);
      server = start(["sh", "-c", toReal(last)], { cwd, env: offline });
      server.letGo();
    },
    isServing: () => server !== undefined,
    async awaitShown(shown) {
      if (server === undefined) return "";
      try {
        await server.waitFor(toPattern(shown.map(toReal)));
        return undefined;
      } catch {
        return toShown(server.output());
      }
    },
    async interrupt() {
      const interrupted = server;
      const before = interrupted?.output().length ?? 0;
      await stop("SIGINT");
      return toShown(interrupted?.output().slice(before) ?? "");
    },
    has: (path) => existsSync(join(cwd, path)) || join(dirname(cwd), path) === join(cwd, "/"),
    find(path) {
      if (!path.includes("…")) return path;
      const [folder, pattern] = [dirname(path), toPattern([basename(path)])];
      const names = existsSync(join(cwd, folder)) ? readdirSync(join(cwd, folder)) : [];
      const name = names.find((each) => pattern.test(each));
      return name && join(folder, name);
    },
    read(file) {
      const path = join(cwd, file);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    write(file, text) {
      const path = join(cwd, file);
      if (text === undefined) rmSync(path);
      else writeWhole(path, toReal(text));
    },
    check: async () => (await checkProject(cwd)).map(toShown),
    leave: () => stop("SIGTERM"),
  };
}

/** A folder for what is no part of the page: where the shell stands, and that curl shows no progress, as at a terminal. */
function createNotes(cwd: string): string {
  const folder = createFolder("notes");
  writeFileSync(join(folder, "cwd"), cwd);
  writeFileSync(join(folder, ".curlrc"), "no-progress-meter\n");
  return folder;
}
