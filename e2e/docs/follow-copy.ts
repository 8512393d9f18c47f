/** Files that a reader copies from docs/: a block shows lines of one, one after another, as they are there. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../harness/workspace.ts";
import type { Block } from "./blocks.ts";
import type { Fault } from "./walk.ts";

/** The comment in the first line names the file, from docs/. */
export async function followCopy({ language, lines, line }: Block): Promise<Fault[]> {
  const [, name = ""] = /^# (\S+)$/.exec(lines[0] ?? "") ?? [];
  const file = join(REPOSITORY, "docs", name);
  if (name === "" || !existsSync(file)) {
    return [{ line, what: `\`${language}\` begins with a comment that names a file in docs/.` }];
  }
  const shown = `\n${lines.slice(1).join("\n")}\n`;
  return `\n${readFileSync(file, "utf8")}`.includes(shown)
    ? []
    : [{ line, what: `docs/${name} does not have these lines.` }];
}
