/** Asks the server that editors ask, over its protocol, which imports it would insert. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Message {
  readonly request_seq?: number;
  readonly body?: readonly { readonly changes: readonly FileChange[] }[];
}

interface FileChange {
  readonly textChanges: readonly { readonly newText: string }[];
}

const CANNOT_FIND_NAME = 2304;

/**
 * @param server the path of `tsserver.js`.
 * @param name of a type that a new file of the project uses.
 * @returns the lines, best first, each once.
 */
export async function insertedImports(
  server: string,
  folder: string,
  name: string,
  preferences: object,
): Promise<readonly string[]> {
  const file = join(folder, "apps/users/new.ts");
  const text = `export function f(a: ${name}) {}\n`;
  writeFileSync(file, text);
  const child = spawn(process.execPath, [server, "--disableAutomaticTypingAcquisition"], { cwd: folder });
  const place = { startLine: 1, startOffset: 22, endLine: 1, endOffset: 22 + name.length };
  const requests = [
    ["configure", { preferences: { includeCompletionsForModuleExports: true, ...preferences } }],
    ["open", { file, fileContent: text, projectRootPath: folder }],
    ["getCodeFixes", { file, ...place, errorCodes: [CANNOT_FIND_NAME] }],
  ];
  for (const [seq, [command, given]] of requests.entries())
    child.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: given })}\n`);
  for await (const line of createInterface(child.stdout)) {
    const message = line.startsWith("{") ? (JSON.parse(line) as Message) : {};
    if (message.request_seq !== requests.length - 1) continue;
    child.kill();
    await once(child, "exit");
    const inserted = (message.body ?? []).flatMap(({ changes }) =>
      changes.flatMap(({ textChanges }) => textChanges.map(({ newText }) => newText.trim())),
    );
    return [...new Set(inserted)];
  }
  throw new Error("The server of TypeScript has ended.");
}
