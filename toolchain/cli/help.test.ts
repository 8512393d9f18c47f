import { test } from "uvu";
import * as assert from "uvu/assert";

import { COMMANDS, loadCommands } from "./commands.ts";
import { formatCommandHelp, formatHelp } from "./help.ts";

const all = await loadCommands(Object.keys(COMMANDS));
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const wide = { color: false, columns: 10_000 };

for (const columns of [40, 80, 120]) {
  test(`at ${columns} columns no line is longer but an example or a single word, and no word is broken`, () => {
    const texts = all.map((command) => ({
      help: formatCommandHelp(command, { color: false, columns }),
      whole: formatCommandHelp(command, wide),
      examples: command.examples,
    }));
    const list = {
      help: formatHelp(all, { color: false, columns }),
      whole: formatHelp(all, wide),
      examples: [],
    };
    for (const { help, whole, examples } of [...texts, list]) {
      assert.equal(wordsOf(help), wordsOf(whole));
      const tooLong = help
        .split("\n")
        .filter((line) => line.length > columns && !examples.some((example) => line.endsWith(example)));
      assert.equal(
        tooLong.filter((line) => wordsOf(line).length > 1),
        [],
      );
    }
  });
}

test("a description goes on below itself", () => {
  const [command] = all;
  if (command === undefined) throw new Error("There is no command.");
  const help = formatCommandHelp(
    {
      ...command,
      details: "One sentence that is broken\nin the source.\nAnother one.",
      options: {
        app: {
          type: "string",
          value: "<name>",
          description: "Only the routes of this app, and of no other one.",
        },
      },
    },
    { color: false, columns: 50 },
  );
  assert.match(help, "\nOne sentence that is broken in the source.\nAnother one.\n");
  assert.match(
    help,
    `
  --app <name>   Only the routes of this app, and
                 of no other one.
  -h, --help     Show this help.
`,
  );
});

test("the list shows what each command takes; what is too long for its column stands above its explanation", () => {
  const listed = all.filter(({ usage }) => /handler|match|doctor/.test(usage));
  const help = formatHelp(listed, { color: false, columns: 80 });
  assert.match(
    help,
    `
  framework doctor             Check the project's vendored files, Node.js,
                               routes and setup, and say what to do.
  framework routes match <method> <path>
                               Show which route serves a request, what it wants
                               and what runs, or why none does.
  framework generate handler <name> [param:type …]
                               Add a handler to an app.
`,
  );
});

test("where a program reads, every command is one line", () => {
  const lines = formatHelp(all, wide).split("\n");
  for (const { summary } of all) assert.ok(lines.some((line) => line.endsWith(summary)));
});

test.run();
