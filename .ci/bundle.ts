/**
 * Writes test files in a form that Node runs as it is: `bundle.ts <folder> <file> …`. What several files import is compiled once
 * for all of them, and none of their processes needs tsx.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder, ...files] = process.argv.slice(2);
if (folder === undefined) throw new Error("Wanted: a folder below node_modules/, and the files.");

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(files.map((file) => [file, join(root, file)])),
  platform: "node",
  // Packages stay where they are. Our own imports begin with a dot or with `#`.
  external: /^[a-z@]/,
  plugins: [{ name: "places", transform: { filter: { id: /\.ts$/ }, handler: keepPlaces } }],
});
await bundle.write({
  dir: folder,
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs",
  sourcemap: "inline",
});
await bundle.close();
// Below `node_modules/` a module's own `#` imports lead nowhere: to a test they are the bundled ones.
const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bundled = Object.entries(imports).map(([name, path]) => [name, `${path}.mjs`]);
writeFileSync(join(folder, "package.json"), JSON.stringify({ imports: Object.fromEntries(bundled) }));

/** Writes into a source where it is, since `import.meta` would tell where the bundle is. No line moves. */
function keepPlaces(source: string, file: string): { code: string; map: null } | undefined {
  const { importMetas } = parseSync(file, source).module;
  if (importMetas.length === 0) return undefined;
  const places = { url: pathToFileURL(file).href, dirname: dirname(file), filename: file };
  const code = importMetas.reduceRight((text, { start, end }) => {
    const place = Object.entries(places).find(([name]) => text.startsWith(`.${name}`, end));
    if (place === undefined) return text;
    const [name, value] = place;
    return text.slice(0, start) + JSON.stringify(value) + text.slice(end + 1 + name.length);
  }, source);
  return { code, map: null };
}
