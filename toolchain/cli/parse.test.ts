import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Command, type Shell, type Terminal, UsageError } from "./command.ts";
import { splitTyped, toCommandInput } from "./parse.ts";

const terminal: Terminal = { columns: 80, color: false, interactive: false, print() {}, printError() {} };
const shell: Shell = { cwd: "/", terminal };

const COMMAND: Command = {
  usage: "framework try it [options]",
  summary: "",
  options: {
    app: { type: "string", value: "<name>", description: "" },
    port: { type: "string", short: "p", description: "" },
    json: { type: "boolean", description: "" },
    leave: { type: "string", isList: true, description: "" },
    inspect: { type: "string", value: "<port>", fallback: "9229", description: "" },
  },
  examples: [],
  run: async () => 0,
};

const ACCEPTED: readonly [typed: string[], options: object][] = [
  [[], {}],
  [["--json"], { json: true }],
  [["--app", "users"], { app: "users" }],
  [["--app=users", "--json"], { app: "users", json: true }],
  [["-p", "80"], { port: "80" }],
  [["-p80"], { port: "80" }],
  [["--app", "a", "--app", "b"], { app: "b" }],
  [["--leave", "a", "--leave=b,c"], { leave: "a,b,c" }],
  [["--inspect"], { inspect: "9229" }],
  [["--inspect=80"], { inspect: "80" }],
  [["--inspect", "--json"], { inspect: "9229", json: true }],
];

for (const [typed, options] of ACCEPTED) {
  test(`\`${typed.join(" ")}\` is read`, () => {
    const { flags, values } = toCommandInput(COMMAND, typed, shell);
    assert.equal({ ...flags, ...values }, options);
  });
}

const REFUSED: readonly [typed: string[], message: RegExp, hint: RegExp][] = [
  [["--ap", "users"], /^--ap is not an option of "framework try it"/, /--app/],
  [["--hepl"], /--hepl is not an option/, /Did you mean --help/],
  [["--zzzzzz"], /--zzzzzz is not an option/, /--app, --port, --json, --leave, --inspect, --help/],
  [["-x"], /-x is not an option/, /./],
  [["--toString"], /--toString is not an option/, /./],
  [["--app"], /--app needs a value/, /--app <name>/],
  [["--app", "--json"], /--app needs a value/, /--app <name>/],
  [["--app="], /--app needs a value/, /--app <name>/],
  [["--inspect="], /--inspect needs a value/, /--inspect=<port>/],
  [["--inspect", "80"], /Unexpected argument "80"/, /^$/],
  [["--json=yes"], /--json takes no value/, /^$/],
  [["now"], /Unexpected argument "now" for "framework try it"/, /^$/],
  [["--json", "now"], /Unexpected argument/, /^$/],
];

for (const [typed, message, hint] of REFUSED) {
  test(`\`${typed.join(" ")}\` is wrong usage`, () => {
    try {
      toCommandInput(COMMAND, typed, shell);
    } catch (error) {
      assert.instance(error, UsageError);
      assert.match((error as UsageError).message, message);
      assert.match((error as UsageError).hint ?? "", hint);
      return;
    }
    assert.unreachable();
  });
}

const WORDS: readonly [usage: string, typed: string[], message: string | undefined][] = [
  ["it <name> [options]", ["a"], undefined],
  ["it <name> [options]", [], '"framework it" needs <name>.'],
  ["it <name> [options]", ["  "], '"framework it" needs <name>.'],
  ["it <name> [param:type …] [options]", ["", "a"], '"framework it" needs <name>.'],
  ["it <name> [options]", ["a", "b"], 'Unexpected argument "b" for "framework it".'],
  ["it <method> <path> [options]", [], '"framework it" needs <method> and <path>.'],
  ["it <method> <path> [options]", ["GET"], '"framework it" needs <path>.'],
  ["it <ref> [<ref>] [options]", ["a", "b"], undefined],
  ["it <ref> [<ref>] [options]", ["a", "b", "c"], 'Unexpected argument "c" for "framework it".'],
  ["it [version] [options]", [], undefined],
  ["it <path> <method …> [options]", ["a"], undefined],
  ["it <name> [param:type …] [options]", ["a", "b", "c"], undefined],
];
for (const [usage, typed, message] of WORDS) {
  test(`framework ${usage}: \`${typed.join(" ")}\` ${message === undefined ? "is read" : "is wrong usage"}`, () => {
    const command = { ...COMMAND, usage: `framework ${usage}`, examples: ["framework it a"] };
    const read = (): readonly string[] => toCommandInput(command, typed, shell).words;
    if (message === undefined) assert.equal(read(), typed);
    else
      assert.throws(
        read,
        (error: UsageError) => error.message === message && error.hint === "As in: framework it a",
      );
  });
}

test("words come in order, between the options", () => {
  const command = { ...COMMAND, usage: "framework it <name> [param …]" };
  const { words } = toCommandInput(command, ["a", "--json", "b:int"], shell);
  assert.equal(words, ["a", "b:int"]);
});

test("a command that passes words on reads its options only before the first word", () => {
  const command = { ...COMMAND, usage: "framework run <file> [word …]", passesWords: true };
  const { words, flags } = toCommandInput(
    command,
    ["--json", "a.ts", "--help", "--json=x", "--", "b"],
    shell,
  );
  assert.equal(words, ["a.ts", "--help", "--json=x", "--", "b"]);
  assert.equal(flags, { json: true });
  assert.equal(toCommandInput(command, ["--", "a.ts", "-x"], shell).words, ["a.ts", "-x"]);
  assert.equal(splitTyped(command, ["--help"]), { own: ["--help"], passed: [] });
});

test.run();
