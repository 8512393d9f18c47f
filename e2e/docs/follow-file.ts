/** Writes the files that a page shows, and finds out whether they are right. */

import type { Block } from "./blocks.ts";
import type { Desk } from "./desk.ts";
import type { Fault, Walk } from "./walk.ts";

/** It is type-checked with the project, and no route. */
const FRAGMENT = "routes/_fragment.ts";

/** The comment in the first line names the file, which keeps it unless it is JSON. TypeScript without it is only checked. */
export async function followFile(block: Block, walk: Walk): Promise<Fault[]> {
  const { language, lines, line } = block;
  const [, shown, mark] = /^(?:\/\/|#) (\S*[./]\S*?)(?:, (added|wrong))?$/.exec(lines[0] ?? "") ?? [];
  if (shown === undefined) return language === "ts" ? checkFragment(block, walk.desk) : [toNameless(block)];
  const file = walk.desk.find(shown);
  if (file === undefined) return [{ line, what: `There is no file ${shown}.` }];
  const faults = walk.unchecked.has(file) ? await settle(walk) : [];
  const before = walk.desk.read(file);
  if (mark === "wrong") walk.wrong.set(file, before);
  else walk.unchecked.set(file, line);
  const isBare = language === "json" || mark === "added";
  const text = `${lines.slice(isBare ? 1 : 0).join("\n")}\n`;
  walk.desk.write(file, mark === "added" ? before + text : text);
  return faults;
}

function toNameless({ language, line }: Block): Fault {
  return {
    line,
    what: `\`${language}\` begins with a comment that names its file, such as \`# framework.toml\`.`,
  };
}

async function checkFragment({ lines, line }: Block, desk: Desk): Promise<Fault[]> {
  desk.write(FRAGMENT, lines.join("\n"));
  const complaints = await desk.check();
  desk.write(FRAGMENT, undefined);
  return complaints.map((what) => ({ line, what }));
}

/** The files that were written have to be right together, before one of them is written again and at the end. */
export async function settle({ desk, unchecked }: Walk): Promise<Fault[]> {
  const [line] = unchecked.values();
  if (line === undefined) return [];
  const complaints = await desk.check();
  const what = `${[...unchecked.keys()].join(", ")} as written here and below. What is wrong on purpose has to say so, as in \`// routes/items.ts, wrong\`, and is so until the next session ends.`;
  unchecked.clear();
  return complaints.map((complaint) => ({ line, what: `${what}\n${complaint}` }));
}

/** What was wrong on purpose was so for one session. */
export function restore({ desk, wrong }: Walk): void {
  for (const [file, text] of wrong) desk.write(file, text);
  wrong.clear();
}
