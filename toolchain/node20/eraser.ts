/** Takes the types out of a TypeScript file, as Node itself does from 22.18 on. */

import { promises } from "node:fs";
import { fileURLToPath } from "node:url";
import { mayBeInerasable } from "#convention/source/erasure";

/** It is loaded while the threads still talk about other things. Asked again, it is there. */
export function loadEraser(): Promise<typeof import("#convention/deps/sucrase")> {
  return import("#convention/deps/sucrase");
}

/**
 * @param url of the file.
 * @throws {SyntaxError} with its place in the first line of the stack, as in Node's own.
 */
export async function eraseTypes(url: string): Promise<string> {
  const file = fileURLToPath(url);
  const source = await promises.readFile(file, "utf8");
  // The eraser would write code in place of an enum. Node does not.
  if (mayBeInerasable(source)) await refuseMistakes(source, url);
  const { transform } = await loadEraser();
  try {
    // Unused imports stay, as they do when Node erases types: a project means the same on every version.
    const { code, sourceMap } = transform(source, {
      transforms: ["typescript"],
      keepUnusedImports: true,
      disableESTransforms: true,
      // So that stack traces have the file's columns.
      filePath: file,
      sourceMapOptions: { compiledFilename: file },
    });
    return sourceMap ? `${code}\n//# sourceMappingURL=${toDataUrl(sourceMap)}` : code;
  } catch (error) {
    await refuseMistakes(source, url);
    throw toSyntaxError(error instanceof Error ? error.message : String(error), `${url}:1:1`);
  }
}

/** @throws {SyntaxError} for the first thing that Node would refuse. */
async function refuseMistakes(source: string, url: string): Promise<void> {
  // Few files need the parser, which takes longer to load than most projects.
  const [{ parseModule }, { diagnose }] = await Promise.all([
    import("#convention/source/reader"),
    import("#convention/diagnostics/catalogue"),
  ]);
  const { problems, inerasable } = parseModule(source, url);
  const [first] = [
    ...inerasable.map((found) => ({ why: diagnose("FW318", found).message, location: found.location })),
    ...problems,
  ];
  if (first === undefined) return;
  const { why, location } = first;
  throw toSyntaxError(why, `${url}:${location.line}:${location.column}`);
}

function toSyntaxError(why: string, place: string): SyntaxError {
  const error = new SyntaxError(why);
  error.stack = `${place}\n${error.stack}`;
  return error;
}

function toDataUrl(sourceMap: object): string {
  return `data:application/json;base64,${Buffer.from(JSON.stringify(sourceMap)).toString("base64")}`;
}
