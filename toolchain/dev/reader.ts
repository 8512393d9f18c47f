/**
 * Reads the project in a thread of its own, so that connections need not wait. It keeps what it has parsed: after a change it parses
 * only what changed, and no worker needs a parser.
 */

import { parentPort, workerData } from "node:worker_threads";
import type { Declared } from "#convention/contract/declared";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { type Project, readSources, type Sources } from "#convention/project";
import { isInstalled } from "#convention/source/packages";
import { readAddress } from "../environment.ts";
import { ProjectError } from "../load/project-error.ts";
import { createFirstFiles } from "./first.ts";
import type { Answered, Asked, Reading } from "./messages.ts";
import { describeChange } from "./project-change.ts";
import { toReport } from "./report.ts";

const { root, hasColors } = workerData as { readonly root: string; readonly hasColors: boolean };

/** The newest. */
let sources: Sources | undefined;
/** As it was sent last. */
let sent: Project | undefined;
const findFirst = createFirstFiles();

let turn = Promise.resolve();
parentPort?.on("message", (asked: Asked) => {
  turn = turn.then(() => answer(asked));
});

async function answer(asked: Asked): Promise<void> {
  const answered: Answered =
    asked.kind === "read"
      ? read(asked.unproven)
      : { kind: "declared", declared: await declaredOf(asked.route) };
  parentPort?.postMessage(answered);
  // Nobody waits for this, but the next reading needs it.
  if (answered.kind === "sound" && answered.needed === undefined && sources) findFirst(sources, []);
}

async function declaredOf(name: string): Promise<Declared | undefined> {
  const route = sources?.project.routes.find(({ method, pattern }) => `${method} ${pattern}` === name);
  if (sources === undefined || route === undefined) return undefined;
  // Only an answer asks for it, and the first one does not wait for it.
  const { readDeclared } = await import("#convention/contract/declared");
  return readDeclared(sources, route);
}

/** Reports errors in the sources before those in the environment. */
function read(unproven: readonly string[] | undefined): Reading {
  sources = readSources(root);
  const { project } = sources;
  const { cors, dev, diagnostics, settings } = project;
  const hosts = dev?.hosts;
  const outside = project.files.filter((file) => file.startsWith("../") || isInstalled(file));
  const report =
    diagnostics.length === 0 ? undefined : toReport(new ProjectError(root, diagnostics), hasColors);
  const errors = hasErrors(diagnostics) ? report : undefined;
  try {
    const address = readAddress(root, settings);
    if (errors) return { kind: "broken", report: errors, address, cors, hosts, outside };
    const needed = unproven && findFirst(sources, unproven);
    const change = describeChange(sent, project);
    sent = project;
    return { kind: "sound", change, needed, report, address, cors, hosts, outside };
  } catch (error) {
    const report = errors ?? toReport(error, hasColors);
    return { kind: "broken", report, address: settings, cors, hosts, outside };
  }
}
