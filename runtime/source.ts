/** Loads a project from its source files. A separate module, so that a build can leave it out with everything that it imports. */

import type { LoadedProject } from "#runtime/launch";
import { listenForTests, useTransport } from "#runtime/node/server";

/** Environment variables of test runners. An app that a test imports must not use a running server's port, nor keep the runner alive. */
const RUNNERS = ["VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"];

export async function loadFromSource(_isWhole: boolean, stack: string): Promise<LoadedProject> {
  const { settings, ...project } = await (await import("#toolchain/load/load")).loadProject(stack);
  if (!RUNNERS.some((name) => process.env[name] !== undefined)) return { ...project, settings };
  useTransport(listenForTests);
  return { ...project, settings: { ...settings, host: "127.0.0.1", port: 0 } };
}
