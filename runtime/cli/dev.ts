/** `framework dev`: serves the project while it is being written. */

import { spawnWorker } from "../toolchain/dev/worker-process.ts";
import type { Command } from "./command.ts";
import { ADDRESS_OPTIONS, applyAddressOptions, requireProjectRoot } from "./options.ts";

export const dev: Command = {
  usage: "framework dev [options]",
  summary: "Serve the project, and reload it when a file changes.",
  details:
    "A mistake does not end it: the terminal and every answer show the mistake until it is mended.\n" +
    "The address is framework.toml's [server] host and port, outranked by HOST and PORT, outranked by the options.",
  options: ADDRESS_OPTIONS,
  examples: ["framework dev", "framework dev --port 9000"],
  async run(input) {
    const root = requireProjectRoot(input);
    applyAddressOptions(input);
    const { terminal } = input;
    // The worker starts while what supervises it is being loaded.
    const worker = spawnWorker(root, terminal.color);
    const { superviseProject } = await import("../toolchain/dev/supervisor.ts");
    const { createDevMessages } = await import("./dev-messages.ts");
    return new Promise((resolve) => {
      const supervisor = superviseProject(root, terminal.color, worker, {
        ...createDevMessages(root, terminal),
        async onAddressRefused(error, kept) {
          const { report } = await import("./report.ts");
          const status = await report(error, terminal);
          if (kept === undefined) close(status);
          else terminal.printError(`  Until that is mended, ${kept.host}:${kept.port} stays.`);
        },
      });
      function close(status: number): void {
        supervisor.close();
        resolve(status);
      }
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => close(0));
    });
  },
};
