/** The list of all operations by tag, and the search in it. */

import { type Api, type Operation, search } from "./document.ts";
import { formatPath, freshId, make } from "./element.ts";

export interface Navigation {
  readonly element: HTMLElement;
  /** Marks the operation that is shown. */
  select(id: string): void;
  focusSearch(): void;
}

interface Group {
  readonly element: HTMLElement;
  readonly items: readonly { readonly operation: Operation; readonly element: HTMLElement }[];
}

export function makeNavigation(api: Api): Navigation {
  const { operations } = api;
  const input = make("input", {
    type: "search",
    id: freshId(),
    placeholder: "Search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "/",
  });
  const count = make("p", { class: "quiet count", role: "status" }, countOf(operations.length));
  const groups = groupByTag(operations).map(makeGroup);
  const links = new Map(groups.flatMap(({ items }) => items.map((one) => [one.operation.id, one.element])));
  let selected: Element | null | undefined;
  input.addEventListener("input", filter);
  const element = make(
    "nav",
    { id: "operations", "aria-label": "Operations" },
    make(
      "div",
      { class: "search" },
      make("label", { for: input.id, class: "hidden" }, "Search operations"),
      input,
      make("kbd", { "aria-hidden": "true" }, "/"),
    ),
    count,
    groups.map((group) => group.element),
  );
  element.addEventListener("keydown", onKey);
  return { element, select, focusSearch: () => input.select() };

  function filter(): void {
    const found = new Set(search(operations, input.value));
    for (const { element: group, items } of groups) {
      for (const { element: item, operation } of items) item.hidden = !found.has(operation);
      group.hidden = items.every(({ element: item }) => item.hidden);
    }
    count.textContent = input.value.trim() === "" ? countOf(operations.length) : `${found.size} found`;
  }

  function select(id: string): void {
    selected?.removeAttribute("aria-current");
    selected = links.get(id)?.firstElementChild;
    selected?.setAttribute("aria-current", "page");
    selected?.scrollIntoView({ block: "nearest" });
  }

  /** The arrows go from the search to the operations, and from one to the next. */
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const shown = [...element.querySelectorAll<HTMLElement>("li:not([hidden]) > a")];
    const [first] = shown;
    const active = document.activeElement as HTMLElement;
    if (event.key === "Enter" && active === input) first?.click();
    if (step === undefined) return;
    const next = shown.indexOf(active) + step;
    event.preventDefault();
    if (next < 0) input.focus();
    else shown[next]?.focus();
  }
}

function countOf(operations: number): string {
  return operations === 1 ? "1 operation" : `${operations} operations`;
}

function groupByTag(operations: readonly Operation[]): readonly (readonly [string, readonly Operation[]])[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.tag);
    if (group) group.push(operation);
    else groups.set(operation.tag, [operation]);
  }
  return [...groups];
}

function makeGroup([tag, operations]: readonly [string, readonly Operation[]]): Group {
  const id = freshId();
  const items = operations.map((operation) => ({ operation, element: makeItem(operation) }));
  const list = make(
    "ul",
    { "aria-labelledby": id },
    items.map(({ element }) => element),
  );
  const label = make("p", { class: "tag", id }, tag === "" ? "Other routes" : tag);
  return { element: make("div", { class: "group" }, label, list), items };
}

function makeItem({ id, method, path, summary, deprecated }: Operation): HTMLElement {
  return make(
    "li",
    {},
    make(
      "a",
      { href: `#${encodeURIComponent(id)}`, title: summary },
      make("span", { class: "method" }, method),
      make("span", { class: deprecated ? "path deprecated" : "path" }, formatPath(path)),
      deprecated && make("span", { class: "hidden" }, " deprecated"),
    ),
  );
}
