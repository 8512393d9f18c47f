import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderTemplate, type View } from "./template.ts";

const VIEW: View = {
  yes: true,
  no: false,
  none: [],
  columns: [
    { field: "title", isText: true },
    { field: "field", isText: false },
  ],
  thing: "book",
  things: "books",
};

const RENDERED: [title: string, template: string, expected: string][] = [
  ["a line stays if the view has something", "a, // if yes\nb, // if no\nc, // if none", "a,"],
  ["so does a block, and its other half if not", "// if no\na\n// else\nb\n// end\nc", "b\nc"],
  ["a line is repeated for each entry", "field, // each columns", "title,\nfield,"],
  [
    "a block is, with what the entry asks for",
    "// each columns\n// if isText\nfield\n// end\n// end\nz",
    "title\nz",
  ],
  ["an expression stays in a line", "f(a, /* if yes */ b, /* end */ c)", "f(a, b, c)"],
  ["and goes from it", "f(a, /* if no */ b, /* end */ c)", "f(a, c)"],
  ["the longest word is replaced, once", "thing things", "book books"],
  ["a word is not the end of another one", "nothing NewThing", "nothing NewThing"],
  ["options of which none is left go", "f(a, {\n  b, // if no\n});", "f(a);"],
  ["several empty lines become one", "a\n\n// if no\nb\n\n// end\n\nc", "a\n\nc"],
];

for (const [title, template, expected] of RENDERED)
  test(`${title}: ${JSON.stringify(template)}`, () =>
    assert.is(renderTemplate(template, VIEW), `${expected}\n`));

test.run();
