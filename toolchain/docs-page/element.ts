/** Makes the page's elements. Texts of the document become text nodes, never HTML. */

export type Child = Node | string | false | undefined | readonly Child[];
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** @example make("a", { href: "#getUser" }, "GET /users") */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  fill(element, children);
  return element;
}

/** Puts the children in place of those that are there. */
export function fill(element: Element, children: readonly Child[]): void {
  element.replaceChildren(...flatten(children));
}

function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined || child === false || child === "") return [];
    return typeof child === "string" || child instanceof Node ? [child] : flatten(child);
  });
}

let ids = 0;

/** @returns an id that no other element has. */
export function freshId(): string {
  ids += 1;
  return `part-${ids}`;
}

/** A path with its params marked, which may be broken after each slash. */
export function formatPath(path: string): Child {
  const parts = path.match(/\{[^{}]*\}|[^{}/]*\/|[^{}/]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith("{")) return make("var", {}, part);
    return part.endsWith("/") && part !== path ? [part, make("wbr")] : part;
  });
}
