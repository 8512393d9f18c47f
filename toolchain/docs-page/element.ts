/** Makes the page's elements. Texts of the document become text nodes, never HTML. */

export type Child = Node | string | false | undefined | readonly Child[];
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/**
 * @param name of the tag, with classes behind it.
 * @param parts the attributes, if there are any, and then what is inside.
 * @example make("a.home", { href: "#" }, "Shop")
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag | `${Tag}.${string}`,
  ...parts: readonly (Attributes | Child)[]
): HTMLElementTagNameMap[Tag] {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag as Tag); // the parameter's type says so
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(parts.find(isAttributes) ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  fill(element, ...parts.filter((part): part is Child => !isAttributes(part)));
  return element;
}

function isAttributes(part: Attributes | Child): part is Attributes {
  return typeof part === "object" && !(part instanceof Node) && !Array.isArray(part);
}

/** Puts the children in place of those that are there. */
export function fill(element: Element, ...children: readonly Child[]): void {
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
  return `part-${++ids}`;
}

/** A control with its label above, and more below. */
export function makeLabelled(label: Child, control: HTMLElement, ...below: readonly Child[]): HTMLElement {
  control.id ||= freshId();
  return make("div.field", make("label", { for: control.id }, label), control, below);
}

/** A path with its params marked, which may be broken after each slash. */
export function formatPath(path: string): Child {
  const parts = path.match(/\{[^{}]*\}|[^{}/]*\/|[^{}/]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith("{")) return make("var", part);
    return part.endsWith("/") && part !== path ? [part, make("wbr")] : part;
  });
}
