/** Differences as a comment of a pull request. */

import { formatLocation, lineOf } from "#convention/diagnostics/format";
import { escapeControl } from "#runtime/escape";
import { LEVELS, type Level } from "./difference.ts";
import { countLevels, formatLevels, type Group, type Sides, sayMore } from "./groups.ts";

/** GitHub takes 65,536 characters in a comment. */
const LONGEST_COMMENT = 65_000;
const LONGEST_LINE = 200;

const HEADINGS: Readonly<Record<Level, string>> = { breaking: "Breaking", risky: "Risky", other: "Other" };

/** @param title as in "Compared with main (1a2b3c4)". */
export function formatMarkdown(groups: readonly Group[], sides: Sides, title: string): string {
  const counts = countLevels(groups);
  const heading = groups.length === 0 ? "No changes of the contract" : `Contract: ${formatLevels(counts)}`;
  const parts = [`## ${heading}`, escapeMarkdown(`${title}.`)];
  let room = LONGEST_COMMENT - parts.join("\n\n").length;
  for (const level of LEVELS) {
    const chosen = groups.filter(({ first }) => first.level === level);
    if (chosen.length === 0) continue;
    const section = formatSection(level, chosen, sides, room);
    parts.push(section);
    room -= section.length + 2;
  }
  return parts.join("\n\n");
}

/** What is left for the last line of a section, and for its frame. */
const RESERVE = 300;

function formatSection(level: Level, groups: readonly Group[], sides: Sides, room: number): string {
  const shown: string[] = [];
  let left = room - RESERVE;
  for (const group of groups) {
    const text = formatItem(group, sides);
    if (text.length + 1 > left) break;
    shown.push(text);
    left -= text.length + 1;
  }
  const hidden = groups.length - shown.length;
  if (hidden > 0) shown.push(`- … and ${hidden} more`);
  const title = `${HEADINGS[level]} (${groups.length})`;
  if (level !== "other") return `### ${title}\n\n${shown.join("\n")}`;
  return `<details><summary>${title}</summary>\n\n${shown.join("\n")}\n\n</details>`;
}

function formatItem(group: Group, [before, after]: Sides): string {
  const { first } = group;
  const { method, pattern, id, message } = first;
  const rest = sayMore(group).replace(/^a(.*)/, " A$1.");
  const lines = [
    ...(first.before ? [["-", first.before, before] as const] : []),
    ...(first.after ? [["+", first.after, after] as const] : []),
  ].flatMap(([sign, location, { sources }]) => {
    const text = lineOf(location, sources.files.read(location.file));
    return [
      `${sign} ${escapeControl(formatLocation(location))}`,
      ...(text === undefined ? [] : [`${sign} ${cutLine(text)}`]),
    ];
  });
  const route = toCode(`${method} ${pattern}`);
  // Of tildes, so that the comment itself can be in a fence. No line in it begins with one.
  const fenced = ["~~~diff", ...lines, "~~~"].map((line) => `  ${line}`).join("\n");
  return `- **${route}** ${escapeMarkdown(message)}${rest} ${toCode(id)}\n${fenced}`;
}

function cutLine(text: string): string {
  const shown = escapeControl(text.replaceAll("\t", "  "));
  return shown.length > LONGEST_LINE ? `${shown.slice(0, LONGEST_LINE)}…` : shown;
}

function toCode(text: string): string {
  const shown = escapeControl(text);
  const runs = shown.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  return ticks.length === 1 ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`;
}

/** Code stays code; anything else that Markdown, HTML or GitHub would take for more than text is escaped. */
function escapeMarkdown(message: string): string {
  return escapeControl(message)
    .split(/((`+)(?!`)[^\n]*?(?<!`)\2(?!`))/)
    .flatMap((part, index) => (index % 3 === 2 ? [] : [index % 3 === 1 ? part : escapePlain(part)]))
    .join("");
}

function escapePlain(text: string): string {
  return text
    .replace(/[&<>@#]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/[\\`*_{}[\]|~!]/g, (char) => `\\${char}`);
}
