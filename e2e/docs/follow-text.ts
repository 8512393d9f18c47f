/** What is neither a file nor a session: a table or a drawing. The files that one lists are there. */

import type { Block } from "./blocks.ts";
import type { Fault, Walk } from "./walk.ts";

/** A path, alone or before what is said of it. */
const LISTED = /^ *([\w./-]+(?:\/|\.(?:ts|js|json|toml|md)))(?: {2,}|$)/;

export async function followText({ lines, line }: Block, { desk }: Walk): Promise<Fault[]> {
  return lines.flatMap((text, index) => {
    const at = line + index;
    if (text.startsWith("$ "))
      return [{ line: at, what: "A terminal session is `console`, so that it is run." }];
    const [, path] = LISTED.exec(text) ?? [];
    return path === undefined || desk.has(path) ? [] : [{ line: at, what: `There is no ${path}.` }];
  });
}
