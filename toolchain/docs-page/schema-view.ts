/** Shows a schema as lines: name, type and what its values have to be. What is inside opens when somebody wants to see it. */

import { type Api, resolve, type Schema } from "./document.ts";
import { type Child, fill, freshId, make } from "./element.ts";
import { showProse } from "./prose.ts";
import { constraintsOf, type Inner, innerOf, typeOf } from "./type-text.ts";

/** Below the first level, only what has no name of its own is open from the start. */
const OPEN_LEVELS = 2;

/** A whole schema: its type, and what is inside. */
export function showSchema(schema: Schema | boolean | undefined, api: Api): Child {
  const inner = innerOf(schema, api);
  const resolved = resolve(schema, api);
  return [
    make("p.type-line", showType(schema), showConstraints(resolved)),
    showProse(resolved.description),
    inner.length > 0 && showInner(inner, api, 1),
  ];
}

export function showType(schema: Schema | boolean | undefined): Child {
  const parts = typeOf(schema).map((part) => {
    if (typeof part === "string") return part;
    return make("a", { href: `#types/${encodeURIComponent(part.name)}` }, part.name);
  });
  return make("code.type", parts);
}

export function showConstraints(schema: Schema): Child {
  const given = "default" in schema ? [`default ${JSON.stringify(schema.default)}`] : [];
  const phrases = [...constraintsOf(schema), ...given];
  return phrases.length > 0 && [" ", make("span.constraints", phrases.join(", "))];
}

/** What is said beside a name. A screen reader needs the space, too. */
export function showNote(text: string): Child {
  return [" ", make("span.note", text)];
}

function showInner(inner: readonly Inner[], api: Api, level: number): HTMLElement {
  return make(
    "ul.properties",
    inner.map((one) => showOne(one, api, level)),
  );
}

function showOne({ name, schema, isRequired }: Inner, api: Api, level: number): Child {
  const resolved = resolve(schema, api);
  const canOpen = innerOf(schema, api).length > 0;
  const isNamed = typeOf(schema).some((part) => typeof part === "object");
  const inside = make("div", { id: freshId(), hidden: true });
  const open = (): void => fill(inside, showInner(innerOf(schema, api), api, level + 1));
  const isOpen = !isNamed && level < OPEN_LEVELS;
  const line = make(
    "div.property",
    canOpen && makeToggle(inside, open, isOpen, name === "" ? "this type" : name),
    name !== "" && [make("code.name", name), " "],
    showType(schema),
    name !== "" && !isRequired && showNote("optional"),
    resolved.deprecated && showNote("deprecated"),
    showConstraints(resolved),
  );
  return make("li", line, showProse(resolved.description), canOpen && inside);
}

/** A button that shows and hides what is made when it is first shown. */
function makeToggle(inside: HTMLElement, open: () => void, isOpen: boolean, label: string): HTMLElement {
  const aria = {
    "aria-controls": inside.id,
    "aria-expanded": "false",
    "aria-label": `Properties of ${label}`,
  };
  const button = make("button.toggle", { type: "button", ...aria });
  const toggle = (): void => {
    if (inside.childElementCount === 0) open();
    inside.hidden = !inside.hidden;
    button.setAttribute("aria-expanded", String(!inside.hidden));
  };
  button.addEventListener("click", toggle);
  if (isOpen) toggle();
  return button;
}
