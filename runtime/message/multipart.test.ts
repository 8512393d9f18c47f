import { test } from "uvu";
import * as assert from "uvu/assert";
import { MultipartReader, toFormData } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=b";

function part(content: string, head = 'Content-Disposition: form-data; name="a"'): string {
  return `--b\r\n${head}\r\n\r\n${content}\r\n`;
}

const FILE = 'Content-Disposition: form-data; name="f"; filename="f.bin"\r\nContent-Type: image/png';

/** What is read of a body, or undefined where it is refused. */
const CASES: readonly [title: string, body: string, read: string | undefined][] = [
  ["a text", `${part("one")}--b--\r\n`, "a=one"],
  ["text before and after", `hello\r\n${part("one")}--b--\r\nbye\r\n--b--`, "a=one"],
  ["no line break at the end", `${part("one")}--b--`, "a=one"],
  ["an empty text", `${part("")}--b--`, "a="],
  ["line breaks at the end of a text", `${part("one\r\n\r\n")}--b--`, "a=one\r\n\r\n"],
  ["returns and line feeds within", `${part("\r\r\n\n\r")}--b--`, "a=\r\r\n\n\r"],
  ["line feeds alone", `${part("one").replaceAll("\r", "")}--b--\n`, "a=one"],
  ["white space behind a delimiter", `${part("one").replace("--b", "--b \t")}--b-- \r\n`, "a=one"],
  [
    "what begins like a delimiter",
    `${part("\r\n--bc\r\n--\r\n--b-x\r\n-")}--b--`,
    "a=\r\n--bc\r\n--\r\n--b-x\r\n-",
  ],
  ["a delimiter within a line", `${part("x--b\r\nx--b--")}--b--`, "a=x--b\r\nx--b--"],
  [
    "a file",
    `${part("\r\n\0--b\xff\r\n", FILE)}${part("é")}--b--`,
    "f=f.bin image/png \r\n\0--b\xff\r\n; a=é",
  ],
  ["a folded header", `${part("one", 'content-disposition:form-data;\r\n\tname="a"')}--b--`, "a=one"],
  ["long lines", `${part("x".repeat(40_000))}--b--`, `a=${"x".repeat(40_000)}`],
  ["no last delimiter", part("one"), undefined],
  ["nothing", "", undefined],
  ["a part without a name", `${part("one", "A: b")}--b--`, undefined],
  ["a part without an empty line", "--b\r\nA: b\r\n--b--", undefined],
  ["headers without an end", `--b\r\n${"A: b\r\n".repeat(5000)}`, undefined],
  ["bytes that are not UTF-8", `${part("\xff")}--b--`, undefined],
];

function read(body: Uint8Array, length: number, takes: boolean): FormData {
  const reader = new MultipartReader(TYPE);
  const taken: Uint8Array[] = [];
  for (let from = 0; from < body.length; from += length) {
    reader.push(body.subarray(from, from + length));
    if (takes) taken.push(...reader.takeFiles());
  }
  const parts = reader.end();
  const all = new Blob(taken.map((piece) => new Uint8Array(piece)));
  return takes ? toFormData(parts, ({ size }) => [all.slice(0, size)]) : toFormData(parts);
}

async function show(form: FormData): Promise<string> {
  const fields = [...form].map(async ([name, value]) =>
    typeof value === "string"
      ? `${name}=${value}`
      : `${name}=${value.name} ${value.type} ${Buffer.from(await value.arrayBuffer()).toString("latin1")}`,
  );
  return (await Promise.all(fields)).join("; ");
}

for (const [title, text, expected] of CASES)
  test(`${title} ${expected === undefined ? "is refused" : "is read alike"}, in whatever chunks it comes`, async () => {
    const body = Buffer.concat(
      text.split("é").flatMap((piece, at) => [Buffer.from(at ? "é" : ""), Buffer.from(piece, "latin1")]),
    );
    const lengths = body.length > 1000 ? [997, 4096] : [1, 2, 3, 5, 7, 64];
    for (const length of [...lengths, Math.max(1, body.length)])
      for (const takes of [true, false])
        if (expected === undefined) assert.throws(() => read(body, length, takes));
        else assert.is(await show(read(body, length, takes)), expected, `${length} bytes a chunk`);
  });

test.run();
