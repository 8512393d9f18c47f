/** `framework openapi`: what the routes take and what they answer, as an OpenAPI document. */

import { loadContract } from "#toolchain/contract/load";
import { toOpenApi } from "#toolchain/contract/openapi/document";
import { formatJsonDocument, formatYaml } from "#toolchain/contract/openapi/format";
import { noteDocument } from "#toolchain/contract/openapi/notes";
import { findSchemas } from "#toolchain/contract/schemas/schemas";
import { type Command, flag } from "../command.ts";
import { requireProjectRoot } from "../project-root.ts";
import { asksSchemas, chooseFile, deliver, outputOptions } from "./output.ts";

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
    ...outputOptions("the document"),
  },
  examples: [
    "framework openapi --output openapi.json",
    "framework openapi --yaml --notes",
    "framework openapi --check openapi.json",
  ],
  async run(input) {
    const { flags } = input;
    const root = requireProjectRoot(input);
    const isYaml = flags.yaml || /\.ya?ml$/i.test(chooseFile(input) ?? "");
    const { contract, project } = await loadContract(root, { infer: !flags["no-infer"] });
    const schemas = await findSchemas(root, contract, asksSchemas(input, project));
    const text = (isYaml ? formatYaml : formatJsonDocument)(toOpenApi(contract, schemas.find));
    const notes = [...noteDocument(contract), ...schemas.diagnostics];
    const made = { text, routes: contract.operations.length, notes };
    return deliver(root, made, { what: "the document", command: "framework openapi" }, input);
  },
};
