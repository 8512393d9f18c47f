/**
 * Reads the project in a thread of its own, so that connections need not wait. It keeps what it has parsed: after a change it parses
 * only what changed, and no worker needs a parser.
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

/** Reports errors in the sources before those in the environment. */
function read(): Reading {
  const project = readProject(root);
  const { cors, diagnostics, settings } = project;
  const report =
    diagnostics.length === 0 ? undefined : toReport(new ProjectError(root, diagnostics), hasColors);
  const errors = hasErrors(diagnostics) ? report : undefined;
  try {
    const address = withEnvironment(settings, { ...readEnvironment(root), ...process.env });
    if (errors) return { kind: "broken", report: errors, address, cors };
    return { kind: "sound", project, report, address, cors };
  } catch (error) {
    return { kind: "broken", report: errors ?? toReport(error, hasColors), address: settings, cors };
  }
}
