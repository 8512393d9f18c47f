import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { END, toAutomaton } from "./automaton.ts";
import { countSteps } from "./matcher.fixture.ts";
import { followPaths, type State } from "./paths.ts";
import { parseRegExp } from "./syntax.ts";

const LIMIT = 12;
const FEW = 3;

const quantifier = fc.constantFrom(
  "*",
  "*",
  "+",
  "+",
  "?",
  "{2}",
  "{0,2}",
  "{1,3}",
  "{2,}",
  "*?",
  "+?",
  "??",
);
const leaf = fc.constantFrom("a", "b", "[ab]", ".", "\\w", "[^a]", "");

/** Random patterns with a small alphabet, which are ambiguous most often. */
function patterns(...assertions: readonly string[]): fc.Arbitrary<string> {
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4, depthSize: "medium" },
      leaf,
      fc.tuple(tie("part"), tie("part")).map(([one, other]) => one + other),
      fc.tuple(tie("part"), tie("part")).map(([one, other]) => `(?:${one}|${other})`),
      fc.tuple(tie("part"), quantifier).map(([one, times]) => `(${one})${times}`),
      fc.tuple(tie("part"), quantifier).map(([one, times]) => `(${one})${times}`),
      ...assertions.map((opening) =>
        tie("part").map((one) => (opening.startsWith("(") ? `${opening}${one})` : opening)),
      ),
    ),
  }));
  return fc
    .tuple(fc.constantFrom("", "^"), part, fc.constantFrom("", "$", "c"))
    .map((parts) => parts.join(""));
}

const piece = fc.string({ unit: fc.constantFrom("a", "b", "!", "c"), maxLength: 3 });
const attacks = fc
  .tuple(piece, piece, fc.nat(15), piece)
  .map(([before, round, times, after]) => before + round.repeat(times) + after);

const ASSERTIONS = ["(?=", "(?!", "\\b", "\\B"];

test("the tree means what the engine makes of the source", () => {
  const all = fc.tuple(patterns(...ASSERTIONS, "^", "$"), attacks);
  fc.assert(
    fc.property(all, ([source, text]) => {
      const { found, steps } = countSteps(source, text, 20_000);
      if (steps < Number.POSITIVE_INFINITY) assert.is(found, new RegExp(source, "u").test(text), source);
    }),
    { numRuns: runs(200, 20_000) },
  );
});

test("what keeps few paths alive takes few steps for each character, whatever the text", () => {
  const rounds = fc.constantFrom("a", "b", "c", "ab", "aab", "!a");
  const long = fc
    .tuple(piece, rounds, fc.constantFrom("!", "c", "", "\n"))
    .map(([before, round, after]) => before + round.repeat(60) + after);
  let limited = 0;
  fc.assert(
    fc.property(patterns(...ASSERTIONS), fc.array(long, { minLength: 8, maxLength: 8 }), (source, texts) => {
      const positions = toAutomaton(parseRegExp(source));
      if (followPaths(positions, FEW, "widest").kind !== "bounded") return;
      limited += 1;
      for (const text of texts) {
        const most = FEW * positions.length * (text.length + 1);
        assert.ok(countSteps(source, text, most).steps <= most, `${source} on ${text}`);
      }
    }),
    { numRuns: runs(200, 20_000) },
  );
  assert.ok(limited > runs(70, 7_000), `${limited} patterns`);
});

test("what keeps many paths alive takes as many steps, with the text that was found", () => {
  let beyond = 0;
  fc.assert(
    fc.property(patterns(), (source) => {
      const outcome = followPaths(toAutomaton(parseRegExp(source)), LIMIT, "widest", { failing: true });
      if (outcome.kind !== "exceeded") return;
      const text = textOf(outcome.state);
      for (const end of ["!", "\n", "c"]) {
        const { found, steps } = countSteps(source, text + end, 100_000);
        if (found) continue;
        assert.ok(steps > LIMIT, `${source} on ${text}: ${steps}`);
        beyond += 1;
      }
    }),
    { numRuns: runs(200, 20_000) },
  );
  assert.ok(beyond > runs(30, 3_000), `${beyond} texts`);
});

test("both orders come to the same verdict", () => {
  fc.assert(
    fc.property(patterns(...ASSERTIONS), (source) => {
      const positions = toAutomaton(parseRegExp(source));
      const [widest, shortest] = [
        followPaths(positions, LIMIT, "widest"),
        followPaths(positions, LIMIT, "shortest"),
      ];
      if (widest.kind !== "aborted" && shortest.kind !== "aborted")
        assert.is(widest.kind, shortest.kind, source);
    }),
    { numRuns: runs(100, 10_000) },
  );
});

function textOf({ character, before }: State): string {
  if (before === undefined) return "";
  return textOf(before) + (character === END ? "" : String.fromCodePoint(character));
}

test.run();
