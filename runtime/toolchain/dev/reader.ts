/**
 * Reads the project whenever it is asked to, in a thread of its own, so that the port is not kept waiting. What was parsed is
 * remembered file by file: after a change, only what changed is parsed again, and no worker needs a parser.
 */

import { parentPort, workerData } from "node:worker_threads";
import { hasErrors } from "#runtime/convention/diagnostics/diagnostics";
import { readProject } from "#runtime/convention/project";
import { withEnvironment } from "#runtime/core/settings";
import { readEnvironment } from "../environment.ts";
import { ProjectError } from "../load/project-error.ts";
import { toFindings } from "./findings.ts";
import type { Reading } from "./messages.ts";

const { root, hasColors } = workerData as { readonly root: string; readonly hasColors: boolean };

parentPort?.on("message", () => parentPort?.postMessage(read()));

/** What stands in the sources is told before what stands in the environment. */
function read(): Reading {
  const project = readProject(root);
  const { diagnostics, settings } = project;
  const findings =
    diagnostics.length === 0 ? undefined : toFindings(new ProjectError(root, diagnostics), hasColors);
  const isBroken = hasErrors(diagnostics);
  try {
    const address = withEnvironment(settings, { ...readEnvironment(root), ...process.env });
    if (findings && isBroken) return { kind: "broken", findings, address };
    return { kind: "sound", project, findings, address };
  } catch (error) {
    const first = findings && isBroken ? findings : toFindings(error, hasColors);
    return { kind: "broken", findings: first, address: settings };
  }
}
