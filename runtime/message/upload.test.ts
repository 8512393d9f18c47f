/** Forms with files that are too large for memory, over a socket and by fetch. */

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp, type HookedApp, withMiddleware } from "../hooked.fixture.ts";
import type { Server } from "../node/server.ts";
import { MultipartReader } from "./multipart.ts";
import type { Request } from "./request.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "uploads-"));
const before = process.env.TMPDIR;
const MEGABYTE = 1024 * 1024;
const LIMIT = 3 * MEGABYTE;
/** More than what is kept in memory. */
const LARGE = 1.5 * MEGABYTE;

/** The files that are there, with the rights of their folders. */
function stored(): string[] {
  return readdirSync(FOLDER).flatMap((name) => {
    try {
      const mode = (statSync(join(FOLDER, name)).mode & 0o777).toString(8);
      return [`${mode} ${readdirSync(join(FOLDER, name)).join()}`];
    } catch {
      // Another request has just ended.
      return [];
    }
  });
}

/** Something else may still be on its way. */
async function untilNothingIsStored(): Promise<void> {
  for (let tries = 0; tries < 200 && stored().length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(stored(), []);
}

async function fileOf(request: Request): Promise<File> {
  const file = (await request.formData()).get("large");
  if (!(file instanceof File)) throw new TypeError("There is no file.");
  return file;
}

/** What became of forms that no handler has waited for. */
const forgotten: Promise<string>[] = [];

const app: HookedApp = createHookedApp(
  {
    "POST /read": [
      async (request: Request) => {
        const files = [...(await request.formData()).values()].filter((one) => one instanceof File);
        const read = files.map(async (file) => {
          const [bytes, end] = [await file.arrayBuffer(), await file.slice(-3).text()];
          let streamed = 0;
          for await (const piece of file.stream()) streamed += piece.length;
          return [file.name, file.type, file.size, bytes.byteLength, streamed, end];
        });
        return { stored: stored(), files: await Promise.all(read) };
      },
    ],
    "POST /stream": [async (request: Request) => (await fileOf(request)).stream()],
    "POST /file": [fileOf],
    "POST /throw": [
      async (request: Request) => {
        await fileOf(request);
        throw new Error("no");
      },
    ],
    "POST /middleware": [
      () => "unreached",
      withMiddleware(async (request: Request) => ({ size: (await fileOf(request)).size })),
    ],
    "POST /unread": [() => "unread"],
    "POST /forgotten": [
      (request: Request) => {
        forgotten.push(request.formData().then(String, String));
        return "forgotten";
      },
    ],
    "POST /begun": [
      async function* (request: Request) {
        yield "begun ";
        await new Promise((resolve) => setTimeout(resolve, 10));
        yield String((await (await fileOf(request)).arrayBuffer()).byteLength);
      },
    ],
  },
  [],
  { settings: { bodyLimit: LIMIT } },
);

let server: Server;
test.before(async () => {
  process.env.TMPDIR = FOLDER;
  server = await app.listen();
});
test.after(async () => {
  await server.close();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(FOLDER, { recursive: true });
});

function toForm(size: number): FormData {
  const form = new FormData();
  form.append("first", new File(["one"], "first.txt", { type: "text/plain" }));
  form.append("large", new File(["x".repeat(size - 3), "end"], "large.png", { type: "image/png" }));
  form.append("last", new File([], "empty"));
  return form;
}

/** @returns the status and the text, over a socket and by fetch. */
async function post(path: string, size: number): Promise<readonly (readonly [number, string])[]> {
  const { headers, body } = new Response(toForm(size));
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  const type = { "content-type": headers.get("content-type") ?? "" };
  const bodies = [bytes, Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)])];
  const sent = bodies.map(async (body) => {
    const answered = await send(server.url + path, { method: "POST", body, headers: type });
    return [answered.statusCode, await answered.body.text()] as const;
  });
  const response = await app.fetch(path, { method: "POST", body: new Uint8Array(bytes), headers: type });
  return [...(await Promise.all(sent)), [response.status, await response.text()]];
}

test("files of a form are files, in memory up to a megabyte in all, and otherwise in a folder of this user alone", async () => {
  for (const size of [1000, LARGE])
    for (const [status, text] of await post("/read", size)) {
      const read = JSON.parse(text);
      assert.is(status, 200);
      assert.equal(read.files, [
        ["first.txt", "text/plain", 3, 3, 3, "one"],
        ["large.png", "image/png", size, size, size, "end"],
        ["empty", "application/octet-stream", 0, 0, 0, ""],
      ]);
      assert.equal([...new Set(read.stored)], size > MEGABYTE ? ["700 files"] : []);
    }
  await untilNothingIsStored();
});

const ENDS: readonly [title: string, path: string, size: number, status: number, text: RegExp][] = [
  ["an answer that streams the file has all of it", "/stream", LARGE, 200, /xend$/],
  ["an answer that is the file has all of it", "/file", LARGE, 200, /xend$/],
  ["a handler may throw", "/throw", LARGE, 500, /Internal/],
  ["a middleware may answer", "/middleware", LARGE, 200, /1572864/],
  ["a form may be too large", "/read", LIMIT, 413, /larger than/],
  ["a stream may begin before it reads the form", "/begun", LARGE, 200, /begun 1572864/],
  ["a form may be left alone", "/unread", LARGE, 200, /unread/],
];

for (const [title, path, size, status, text] of ENDS)
  test(`${title}, and nothing stays on the disk`, async () => {
    for (const [answered, body] of await post(path, size)) {
      assert.is(answered, status);
      assert.ok(text.test(body.slice(-200)), body.slice(-200));
      if (status === 200 && text.source.startsWith("x")) assert.is(body.length, size);
    }
    await untilNothingIsStored();
  });

test("a handler may be given up with the file in its hands, and nothing stays on the disk", async () => {
  let release = (): void => {};
  const late = createHookedApp(
    {
      "POST /": [
        async (request: Request) => {
          await fileOf(request);
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        },
      ],
    },
    [],
    { settings: { bodyLimit: LIMIT, handlerTimeout: 1 } },
  );
  assert.is((await late.fetch("/", { method: "POST", body: toForm(LARGE) })).status, 503);
  release();
  await untilNothingIsStored();
});

test("a large form that has come only after the answer is refused, and nothing stays on the disk", async () => {
  for (const [, text] of await post("/forgotten", LARGE)) assert.is(text, "forgotten");
  for (const became of await Promise.all(forgotten)) assert.match(became, /^AbortError: /);
  await untilNothingIsStored();
});

const HEAD = `POST /read HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${LIMIT - 1}\r\n\r\n`;
const FILE = '--b\r\nContent-Disposition: form-data; name="large"; filename="a"\r\n\r\n';

test("a form in chunks of one byte is not read byte by byte", async () => {
  const size = 50_000;
  const { push } = MultipartReader.prototype;
  let pushed = 0;
  MultipartReader.prototype.push = function (chunk) {
    pushed++;
    push.call(this, chunk);
  };
  const bytes = Buffer.from(`${FILE}${"x".repeat(size)}\r\n--b--`);
  const body = Array.from(bytes.toString(), (one) => `1\r\n${one}\r\n`).join("");
  const socket = connect(server.port, "127.0.0.1").setEncoding("latin1");
  socket.write(HEAD.replace(/Content-Length: \d+/, "Connection: close\r\nTransfer-Encoding: chunked"));
  socket.write(`${body}0\r\n\r\n`);
  const answer = (await socket.toArray()).join("");
  MultipartReader.prototype.push = push;
  assert.match(answer, `"a","text/plain",${size},${size}`);
  assert.ok(pushed < 10, `${pushed}`);
});

test("a client that leaves within a file leaves nothing behind", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`${HEAD}${FILE}${"x".repeat(LARGE)}`);
  for (let tries = 0; tries < 200 && stored()[0] !== "700 files"; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(stored(), ["700 files"]);
  socket.destroy();
  await untilNothingIsStored();
});

test("what is not a form is refused within it, and leaves nothing behind", async () => {
  const socket = connect(server.port, "127.0.0.1").setEncoding("latin1");
  socket.write(`${HEAD}${FILE}${"x".repeat(LARGE)}\r\n--b\r\nno: name\r\n\r\n${"x".repeat(MEGABYTE)}`);
  const [answer = ""] = await socket.take(1).toArray();
  assert.match(answer, /^HTTP\/1\.1 400 /);
  await untilNothingIsStored();
});

test("without room for its files a form is answered with 507, and the log has why", async () => {
  process.env.TMPDIR = join(FOLDER, "nowhere");
  for (const [status] of await post("/read", LARGE)) assert.is(status, 507);
  process.env.TMPDIR = FOLDER;
  const { message = "", error } = app.logged.at(-1) ?? {};
  assert.match(`${message} ${error instanceof Error ? error.cause : ""}`, / 507\. Error: ENOENT: .*mkdtemp/);
});

test.run();
