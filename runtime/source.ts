/** The project of a process that was started from source. A file of its own, because a build leaves it out with all that it loads. */

import type { LoadedProject } from "#runtime/launch";
import { listenForTests, useTransport } from "#runtime/node/server";

/** Test runners set these. What a test imports must neither take the port of a server that is running, nor keep the runner alive. */
const RUNNERS = ["VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"];

export async function loadFromSource(_isWhole: boolean, stack: string): Promise<LoadedProject> {
  const { settings, ...project } = await (await import("#toolchain/load/load")).loadProject(stack);
  if (!RUNNERS.some((name) => process.env[name] !== undefined)) return { ...project, settings };
  useTransport(listenForTests);
  return { ...project, settings: { ...settings, host: "127.0.0.1", port: 0 } };
}
