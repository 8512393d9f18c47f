/** Light or dark: as the system has it, until somebody chooses. The browser keeps the choice. */

import { make } from "./element.ts";

const KEY = "theme";
const THEMES = ["auto", "light", "dark"];

export function makeThemeButton(): HTMLElement {
  const button = make("button", { type: "button" });
  let theme = localStorage.getItem(KEY) ?? "auto";
  const show = (): void => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    localStorage.setItem(KEY, theme);
    show();
  });
  show();
  return button;
}
