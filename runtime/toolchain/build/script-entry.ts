/** The modules of a built script that have no file. A script is a file of the project that runs to its end, and serves nothing. */

import { ENTRY, type EntryModules, quoteFile, SOURCE, sourceThatThrows, toEntryModules } from "./entry.ts";

const BEGIN = "\0framework:begin";

/** @param file absolute. */
export function createScriptModules(file: string): EntryModules {
  return toEntryModules({
    [ENTRY]: `import ${JSON.stringify(BEGIN)};\nexport * from ${JSON.stringify(file)};\n`,
    [BEGIN]: `import { beginScript } from ${quoteFile("built-script")};\nbeginScript();\n`,
    [SOURCE]: sourceThatThrows("A built script holds no routes, so createApp() has nothing to serve."),
  });
}
