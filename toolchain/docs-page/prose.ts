/** Descriptions on the page. They are Markdown. */

import { type Child, make } from "./element.ts";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

/** @returns nothing for a text that is empty. */
export function showProse(text: string | undefined): Child {
  return text ? make("div.prose", parseMarkdown(text).map(showBlock)) : undefined;
}

function showBlock(block: Block): Child {
  if (block.kind === "code") return make("pre", { tabindex: "0" }, make("code", block.text));
  if (block.kind === "list") {
    const items = block.items.map((item) => make("li", item.map(showInline)));
    return make(block.isOrdered ? "ol" : "ul", items);
  }
  const inside = block.of.map(showInline);
  // Not a heading of the page, which would come between those of its parts.
  const text = make("p", block.kind === "heading" ? make("strong", inside) : inside);
  return block.kind === "quote" ? make("blockquote", text) : text;
}

function showInline(inline: Inline): Child {
  if (typeof inline === "string") return inline;
  if (inline.kind === "code") return make("code", inline.text);
  const inside = inline.of.map(showInline);
  if (inline.kind !== "link") return make(inline.kind, inside);
  return make("a", { href: inline.url, rel: "noopener noreferrer" }, inside);
}
