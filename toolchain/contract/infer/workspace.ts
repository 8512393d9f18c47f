/** A folder in which the project's own TypeScript, whatever its version, writes the declarations of changed copies of the sources. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { toPath } from "../../load/project-files.ts";
import { formatSettings, GLOBALS_FILE, GLOBALS_TEXT, OUT_FOLDER, SETTINGS_FILE } from "./settings.ts";

export interface Workspace {
  /** The path from the copies to the project, with forward slashes. */
  readonly home: string;
  /** Writes copies, by their paths. */
  write(texts: ReadonlyMap<string, string>): void;
  /** @param files what was written. */
  compile(program: string, files: Iterable<string>): Promise<Compilation>;
  /** The declarations of a copy; undefined where TypeScript has written none. */
  readDeclarations(file: string): string | undefined;
  /** Ends what is running, too. */
  close(): void;
}

/** Errors in the user's types are no failure: TypeScript writes the declarations all the same. */
export interface Compilation {
  /** Why a type has no name, for one of which TypeScript writes no declarations of the whole file; by the copies' paths. */
  readonly complaints: ReadonlyMap<string, string>;
  /** Why it came to no end of its own, and what it said last. */
  readonly failure: string | undefined;
}

export interface WorkspaceOptions {
  /** How long TypeScript may run, in milliseconds. */
  readonly patience?: number;
}

const LONGEST_RUN = 60_000;
/** Git ignores what begins like this, and so does `framework dev`. */
const PREFIX = ".framework-infer-";

/** @throws the system's error where no folder can be made. */
export function openWorkspace(root: string, { patience = LONGEST_RUN }: WorkspaceOptions = {}): Workspace {
  // In the project, where TypeScript finds all that the sources find.
  const folder = mkdtempSync(join(root, PREFIX));
  // TypeScript repeats there what the path of a file has behind its root.
  const out = join(folder, OUT_FOLDER, relative(parse(folder).root, folder));
  let child: ChildProcess | undefined;
  const forget = atEnd(close);
  return { home: toPath(folder, root), write, compile, readDeclarations, close };

  function write(texts: ReadonlyMap<string, string>): void {
    for (const one of new Set([...texts.keys()].map(dirname)))
      mkdirSync(join(folder, one), { recursive: true });
    for (const [file, text] of texts) writeFileSync(join(folder, file), text);
  }

  async function compile(program: string, files: Iterable<string>): Promise<Compilation> {
    const settings = formatSettings(root, folder, [GLOBALS_FILE, ...files]);
    write(
      new Map([
        [GLOBALS_FILE, GLOBALS_TEXT],
        [SETTINGS_FILE, settings],
      ]),
    );
    child = runIn(program, folder);
    const compilation = await finish(child, patience);
    child = undefined;
    return compilation;
  }

  function readDeclarations(file: string): string | undefined {
    try {
      return readFileSync(join(out, toDeclarationFile(file)), "utf8");
    } catch {
      return undefined;
    }
  }

  function close(): void {
    forget();
    if (child) end(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @example toDeclarationFile("apps/users/views.ts") // "apps/users/views.d.ts" */
export function toDeclarationFile(file: string): string {
  return file.replace(/\.(m?)ts$/, ".d.$1ts");
}

/** What a process that is detached from the terminal's own group has to be ended by. */
const HAS_GROUPS = process.platform !== "win32";

function runIn(program: string, folder: string): ChildProcess {
  // What the user has set for Node may run code of the project.
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawn(process.execPath, [program, "-p", join(folder, SETTINGS_FILE), "--pretty", "false"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // TypeScript 7 starts a program of its own, which only the end of the group ends.
    detached: HAS_GROUPS,
  });
}

function end(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

const MOST_OUTPUT = 2 ** 20;

async function finish(child: ChildProcess, patience: number): Promise<Compilation> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MOST_OUTPUT);
    });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end(child);
  }, patience);
  const ending = await new Promise<string | undefined>((settle) => {
    child.once("error", ({ message }) => settle(`could not be started: ${message}`));
    // 1 and 2 are for what is wrong with the user's types.
    child.once("close", (status, signal) =>
      settle(signal || (status ?? 0) > 2 ? `ended with ${signal ?? `status ${status}`}` : undefined),
    );
  });
  clearTimeout(timer);
  const failure = late ? `took more than ${patience / 1000} seconds` : ending;
  const [last = ""] = output.trim().split("\n").slice(-1);
  return { complaints: readComplaints(output), failure: failure && `${failure}: ${last.trim()}` };
}

/** A type that has no name where it is to be written, or is too long. */
const NAMELESS = /^(.+?)\(\d+,\d+\): error TS(?:2527|2742|2883|4\d{3}|7056|9\d{3}): (.*)$/gm;

/** The first of each file. The name of the folder is another one each time. */
function readComplaints(output: string): ReadonlyMap<string, string> {
  const found = [...output.matchAll(NAMELESS)].map(([, file = "", message = ""]) => {
    const text = message.trim().replace(/[^'"\s]*\.framework-infer-\w+\//g, "");
    return [file.replaceAll("\\", "/"), text] as const;
  });
  return new Map(found.reverse());
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Has something done before the process ends. @returns what makes that unnecessary. */
function atEnd(run: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    run();
    // Without us it would have ended the process; others who listen to it decide for themselves.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once("exit", run);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  return () => {
    process.off("exit", run);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
