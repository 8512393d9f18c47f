/** What of a terminal's text is in its picture. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { drawTerminal } from "./terminal-picture.ts";

test("what lies apart keeps its column, and its colour and weight until they are set back", () => {
  const drawn = drawTerminal("ls", "\u001b[31m\u001b[1ma\u001b[22m   b\u001b[39m c\n");
  assert.ok(drawn.includes('<tspan x="20" textLength="8.4" fill="#ff7b72" font-weight="bold">a</tspan>'));
  assert.ok(drawn.includes('<tspan x="53.6" textLength="8.4" fill="#ff7b72">b</tspan>'));
  assert.ok(drawn.includes('<tspan x="70.4" textLength="8.4">c</tspan>'));
});

test("characters of the markup are text", () => {
  assert.ok(drawTerminal("cat", "<a> & b").includes(">&lt;a&gt; &amp; b</tspan>"));
});

test("a sequence that is not known is an error, and not left out", () => {
  assert.throws(() => drawTerminal("ls", "\u001b[2Ka"), /add it to STYLES/);
  assert.throws(() => drawTerminal("ls", "\u001b[95ma"), /add it to STYLES/);
});

test.run();
