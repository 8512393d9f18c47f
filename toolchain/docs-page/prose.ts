/** Descriptions on the page. They are Markdown. */

import { type Child, make } from "./element.ts";
import { type Mark, parseMarkdown } from "./markdown.ts";

/** @returns nothing for a text that is empty. */
export function showProse(text: string | undefined): Child {
  return text ? make("div.prose", parseMarkdown(text).map(showMark)) : undefined;
}

function showMark(mark: Mark | string): Child {
  if (typeof mark === "string") return mark;
  const { tag, of, url } = mark;
  const link = { href: url, rel: url && "noopener noreferrer" };
  return make(tag, tag === "pre" ? { tabindex: "0" } : link, of.map(showMark));
}
