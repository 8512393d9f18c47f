/** What a database needs in app.ts: it is prepared before the app is created, and closed after the last request. */

import { MAIN_FILE } from "#convention/layout";
import { applyEdits } from "#convention/source/edits";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { applyStyle, detectStyle } from "../source/style.ts";

const IMPORTS = [
  'import { prepareDatabase } from "framework/database";',
  'import { db } from "#database/connection.ts";',
  'import { migrations } from "#database/migrations/index.ts";',
];

const PREPARE = [
  "// In development it applies new migrations. Otherwise it refuses a database that lacks some.",
  "await prepareDatabase(db, migrations);",
];

const CLOSE = "server.closed.then(() => db.destroy());";

/** A statement of its own, at the top level. */
const LISTEN = /^(?:const (\w+) = )?(await \w+\.listen\(.*\));?[ \t]*$/m;

/**
 * Adds the lines to the text of app.ts.
 *
 * @returns undefined where it does not listen as the template's does: then {@link explainMainFile} says what to add by hand.
 */
export function addToMainFile(text: string): string | undefined {
  const outline = readOutline(text);
  const listen = LISTEN.exec(text);
  if (isUnreadable(outline) || listen === null || outline.bindings.has("db")) return undefined;
  const style = detectStyle(text);
  const [statement, server = "server", call] = listen;
  const [above, below] = [outline.imports.at(-1)?.end ?? 0, listen.index];
  if (above > below) return undefined;
  const head = `\n${IMPORTS.join("\n")}\n\n${PREPARE.join("\n")}`;
  const tail = `const ${server} = ${call};\n\n// After the last request.\n${CLOSE.replace("server", server)}`;
  return applyEdits(text, [
    { start: above, end: above, text: applyStyle(head, style) },
    { start: below, end: below + statement.length, text: applyStyle(tail, style) },
  ]);
}

/** For a main file that was edited beyond recognition. */
export function explainMainFile(): string {
  const lines = [...IMPORTS, "await prepareDatabase(db, migrations); // before createApp()", CLOSE];
  return `Add to ${MAIN_FILE} by hand: ${lines.join(" ")}`;
}
