/** Whether the links of a page lead somewhere: to a file of the repository, and to a heading in it. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FENCED = /^ *(`{3,}).*?\n[\s\S]*?^ *\1$/gm;
const LINK = /\[[^\]]*\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g;
const ELSEWHERE = /^(?:https?|mailto):/;

/** @param page its path; @returns the links that lead nowhere. */
export function findDeadLinks(root: string, page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replace(FENCED, "");
  const targets = [...text.matchAll(LINK)].map(([, link, image]) => link ?? image ?? "");
  return targets.filter((target) => !ELSEWHERE.test(target) && !leads(root, page, target));
}

function leads(root: string, page: string, target: string): boolean {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file)) return false;
  return heading === undefined || readAnchors(readFileSync(file, "utf8")).includes(heading);
}

/** As GitHub makes them: of two headings that are alike, the second one ends in `-1`. */
function readAnchors(text: string): string[] {
  const headings = [...text.replace(FENCED, "").matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)];
  const words = headings.map(([, heading = ""]) => toAnchor(heading));
  return words.map((word, index) => {
    const before = words.slice(0, index).filter((other) => other === word).length;
    return before === 0 ? word : `${word}-${before}`;
  });
}

function toAnchor(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
