/** The pages that a reader is given: those of the repository, and those that a created project has. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeName } from "../harness/nodes.ts";
import { createOnce } from "../harness/project.ts";
import { REPOSITORY } from "../harness/workspace.ts";
import { readNode } from "./page-node.ts";

export interface Page {
  /** Its path in the repository. */
  readonly name: string;
  /** What it runs on; undefined where it is the Node of the run. */
  readonly node: NodeName | undefined;
  read(): Promise<string>;
  /** Absent where the page is made of another one. */
  readonly write?: (text: string) => void;
}

/** README first, and those whose blocks are followed. `toolchain/cli/diagnostics-pages.test.ts` follows docs/diagnostics/. */
export function findPages(): [Page, ...Page[]] {
  const docs = readdirSync(join(REPOSITORY, "docs")).filter((name) => name.endsWith(".md"));
  return [
    toPage("README.md"),
    ...docs.map((name) => toPage(`docs/${name}`)),
    ...["README.md", "AGENTS.md"].map(toTemplatePage),
  ];
}

function toPage(name: string): Page {
  const file = join(REPOSITORY, name);
  return {
    name,
    node: readNode(readFileSync(file, "utf8")),
    read: async () => readFileSync(file, "utf8"),
    write: (text) => writeFileSync(file, text),
  };
}

/** As it stands in a project, where what is of no use to it was left out. */
function toTemplatePage(name: string): Page {
  return {
    name: `template/${name}`,
    node: undefined,
    read: async () => readFileSync(join((await createOnce()).folder, name), "utf8"),
  };
}
