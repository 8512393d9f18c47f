/**
 * Reads the project whenever it is asked to, in a thread of its own, so that the port is not kept waiting. What was parsed is
 * remembered file by file: after a change, only what changed is parsed again, and no worker needs a parser.
 */

import { parentPort, workerData } from "node:worker_threads";
import { hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { readProject } from "#runtime/convention/project";
import { withEnvironment } from "#runtime/core/settings";
import { readEnvironment } from "../environment.ts";
import { ProjectError } from "../load/project-error.ts";
import type { Reading } from "./messages.ts";
import { toReport } from "./report.ts";

const { root, hasColors } = workerData as { readonly root: string; readonly hasColors: boolean };

parentPort?.on("message", () => parentPort?.postMessage(read()));

/** What stands in the sources is told before what stands in the environment. */
function read(): Reading {
  const project = readProject(root);
  const { diagnostics, settings } = project;
  const report =
    diagnostics.length === 0 ? undefined : toReport(new ProjectError(root, diagnostics), hasColors);
  const isBroken = hasErrors(diagnostics);
  try {
    const address = withEnvironment(settings, { ...readEnvironment(root), ...process.env });
    if (report && isBroken) return { kind: "broken", report, address };
    return { kind: "sound", project, report, address };
  } catch (error) {
    const first = report && isBroken ? report : toReport(error, hasColors);
    return { kind: "broken", report: first, address: settings };
  }
}
