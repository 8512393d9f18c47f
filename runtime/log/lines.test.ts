import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";

const HEAD = `
  import { createLineWriter } from "./runtime/log/lines.ts";
  const write = createLineWriter((count) => "lost " + count + "\\n");
`;
const cwd = new URL("../..", import.meta.url);

/** @param program has `write`, to the stdout that it was started with. */
function wordsOf(program: string): [string, string[]] {
  return [process.execPath, ["--import", "tsx", "--input-type=module", "-e", HEAD + program]];
}

function start(program: string, stdout: number | "pipe" = "pipe"): ChildProcess {
  return spawn(...wordsOf(program), { cwd, stdio: ["ignore", stdout, "inherit", "ipc"] });
}

/** Through a pipe of the system, as in a container: what Node gives a child is a socket, which takes more at once. */
async function outputOf(program: string): Promise<string> {
  const [node, words] = wordsOf(program);
  const child = spawn("sh", ["-c", '"$@" | cat', "sh", node, ...words], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("It has no stdout.");
  return text(child.stdout);
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

const WRITE_ALL = 'for (let index = 0; index < 20_000; index++) write("line " + index + "\\n");';

test("lines come whole and in order, however many there are", async () => {
  assert.is(await outputOf(WRITE_ALL), numbered(20_000));
});

test("what was written is not lost when the process is ended in the same tick", async () => {
  assert.is(await outputOf(`${WRITE_ALL} process.exit(0);`), numbered(20_000));
});

test("what is being written is not lost either when the process is ended", async () => {
  // A timer of the batch's own time: it runs after that one, which was set before.
  const program = `${WRITE_ALL} setTimeout(() => process.exit(0), 10);`;
  assert.is(await outputOf(program), numbered(20_000));
});

test("a reader that does not keep up loses lines, is told how many, and the process neither waits nor grows", async () => {
  const child = start(`
    const line = "x".repeat(1023) + "\\n";
    for (let index = 0; index < 20_000; index++) write(line);
    process.send("not kept waiting");
    process.once("message", () => { write("after\\n"); process.disconnect(); });
  `);
  // Nothing is read until it has told.
  assert.equal(await once(child, "message"), ["not kept waiting", undefined]);
  if (child.stdout === null) throw new Error("It has no stdout.");
  // The first batch is on its way, so that there is room again.
  await once(child.stdout, "readable");
  child.send("go on");
  const lines = (await text(child.stdout)).split("\n");
  const lost = Number(/^lost (\d+)$/m.exec(lines.join("\n"))?.[1]);
  const kept = lines.filter((line) => line.startsWith("x")).length;
  assert.is(kept + lost, 20_000);
  assert.ok(kept * 1024 < 5 * 1024 * 1024, `${kept} lines were kept`);
  assert.is(lines.at(-2), "after");
});

/**
 * The exit status of a program whose stdout is a pipe that nobody reads. Once a child process has the same pipe, Node makes writes to it
 * wait for the reader.
 */
async function endWithHungReader(program: string): Promise<string | undefined> {
  const fill = `
    import { spawnSync } from "node:child_process";
    spawnSync("true", { stdio: "inherit" });
    for (let index = 0; index < 20_000; index++) write("x".repeat(1023) + "\\n");
  `;
  const [node, words] = wordsOf(fill + program);
  const child = spawn("sh", ["-c", '{ "$@"; echo "ended $?" >&2; } | sleep 600', "sh", node, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  try {
    let said = "";
    for await (const chunk of child.stderr ?? []) {
      said += chunk;
      if (said.includes("ended")) return /ended (\d+)/.exec(said)?.[1];
    }
    return undefined;
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }
}

if (process.platform === "linux") {
  test("a reader that hangs does not keep a process alive that has nothing else to do", async () => {
    assert.is(await endWithHungReader(""), "0");
  });

  test("a reader that hangs holds up the end of a process for less than a server leaves for it", async () => {
    const program = `
      // Of the listeners of an event the earlier one runs first.
      process.prependListener("exit", () => { began = performance.now(); });
      process.on("exit", () => { process.exitCode = performance.now() - began < 800 ? 0 : 1; });
      let began;
      // By then it is known that the reader hangs.
      setTimeout(() => process.exit(), 2500);
    `;
    assert.is(await endWithHungReader(program), "0");
  });

  test("a child process that gets the same stdout writes as if there were no log", async () => {
    const program = `
      import { spawn } from "node:child_process";
      const timer = setInterval(() => write("line\\n"), 1);
      const child = spawn("seq", ["200000"], { stdio: ["ignore", "inherit", "ignore"] });
      child.on("exit", (status) => { clearInterval(timer); process.exitCode = status; write("status " + status + "\\n"); });
    `;
    const lines = (await outputOf(program)).split("\n");
    assert.is(lines.at(-2), "status 0");
    assert.ok(lines.includes("200000"));
  });
}

test("a full disk does not end the process", async () => {
  const child = start(
    'write("a\\n"); setTimeout(() => process.send("still here", () => process.disconnect()), 50);',
    openSync("/dev/full", "w"),
  );
  assert.equal(await once(child, "message"), ["still here", undefined]);
  assert.equal(await once(child, "exit"), [0, null]);
});

test.run();
