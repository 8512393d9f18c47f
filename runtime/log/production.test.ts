import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toArguments } from "../program.fixture.ts";
import type { LogEvent } from "./log.ts";
import { formatJsonLine } from "./production.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const TIME = "2026-01-02T03:04:05.006Z";

function parse(event: LogEvent): Record<string, unknown> {
  return JSON.parse(formatJsonLine("info", event, AT)) as Record<string, unknown>;
}

test("a request is one line, with its fields in this order", () => {
  const event = {
    message: "",
    method: "GET",
    path: "/users/7",
    route: "/users/<id>",
    status: 200,
    duration: 0.41234,
    id: "a-1",
  };
  assert.is(
    formatJsonLine("info", event, AT),
    `{"level":"info","time":"${TIME}","pid":${process.pid},"method":"GET","path":"/users/7","route":"/users/<id>","status":200,"duration":0.412,"id":"a-1"}\n`,
  );
});

test("an error has its handler, its location, and its stack with the causes", () => {
  const location = { file: "apps/shop/views.ts", line: 3, column: 17 };
  const error = new TypeError("x", { cause: "y" });
  const line = parse({ message: "The handler failed.", error, handler: "get_index", location });
  assert.equal(
    [line.handler, line.location, line.message],
    ["get_index", "apps/shop/views.ts:3:17", "The handler failed."],
  );
  assert.match(String(line.error), /^TypeError: x\n {4}at .*\ncaused by y$/s);
});

test("times of one and of several milliseconds are right", () => {
  for (const at of [0, 0, 1, 86_400_000, 0]) {
    const { time } = JSON.parse(formatJsonLine("info", { message: "" }, at)) as { time: string };
    assert.is(Date.parse(time), at);
  }
});

const HOSTILE: readonly string[] = [
  '"}\n{"level":"error","message":"forged"}',
  "\r\n",
  "\\",
  '\\"',
  "\u001b[2J\u0000\u007f\u009b31m",
  "\u2028\u2029\u0085",
  "\u202e\u2066",
  "\ud800 a lone half",
  "für 😀",
  '","status":200,"a":"',
];

for (const text of HOSTILE) {
  test(`${JSON.stringify(text)} forges no line and no field, reaches no terminal, and can be read again`, () => {
    const event: LogEvent = {
      message: text,
      method: text,
      path: text,
      route: text,
      id: text,
      handler: text,
      error: text,
    };
    const line = formatJsonLine("error", event, AT);
    assert.is(line.indexOf("\n"), line.length - 1);
    assert.not.match(line.slice(0, -1), /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    const { level, time, pid, ...fields } = JSON.parse(line) as Record<string, unknown>;
    assert.equal([level, time, pid], ["error", TIME, process.pid]);
    assert.equal(fields, event);
  });
}

/** Runs a program that has `write`, which logs a message, through a pipe of the system, as in a container. @returns what it and its reader print. */
async function outputOf(program: string, reader: string): Promise<string> {
  const whole = `
    import { createProductionLog } from "#runtime/log/production";
    const log = createProductionLog();
    const write = (message) => log.info({ message });
    ${program}
  `;
  const words = [process.execPath, ...toArguments(whole)];
  const child = spawn("sh", ["-c", `{ "$@"; echo "status $?" >&2; } ${reader}`, "sh", ...words], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, status] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.is(status, "status 0\n");
  return printed;
}

const writeMany = (count: number): string => `for (let id = 0; id < ${count}; id++) write("line " + id);`;

/** @returns how many lines with their numbers in order. */
function countInOrder(lines: readonly string[]): number {
  for (const [index, line] of lines.entries()) assert.match(line, `"message":"line ${index}"}`);
  return lines.length;
}

for (const [what, count, end] of [
  ["however many there are", 20_000, ""],
  ["when the process is ended in the same tick, as far as the pipe takes them", 300, "process.exit(0);"],
] as const)
  test(`lines come whole and in order, ${what}`, async () => {
    const lines = (await outputOf(writeMany(count) + end, "| cat")).trimEnd().split("\n");
    assert.is(countInOrder(lines), count);
  });

test("a reader that does not keep up loses lines and hears how many, and the process neither waits nor grows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slow-reader-"));
  const written = join(folder, "written");
  // The reader begins when all is written: a process that waited for it would never get there.
  const program = `
    for (let turn = 0; turn < 20; turn++) {
      for (let id = 0; id < 1000; id++) write("x".repeat(1000));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(written)}, "");
    while (process.stdout.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    write("after");
  `;
  const reader = `| { until [ -e ${written} ]; do sleep 0.05; done; cat; }`;
  const lines = (await outputOf(program, reader)).trimEnd().split("\n");
  const reports = lines.flatMap(
    (line) => /"level":"warn".*"message":"(\d+) lines of the log were lost/.exec(line)?.[1] ?? [],
  );
  const lost = reports.reduce((sum, count) => sum + Number(count), 0);
  const kept = lines.filter((line) => line.includes("xxx")).length;
  assert.is(kept + lost, 20_000);
  assert.ok(kept < 6000, `${kept} lines were kept`);
  assert.match(lines.join("\n"), '"message":"after"');
  rmSync(folder, { recursive: true });
});

for (const [what, reader] of [
  ["a reader that is gone", "| true"],
  ["a full disk", "> /dev/full"],
] as const)
  test(`${what} does not end the process`, async () => {
    const pause = "await new Promise((resolve) => setTimeout(resolve, 100));";
    await outputOf(`${pause} ${writeMany(10)} ${pause} ${writeMany(10)} ${pause}`, reader);
  });

test.run();
