/** A run of `framework dev`, from start to end: it connects supervisor, terminal, keys, signals and debugger. */

import { kleur } from "#convention/deps/kleur";
import type { Project } from "#convention/project";
import type { Address } from "#runtime/node/listen";
import { Problem } from "#runtime/problem";
import { ClientKeeper } from "#toolchain/dev/client-keeper";
import { type DebuggerPort, openDebuggerPort } from "#toolchain/dev/debugger-port";
import { Supervisor, type SupervisorOptions } from "#toolchain/dev/supervisor";
import type { Terminal } from "../command.ts";
import { report } from "../report.ts";
import type { BindKeys } from "./keys.ts";
import { createDevMessages, formatRoutes, KEYS_LINE } from "./messages.ts";

export interface DevSession extends Omit<SupervisorOptions, "events"> {
  readonly terminal: Terminal;
  /** Undefined if nobody sits at the terminal. */
  readonly bindKeys: BindKeys | undefined;
  readonly bindSignals: (onSignal: () => void) => void;
  /** Where debuggers attach, if they may. */
  readonly debuggerAddress: Address | undefined;
}

/** If stopping takes longer than this, the terminal explains why. */
const EXPLAIN_AFTER_MS = 500;
const DRAINING =
  "  Waiting for requests in flight, and for the project to close at SIGTERM. Press Ctrl-C again to stop at once.";

/** @returns the exit status, as soon as somebody ends the session. */
export async function runDevSession(session: DevSession): Promise<number> {
  const { root, terminal, bindKeys, bindSignals } = session;
  let project: Project | undefined;
  let supervisor: Supervisor | undefined;
  const debuggerPort = await openDebugger(session, () => supervisor?.worker?.debuggerPort);
  const messages = createDevMessages(root, terminal);
  const clientKeeper = new ClientKeeper(root, (failed, printed) => {
    if (failed !== undefined) terminal.printError(`\n${failed}\n`);
    else if (!printed.endsWith(", unchanged")) terminal.print(`  ${kleur.dim("client written")}: ${printed}`);
  });

  return new Promise((resolve, reject) => {
    const started = new Supervisor({
      ...session,
      events: {
        ...messages,
        onServed(served, warnings) {
          project = served.project;
          debuggerPort?.cut();
          messages.onServed(served, warnings);
          clientKeeper.update(project.contract?.client);
        },
        onFailed(text, address) {
          debuggerPort?.cut();
          messages.onFailed(text, address);
        },
        async onAddressRefused(error, kept) {
          const status = await report(error, terminal);
          if (kept === undefined) end(status);
          else terminal.printError(`  Until you fix that, dev stays at ${kept.host}:${kept.port}.`);
        },
      },
    });
    supervisor = started;
    started.start().catch((error) => {
      started.stop();
      reject(error);
    });
    const list = (): void =>
      terminal.print(project ? formatRoutes(project, terminal) : "  Nothing is served yet.");
    const help = (): void => terminal.print(`  ${KEYS_LINE}`);
    bindKeys?.({ r: () => started.reload(), l: list, q: () => end(0), h: help, "?": help });
    let isEnding = false;
    bindSignals(() => end(0));

    /** The second call does not wait for requests in flight. */
    function end(status: number): void {
      if (isEnding) started.stop();
      else {
        started.close();
        setTimeout(() => terminal.print(DRAINING), EXPLAIN_AFTER_MS).unref();
      }
      isEnding = true;
      debuggerPort?.close();
      clientKeeper.close();
      resolve(status);
    }
  });
}

/** @throws {Problem} when nothing can listen on the address. */
async function openDebugger(
  { debuggerAddress, terminal, workers }: DevSession,
  target: () => number | undefined,
): Promise<DebuggerPort | undefined> {
  if (debuggerAddress === undefined) return undefined;
  const { host, port } = debuggerAddress;
  try {
    const opened = await openDebuggerPort(debuggerAddress, target);
    terminal.print(`  Attach a debugger at ${host}:${port}, as in chrome://inspect.`);
    return opened;
  } catch (error) {
    workers.stop();
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem(
      `No debugger can attach at ${host}:${port}: ${why}`,
      "Choose another port, as in --inspect=9230.",
    );
  }
}
