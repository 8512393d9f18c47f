/** The modules of a built script that have no file. A script is a file of the project that runs to its end, and serves nothing. */

import { ENTRY, type EntryModules, quoteFile, SOURCE, sourceThatThrows, toEntryModules } from "./entry.ts";

const SCRIPT_START = "\0framework:start";

/** @param file absolute. */
export function createScriptModules(file: string): EntryModules {
  return toEntryModules({
    [ENTRY]: `import ${JSON.stringify(SCRIPT_START)};\nexport * from ${JSON.stringify(file)};\n`,
    [SCRIPT_START]: `import { beginScript } from ${quoteFile("runtime/log")};\nbeginScript();\n`,
    [SOURCE]: sourceThatThrows("A built script holds no routes, so createApp() has nothing to serve."),
  });
}
