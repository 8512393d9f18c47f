/** Follows a page as a reader does, in one project from its first block to its last. */

import { type Block, readBlocks } from "./blocks.ts";
import { sitDown } from "./desk.ts";
import { followCopy } from "./follow-copy.ts";
import { followFile, settle } from "./follow-file.ts";
import { followLines, followSession } from "./follow-session.ts";
import { followText } from "./follow-text.ts";
import type { Fault, Walk } from "./walk.ts";

const FOLLOW: Readonly<Record<string, (block: Block, walk: Walk) => Promise<Fault[]>>> = {
  ts: followFile,
  toml: followFile,
  json: followFile,
  dotenv: followFile,
  sh: followLines,
  console: followSession,
  text: followText,
  yaml: followCopy,
};

/**
 * @param node the program that `node` is there; without it that of this run.
 * @returns what in it is not true.
 */
export async function followPage(text: string, node?: string): Promise<Fault[]> {
  const blocks = readBlocks(text).filter(({ notRun }) => notRun === undefined);
  const unknown = blocks.filter(({ language }) => !Object.hasOwn(FOLLOW, language));
  if (unknown.length > 0) return unknown.map(toUnknown);
  const desk = await sitDown(!beginsByCreating(blocks), node);
  const walk: Walk = { desk, unchecked: new Map(), wrong: new Map() };
  try {
    const faults: Fault[] = [];
    for (const block of blocks) faults.push(...((await FOLLOW[block.language]?.(block, walk)) ?? []));
    return [...faults, ...(await settle(walk))];
  } finally {
    await desk.leave();
  }
}

/** The page with what is printed now. */
export function renewPage(text: string, faults: readonly Fault[]): string {
  const lines = text.split("\n");
  // From the last on, so that the lines before it keep their numbers.
  for (const { line, renewal } of faults.toSorted((one, other) => other.line - one.line)) {
    if (renewal) lines.splice(line, renewal.length, ...renewal.lines);
  }
  return lines.join("\n");
}

function toUnknown({ language, line }: Block): Fault {
  const known = Object.keys(FOLLOW).join(", ");
  const what =
    language === "" ? "This code does not say what it is" : `Nothing knows how to run \`${language}\``;
  return {
    line,
    what: `${what}: fence it as one of ${known}, or say \`<!-- not run: why -->\` above the fence.`,
  };
}

function beginsByCreating(blocks: readonly Block[]): boolean {
  const first = blocks.find(({ language }) => language === "sh" || language === "console");
  return /^(?:\$ )?npm create /.test(first?.lines[0] ?? "");
}
