/** `framework client`: the routes as typed functions, in one TypeScript file for browsers and other programs. */

import { Problem } from "#runtime/problem";
import { CLIENT_MARK, writeClient } from "#toolchain/contract/client/client";
import { loadContract } from "#toolchain/contract/load";
import { findSchemas, withSchemas } from "#toolchain/contract/schemas/schemas";
import type { Command, CommandInput } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { asksSchemas, chooseFile, deliver, outputOptions, readText } from "./output.ts";

export const client: Command = {
  usage: "framework client [options]",
  summary: "Print a client: one TypeScript file with a typed function for each route.",
  details:
    "The file imports nothing and runs in browsers, Node, Bun and Deno. docs/client.md shows how to use it.\n" +
    "It reads the source. Only --load-schemas runs any of it, in a process of its own. The same sources give the same file, byte for byte.\n" +
    "Where a result has no written type, the project's own tsc infers it.\n" +
    "With `client` below [contract] in framework.toml, `framework dev` keeps that file current.",
  options: outputOptions("the client"),
  examples: ["framework client --output ../web/src/api.ts", "framework client --check ../web/src/api.ts"],
  async run(input) {
    const root = requireProjectRoot(input);
    const file = chooseFile(input);
    if (file !== undefined && file === input.values.output) requireClient(input, file);
    const { contract, project } = await loadContract(root, { infer: !input.flags["no-infer"] });
    const schemas = await findSchemas(root, contract, asksSchemas(input, project));
    const notes = [...contract.diagnostics, ...schemas.diagnostics];
    const text = writeClient(withSchemas(contract, schemas));
    const made = { text, routes: contract.operations.length, notes };
    return deliver(root, made, { what: "the client", command: "framework client" }, input);
  },
};

/** @throws {Problem} for a file that somebody has written by hand. */
function requireClient({ cwd }: CommandInput, file: string): void {
  const text = readText(cwd, file);
  if (text === undefined || text === "" || text.startsWith(CLIENT_MARK)) return;
  throw new Problem(
    `${file} is not a client that this command has written.`,
    "Choose another file, or delete this one first.",
  );
}
