import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toArguments } from "../program.fixture.ts";

/**
 * @param program has `write`, to the stdout that it was started with.
 * @param before runs before `write` is created.
 */
function wordsOf(program: string, before = ""): [string, readonly string[]] {
  const whole = `
    import { createLineWriter } from "#runtime/log/lines";
    ${before}
    const write = createLineWriter((count) => "lost " + count + "\\n");
    ${program}
  `;
  return [process.execPath, toArguments(whole)];
}

function start(program: string, stdout: number | "pipe" = "pipe"): ChildProcess {
  return spawn(...wordsOf(program), { stdio: ["ignore", stdout, "inherit", "ipc"] });
}

/** Takes 4 KiB in a millisecond. */
const SLOW_CAT = `${process.execPath} -e '
  const chunk = Buffer.alloc(4096);
  for (let length = 1; length > 0; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)) {
    length = fs.readSync(0, chunk);
    fs.writeSync(1, chunk, 0, length);
  }'`;

/** Through a pipe of the system, as in a container: what Node gives a child is a socket, which takes more at once. */
async function outputOf(program: string, reader = "cat"): Promise<string> {
  const [node, words] = wordsOf(program);
  const child = spawn("sh", ["-c", `"$@" | ${reader}`, "sh", node, ...words], {
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

test("what is being written is not lost either when the process is ended, and the reader is slow", async () => {
  const output = await outputOf(
    `import { writeSync } from "node:fs";
    write("");
    // A timer of the batch's own time: it runs right after that one.
    setTimeout(() => process.exit(0), 10);
    ${WRITE_ALL}
    for (const began = performance.now(); performance.now() < began + 20; );
    // Now a part of the lines fits into the pipe.
    writeSync(1, "filled\\n".repeat(6000));`,
    SLOW_CAT,
  );
  assert.is(output.replaceAll("filled\n", ""), numbered(20_000));
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

/** Its stdout can't be opened again. */
const AS_ANOTHER_USER = `
  import { fchmodSync } from "node:fs";
  if (process.getuid() === 0) process.setuid(65534);
  else fchmodSync(1, 0);
`;

const UNREAD: readonly { readonly what: string; readonly reader: string; readonly before?: string }[] = [
  { what: "a socket", reader: "" },
  { what: "a pipe", reader: "| sleep 600" },
  ...(process.platform === "linux"
    ? [{ what: "another user's pipe", reader: "| sleep 600", before: AS_ANOTHER_USER }]
    : []),
];

for (const { what, reader, before } of UNREAD) {
  test(`a reader that hangs keeps no process alive, and its end takes less than a server leaves for it: ${what}`, async () => {
    // Once a child process has the same stdout, writes to it wait for the reader: Node makes them, when the child starts and when it ends.
    const program = `
      import { spawnSync } from "node:child_process";
      const share = () => spawnSync("true", { stdio: "inherit" });
      share();
      for (let index = 0; index < 20_000; index++) write("x".repeat(1023) + "\\n");
      setTimeout(share, 50);
      // Of the listeners of an event the earlier one runs first.
      process.prependListener("exit", () => { began = performance.now(); });
      process.on("exit", () => { process.exitCode = performance.now() - began < 800 ? 0 : 1; });
      let began;
    `;
    const [node, words] = wordsOf(program, before);
    const child = spawn("sh", ["-c", `{ "$@"; echo "ended $?" >&2; } ${reader}`, "sh", node, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const end = (): void => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    const limit = setTimeout(end, 20_000);
    let said = "";
    for await (const chunk of child.stderr) {
      said += chunk;
      if (said.includes("ended")) break;
    }
    clearTimeout(limit);
    end();
    assert.match(said, /ended 0/);
  });
}

test("neither a line nor what is written by console.log is cut in two when the reader is slow", async () => {
  const output = await outputOf(
    `for (let time = 0; time < 20; time++) setTimeout(() => {
      for (let index = 0; index < 100; index++) write("x".repeat(599) + "\\n");
      for (let index = 0; index < 100; index++) console.log("c".repeat(99));
    }, time * 10);`,
    SLOW_CAT,
  );
  const expected = [...Array(2000).fill("c".repeat(99)), ...Array(2000).fill("x".repeat(599))];
  assert.equal(output.trimEnd().split("\n").sort(), expected);
});

if (process.platform === "linux")
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

test("a full disk does not end the process", async () => {
  const child = start(
    'write("a\\n"); setTimeout(() => process.send("still here", () => process.disconnect()), 50);',
    openSync("/dev/full", "w"),
  );
  assert.equal(await once(child, "message"), ["still here", undefined]);
  assert.equal(await once(child, "exit"), [0, null]);
});

test.run();
