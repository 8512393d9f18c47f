/** The files of the docs page, by name. A build writes them into the tools, with the script that it makes of `docs-page/`. */

import { readFileSync } from "node:fs";

const read = (name: string): string =>
  readFileSync(new URL(`../../docs-page/${name}`, import.meta.url), "utf8");

export const PAGE_FILES: Readonly<Record<string, string>> = {
  "page.html": read("page.html"),
  "page.css": read("page.css"),
};
