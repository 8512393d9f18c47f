/**
 * Instead of `slash` in the bundle: the engine makes each target path a Handlebars template, and a folder may be called
 * `{{`. So besides forward slashes, a path gets a writing that renders to the path itself.
 */

import { escapeHandlebars } from "../../template.ts";

export default function slash(path: string): string {
  return escapeHandlebars(process.platform === "win32" ? path.replaceAll("\\", "/") : path);
}
