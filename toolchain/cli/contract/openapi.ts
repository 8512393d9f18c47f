/** `framework openapi`: what the routes take and what they answer, as an OpenAPI document. */

import { loadContract } from "#toolchain/contract/load";
import { toOpenApi } from "#toolchain/contract/openapi/document";
import { formatJsonDocument, formatYaml } from "#toolchain/contract/openapi/format";
import { noteDocument } from "#toolchain/contract/openapi/notes";
import { findSchemas } from "#toolchain/contract/schemas/schemas";
import { type Command, type CommandInput, flag } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { asksSchemas, NOTE_OPTIONS, printNotes, SCHEMA_OPTIONS } from "./notes.ts";
import { chooseTarget, deliver, type Target, targetOptions } from "./target.ts";

export const openapi: Command = {
  usage: "framework openapi [options]",
  summary: "Print an OpenAPI 3.1 document of what the routes take and what they answer.",
  details:
    "It reads the source. Only --load-schemas runs any of it, in a process of its own. The same sources give the same document, byte for\n" +
    "byte. Where a result has no written type, the project's own tsc infers it. What is not known is {}, which any value fits.\n" +
    "Where OpenAPI can't tell two routes of one method apart, the document has the one that matches first.\n" +
    "Notes go to stderr. With an error in the project, or a --check that finds a difference, the exit status is 1.",
  options: {
    yaml: flag("Print YAML. A file whose name ends with .yaml or .yml is YAML, too."),
    ...targetOptions("the document"),
    ...SCHEMA_OPTIONS,
    ...NOTE_OPTIONS,
  },
  examples: [
    "framework openapi --output openapi.json",
    "framework openapi --yaml --notes",
    "framework openapi --check openapi.json",
  ],
  async run(input) {
    const { flags } = input;
    const root = requireProjectRoot(input);
    const target = chooseTarget(input);
    const { contract, project } = await loadContract(root, { infer: !flags["no-infer"] });
    const format = isYaml(input, target) ? formatYaml : formatJsonDocument;
    const schemas = await findSchemas(root, contract, asksSchemas(input, project));
    const text = format(toOpenApi(contract, schemas.find));
    const notes = [...noteDocument(contract), ...schemas.diagnostics];
    printNotes(root, notes, "the document", input);
    return deliver({ text, routes: contract.operations.length }, target, "framework openapi", input);
  },
};

function isYaml({ flags }: CommandInput, target: Target | undefined): boolean {
  return flags.yaml || (target !== undefined && /\.ya?ml$/i.test(target.file));
}
