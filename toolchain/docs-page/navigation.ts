/** The list of all operations in their groups, and the search in it. */

import { type Api, type Operation, search } from "./document.ts";
import { formatPath, freshId, make } from "./element.ts";

export interface Navigation {
  readonly element: HTMLElement;
  /** Marks the operation that is shown. */
  select(id: string): void;
  focusSearch(): void;
}

export function makeNavigation({ operations }: Api): Navigation {
  const items = new Map(operations.map((operation) => [operation, makeItem(operation)]));
  const groups = [...Map.groupBy(operations, ({ group }) => group)].map(([name, inside]) => {
    const id = freshId();
    const list = inside.map((operation) => items.get(operation));
    return make("div.group", make("p.tag", { id }, name), make("ul", { "aria-labelledby": id }, list));
  });
  const total = operations.length === 1 ? "1 operation" : `${operations.length} operations`;
  const count = make("p.quiet.count", { role: "status" }, total);
  const input = makeSearch();
  input.addEventListener("input", filter);
  const element = make(
    "nav",
    { id: "operations", "aria-label": "Operations" },
    make(
      "div.search",
      make("label.hidden", { for: input.id }, "Search operations"),
      input,
      make("kbd", { "aria-hidden": "true" }, "/"),
    ),
    count,
    groups,
  );
  element.addEventListener("keydown", onKey);
  return { element, select, focusSearch: () => input.select() };

  function filter(): void {
    const found = new Set(search(operations, input.value));
    for (const [operation, item] of items) item.hidden = !found.has(operation);
    for (const group of groups) group.hidden = group.querySelector("li:not([hidden])") === null;
    count.textContent = input.value.trim() === "" ? total : `${found.size} found`;
  }

  function select(id: string): void {
    element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const shown = operations.find((operation) => operation.id === id);
    const link = shown && items.get(shown)?.firstElementChild;
    link?.setAttribute("aria-current", "page");
    link?.scrollIntoView({ block: "nearest" });
  }

  /** The arrows go from the search to the operations, and from one to the next. */
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const shown = [...element.querySelectorAll<HTMLElement>("li:not([hidden]) > a")];
    const at = shown.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Enter" && document.activeElement === input) shown[0]?.click();
    if (step === undefined) return;
    event.preventDefault();
    if (at + step < 0) input.focus();
    else shown[at + step]?.focus();
  }
}

function makeSearch(): HTMLInputElement {
  const shared = { type: "search", id: freshId(), placeholder: "Search", "aria-keyshortcuts": "/" };
  return make("input", { ...shared, autocomplete: "off", spellcheck: "false" });
}

function makeItem({ id, method, path, summary, deprecated }: Operation): HTMLElement {
  const link = make(
    "a",
    { href: `#${encodeURIComponent(id)}`, title: summary },
    make("span.method", method),
    make(deprecated ? "span.path.deprecated" : "span.path", formatPath(path)),
    deprecated && make("span.hidden", " deprecated"),
  );
  return make("li", link);
}
