/** The project of a process that was started from source. A file of its own, because a build leaves it out with all that it loads. */

import type { LoadedProject } from "#runtime/launch";

export async function loadFromSource(_isWhole: boolean, stack: string): Promise<LoadedProject> {
  return (await import("#toolchain/load/load")).loadProject(stack);
}
