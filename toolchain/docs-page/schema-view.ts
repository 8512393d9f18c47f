/** Shows a schema as lines: name, type and what its values have to be. What is inside opens when somebody wants to see it. */

import { type Api, resolve, type Schema } from "./document.ts";
import { type Child, fill, freshId, make } from "./element.ts";
import { showProse } from "./prose.ts";
import { constraintsOf, hasInner, type Inner, innerOf, type TypePart, typeOf } from "./type-text.ts";

/** Below the first level, only what has no name of its own is open from the start. */
const OPEN_LEVELS = 2;

/** A whole schema: its type, and what is inside. */
export function showSchema(schema: Schema | boolean | undefined, api: Api): Child {
  const inner = innerOf(schema, api);
  const resolved = resolve(schema, api);
  return [
    make("p", { class: "type-line" }, showType(schema), showConstraints(resolved)),
    showProse(resolved.description),
    inner.length > 0 && showInner(inner, api, 1),
  ];
}

export function showType(schema: Schema | boolean | undefined): Child {
  return make("code", { class: "type" }, typeOf(schema).map(showPart));
}

function showPart(part: TypePart): Child {
  if (typeof part === "string") return part;
  return make("a", { href: `#types/${encodeURIComponent(part.name)}` }, part.name);
}

export function showConstraints(schema: Schema): Child {
  const given = "default" in schema ? [`default ${JSON.stringify(schema.default)}`] : [];
  const phrases = [...constraintsOf(schema), ...given];
  return phrases.length > 0 && [" ", make("span", { class: "constraints" }, phrases.join(", "))];
}

/** What is said beside a name. A screen reader needs the space, too. */
export function showNote(text: string): Child {
  return [" ", make("span", { class: "note" }, text)];
}

function showInner(inner: readonly Inner[], api: Api, level: number): HTMLElement {
  return make(
    "ul",
    { class: "properties" },
    inner.map((one) => showOne(one, api, level)),
  );
}

function showOne({ name, schema, isRequired }: Inner, api: Api, level: number): Child {
  const resolved = resolve(schema, api);
  const canOpen = hasInner(schema, api);
  const isNamed = typeOf(schema).some((part) => typeof part === "object");
  const id = freshId();
  const inside = make("div", { id, hidden: true });
  const open = (): void => fill(inside, [showInner(innerOf(schema, api), api, level + 1)]);
  const isOpen = canOpen && !isNamed && level < OPEN_LEVELS;
  const label = name === "" ? "this type" : name;
  return make(
    "li",
    {},
    make(
      "div",
      { class: "property" },
      canOpen && makeToggle(inside, open, isOpen, label),
      name !== "" && [make("code", { class: "name" }, name), " "],
      showType(schema),
      name !== "" && !isRequired && showNote("optional"),
      resolved.deprecated && showNote("deprecated"),
      showConstraints(resolved),
    ),
    showProse(resolved.description),
    canOpen && inside,
  );
}

/** A button that shows and hides what is made when it is first shown. */
function makeToggle(inside: HTMLElement, open: () => void, isOpen: boolean, label: string): HTMLElement {
  const button = make("button", {
    type: "button",
    class: "toggle",
    "aria-controls": inside.id,
    "aria-expanded": "false",
    "aria-label": `Properties of ${label}`,
  });
  const toggle = (): void => {
    if (inside.childElementCount === 0) open();
    inside.hidden = !inside.hidden;
    button.setAttribute("aria-expanded", String(!inside.hidden));
  };
  button.addEventListener("click", toggle);
  if (isOpen) toggle();
  return button;
}
