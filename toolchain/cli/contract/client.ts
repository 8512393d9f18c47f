/** `framework client`: the routes as typed functions, in one TypeScript file for browsers and other programs. */

import { resolve } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isInstalled } from "#convention/source/packages";
import { Problem } from "#runtime/problem";
import { CLIENT_MARK, writeClient } from "#toolchain/contract/client/client";
import { loadContract } from "#toolchain/contract/load";
import { findSchemas, withSchemas } from "#toolchain/contract/schemas/schemas";
import { type Command, type CommandInput, flag, UsageError } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { report } from "../report.ts";
import { asksSchemas, NOTE_OPTIONS, printNotes, SCHEMA_OPTIONS } from "./notes.ts";
import { chooseTarget, deliver, type Made, targetOptions, writeTarget } from "./target.ts";
import { readText } from "./text-file.ts";

export const client: Command = {
  usage: "framework client [options]",
  summary: "Print a client: one TypeScript file with a typed function for each route.",
  details:
    "The file imports nothing and runs in browsers, Node, Bun and Deno. docs/client.md shows how to use it.\n" +
    "It reads the source. Only --load-schemas runs any of it, in a process of its own. The same sources give the same file, byte for byte.\n" +
    "Where a result has no written type, the project's own tsc infers it.\n" +
    "With `client` below [contract] in framework.toml, `framework dev` keeps that file current.",
  options: {
    ...targetOptions("the client"),
    watch: flag("With --output: write the file again when the project changes."),
    force: flag("With --output: replace a file that this command did not write."),
    ...SCHEMA_OPTIONS,
    ...NOTE_OPTIONS,
  },
  examples: [
    "framework client --output ../web/src/api.ts",
    "framework client --output ../web/src/api.ts --watch",
    "framework client --check ../web/src/api.ts",
  ],
  async run(input) {
    const root = requireProjectRoot(input);
    const target = chooseTarget(input);
    const isWritten = target !== undefined && !target.isChecked;
    if (isWritten) requireClient(input, target.file);
    if (input.flags.watch) {
      if (isWritten) return watch(root, target.file, input);
      throw new UsageError("--watch needs a file to write.", "Name it with --output <file>.");
    }
    const made = await makeClient(root, input);
    printNotes(root, made.notes, "the client", input);
    return deliver(made, target, "framework client", input);
  },
};

interface MadeClient extends Made {
  /** The sources that were read, relative to the root. */
  readonly files: readonly string[];
  readonly notes: readonly Diagnostic[];
}

async function makeClient(root: string, input: Pick<CommandInput, "flags">): Promise<MadeClient> {
  const { contract, project } = await loadContract(root, { infer: !input.flags["no-infer"] });
  const schemas = await findSchemas(root, contract, asksSchemas(input, project));
  const notes = [...contract.diagnostics, ...schemas.diagnostics];
  const text = writeClient(withSchemas(contract, schemas));
  return { text, routes: contract.operations.length, notes, files: project.files };
}

/** @throws {Problem} for a file that somebody has written by hand. */
function requireClient({ cwd, flags }: CommandInput, file: string): void {
  const text = flags.force ? undefined : readText(cwd, file);
  if (text === undefined || text === "" || text.startsWith(CLIENT_MARK)) return;
  throw new Problem(
    `${file} is not a client that this command has written.`,
    "Choose another file, or replace it with --force.",
  );
}

/** @returns the exit status, when a signal ends it. */
async function watch(root: string, file: string, input: CommandInput): Promise<number> {
  const { terminal, cwd } = input;
  // Only here, because dev brings much along.
  const { holdSignals } = await import("../dev/signals.ts");
  const { ProjectWatcher } = await import("#toolchain/dev/watch");
  const bindSignals = holdSignals();
  const output = resolve(cwd, file);
  let written: string | undefined;
  let updated = Promise.resolve();
  let isWaiting = false;
  const watcher = new ProjectWatcher(root, {
    everywhere: true,
    onNotice: () => undefined,
    onChange(files) {
      const isOutput = files.every((one) => resolve(root, one) === output);
      if (!isOutput || readText(cwd, file) !== written) void update();
    },
    onBlind: (folder, { message }) =>
      terminal.printError(`The folder ${folder} can't be watched for changes: ${message}`),
  });
  watcher.follow([output]);
  await update();
  terminal.print("Watching for changes. Press Ctrl-C to stop.");
  return new Promise((done) =>
    bindSignals(() => {
      watcher.close();
      done(0);
    }),
  );

  /** One at a time: while it runs, one more waits for all that changes. */
  function update(): Promise<void> {
    if (!isWaiting) updated = updated.then(tryToUpdate);
    isWaiting = true;
    return updated;
  }

  async function tryToUpdate(): Promise<void> {
    isWaiting = false;
    try {
      const { text, routes, files } = await makeClient(root, input);
      // Types may come from beside the project.
      watcher.follow(files.filter((one) => !isInstalled(one)).map((one) => resolve(root, one)));
      written = text;
      terminal.print(writeTarget(input, file, text, routes));
    } catch (error) {
      await report(error, terminal);
      terminal.printError(`${file} stays as it is.`);
    }
  }
}
