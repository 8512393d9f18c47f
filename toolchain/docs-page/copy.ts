/** Code that can be copied. */

import { freshId, make } from "./element.ts";

export interface CodeBlock {
  readonly element: HTMLElement;
  show(text: string): void;
}

export function makeCode(title: string, text = ""): CodeBlock {
  const id = freshId();
  const code = make("code", text);
  const copied = make("span.quiet", { role: "status" });
  const button = make("button", { type: "button", "aria-label": `Copy ${title}` }, "Copy");
  button.addEventListener("click", async () => {
    copied.textContent = (await copy(code)) ? "Copied" : "Selected: copy it with the keyboard";
    setTimeout(() => copied.replaceChildren(), 2000);
  });
  const head = make("figcaption", make("span", { id }, title), copied, button);
  const pre = make("pre", { tabindex: "0", "aria-labelledby": id }, code);
  return { element: make("figure.snippet", head, pre), show: (next) => code.replaceChildren(next) };
}

/** Without TLS, a page of another machine has no clipboard: then the text is selected. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
