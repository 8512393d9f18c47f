/** The files of the docs page: what a browser gets. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** @param folder with the sources of the page. @returns text by name. */
export async function bundlePage(folder: string): Promise<Readonly<Record<string, string>>> {
  const bundle = await rolldown({ input: join(folder, "page.ts"), platform: "browser", logLevel: "warn" });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, minify: READABLE });
  await bundle.close();
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { "page.html": read("page.html"), "page.css": read("page.css"), "page.js": output[0].code };
}

/** Names stay; comments and white space go. */
const READABLE = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const;
