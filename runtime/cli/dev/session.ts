/** A run of `framework dev`, from its start to its end: what serves, what is printed, the keys and the signals. */

import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import { Problem } from "#runtime/core/problem";
import { type DebuggerPort, openDebuggerPort } from "#runtime/toolchain/dev/debugger-port";
import type { DevEvents } from "#runtime/toolchain/dev/events";
import { type Supervisor, superviseProject } from "#runtime/toolchain/dev/supervisor";
import type { Worker } from "#runtime/toolchain/dev/worker-process";
import type { Terminal } from "../command.ts";
import { report } from "../report.ts";
import { formatColumns, formatLabels, labelsOf } from "../route-formats.ts";
import type { Bindings, Keys } from "./keys.ts";
import { createDevMessages, KEYS_LINE } from "./messages.ts";
import type { Signals } from "./signals.ts";

export interface DevSession {
  readonly root: string;
  readonly terminal: Terminal;
  /** Undefined where nobody can press any. */
  readonly keys: Keys | undefined;
  readonly signals: Signals;
  /** Where a debugger is to be attached, if one is. */
  readonly debuggerAddress: Address | undefined;
  readonly spawn: () => Worker;
  /** A worker to begin with. */
  readonly first: Worker;
}

/** An end that takes so many milliseconds is explained. */
const TELL_AFTER_MS = 500;
const DRAINING =
  "  Waiting for requests in flight, and for what the project does at SIGTERM. Ctrl-C again ends it at once.";

/** @returns the exit status, once the session is asked to end. */
export async function runDevSession(session: DevSession): Promise<number> {
  const { root, terminal, keys, signals, spawn, first } = session;
  let supervisor: Supervisor | undefined;
  let project: Project | undefined;
  const debuggerPort = await openDebugger(session, () => supervisor?.worker?.debuggerPort);
  const messages = createDevMessages(root, terminal);

  return new Promise((resolve) => {
    const events: DevEvents = {
      ...messages,
      onServed(served) {
        project = served.project;
        debuggerPort?.cut();
        messages.onServed(served);
      },
      onFailed(report, address) {
        debuggerPort?.cut();
        messages.onFailed(report, address);
      },
      async onAddressRefused(error, kept) {
        const status = await report(error, terminal);
        if (kept === undefined) end(status);
        else terminal.printError(`  Until that is mended, ${kept.host}:${kept.port} stays.`);
      },
    };
    supervisor = superviseProject({ root, hasColors: terminal.color, spawn, first, events });
    keys?.bind(createBindings());
    let isEnding = false;
    signals.bind(() => end(0));

    /** Asked again, it does not wait for what is in flight. */
    function end(status: number): void {
      if (isEnding) supervisor?.stop();
      else {
        supervisor?.close();
        setTimeout(() => terminal.print(DRAINING), TELL_AFTER_MS).unref();
      }
      isEnding = true;
      debuggerPort?.close();
      resolve(status);
    }

    function createBindings(): Bindings {
      const help = (): void => terminal.print(`  ${KEYS_LINE}`);
      return { r: () => supervisor?.reload(), l: listRoutes, q: () => end(0), h: help, "?": help };
    }
  });

  function listRoutes(): void {
    const { color, columns } = terminal;
    if (project === undefined) {
      terminal.print("  Nothing is served yet.");
      return;
    }
    const { routes, apps } = project;
    const labels = formatLabels(routes, labelsOf(apps), columns);
    const blocks = [formatColumns(routes, columns, color), labels.join("\n")];
    terminal.print(`\n${blocks.filter((block) => block !== "").join("\n\n")}\n`);
  }
}

/** @throws {Problem} when the address can't be had. */
async function openDebugger(
  { debuggerAddress, terminal, first }: DevSession,
  target: () => number | undefined,
): Promise<DebuggerPort | undefined> {
  if (debuggerAddress === undefined) return undefined;
  const { host, port } = debuggerAddress;
  try {
    const opened = await openDebuggerPort(debuggerAddress, target);
    terminal.print(`  A debugger can be attached at ${host}:${port}, as in chrome://inspect.`);
    return opened;
  } catch (error) {
    first.stop();
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem(
      `No debugger can be attached at ${host}:${port}: ${why}`,
      "Choose another port, as in --inspect=9230.",
    );
  }
}
