import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ProjectWatcher, type WatchOptions } from "./watch.ts";

const LIMIT_MS = 20_000;
/** Nothing tells that nothing will be reported: this is how long it has time to. */
const SILENCE_MS = 150;

interface Watched {
  readonly root: string;
  write(file: string, text: string): void;
  follow(...files: string[]): void;
  configure: ProjectWatcher["configure"];
  /** @returns the next files that are reported together. */
  next(): Promise<readonly string[]>;
  /** Fails if something is reported within a moment. */
  quiet(): Promise<void>;
}

const FILES = ["app.ts", "routes/index.ts", "lib/word.ts", "lib/deep/er.ts", "web/page.html"];

async function watchFolder(
  options: Partial<WatchOptions>,
  check: (watched: Watched) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "framework-watch-")));
  const root = join(folder, "project");
  const reports: (readonly string[])[] = [];
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const file of FILES) {
    write(file, "before");
    utimesSync(join(root, file), 1, 1);
  }
  const watcher = new ProjectWatcher(root, {
    onNotice() {},
    onChange: (files) => reports.push(files),
    onBlind: (path, error) => assert.unreachable(`${path}: ${error.message}`),
    ...options,
  });
  const quiet = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, (options.polls ? 3 : 1) * SILENCE_MS));
    assert.equal(reports, []);
  };
  const next = async (): Promise<readonly string[]> => {
    const deadline = performance.now() + LIMIT_MS;
    while (reports.length === 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(reports.length > 0, "Nothing is reported.");
    return reports.shift() ?? [];
  };
  try {
    await check({
      root,
      write,
      follow: (...files) => watcher.follow(files.map((file) => join(root, file))),
      configure: (patterns, output) => watcher.configure(patterns, output && join(root, output)),
      next,
      quiet,
    });
  } finally {
    watcher.close();
    rmSync(folder, { recursive: true });
  }
}

for (const [how, options] of [
  ["by events", {}],
  ["by polling", { polls: true }],
] as const) {
  test(`${how}: source in the folders of the program is reported when it is new, other, and gone`, () =>
    watchFolder(options, async ({ write, follow, next, root }) => {
      write("routes/index.ts", "after");
      assert.equal(await next(), ["routes/index.ts"]);
      write("routes/new/deep.ts", "new");
      assert.equal(await next(), ["routes/new/deep.ts"]);
      rmSync(join(root, "routes/new"), { recursive: true });
      assert.equal(await next(), ["routes/new/deep.ts"]);
      write("routes/new/deep.ts", "new again");
      assert.equal(await next(), ["routes/new/deep.ts"]);
      follow("lib/word.ts");
      write("lib/deep/er.ts", "after");
      assert.equal(await next(), ["lib/deep/er.ts"]);
    }));

  test(`${how}: a new file that is noticed late, and then gets the same text again, is reported once`, () =>
    watchFolder(options, async ({ write, next, quiet, root }) => {
      write("lib/copy.ts", "text");
      utimesSync(join(root, "lib/copy.ts"), 1, 1);
      renameSync(join(root, "lib/copy.ts"), join(root, "routes/copy.ts"));
      assert.equal(await next(), ["routes/copy.ts"]);
      write("routes/copy.ts", "text");
      await quiet();
    }));

  test(`${how}: what the program serves or writes is not reported, nor what has the same text again`, () =>
    watchFolder(options, async ({ write, next, quiet }) => {
      write("public/script.js", "1");
      write("uploads/module.ts", "1");
      write("routes/data.json", "1");
      write("lib/word.ts", "nobody imports it");
      await quiet();
      write("public/script.js", "2");
      await quiet();
      write("routes/index.ts", "after");
      assert.equal(await next(), ["routes/index.ts"]);
      write("routes/index.ts", "after");
      await quiet();
    }));

  test(`${how}: a file that is followed is reported wherever it is, and when it comes`, () =>
    watchFolder(options, async ({ write, follow, next, quiet, root }) => {
      follow("data/words.json", ".cache/made.ts", "../shared/number.ts", "web/page.html");
      await quiet();
      for (const file of ["data/words.json", ".cache/made.ts", "../shared/number.ts", "web/page.html"]) {
        write(file, "after");
        assert.equal(await next(), [file]);
      }
      rmSync(join(root, "../shared"), { recursive: true });
      assert.equal(await next(), ["../shared/number.ts"]);
      write("../shared/number.ts", "again");
      assert.equal(await next(), ["../shared/number.ts"]);
    }));

  test(`${how}: a pattern names files in folders that are not watched otherwise`, () =>
    watchFolder(options, async ({ write, configure, next, quiet }) => {
      configure(["web/*.html", "mail/**/*.txt"], undefined);
      await quiet();
      write("web/page.html", "after");
      assert.equal(await next(), ["web/page.html"]);
      write("mail/en/hello.txt", "new");
      assert.equal(await next(), ["mail/en/hello.txt"]);
      write("web/deep/page.html", "another folder");
      write("web/script.ts", "another ending");
      await quiet();
    }));
}

test("several changes that follow each other closely are one", () =>
  watchFolder({}, async ({ write, next }) => {
    write("routes/index.ts", "after");
    write("app.ts", "after");
    assert.equal([...(await next())].sort(), ["app.ts", "routes/index.ts"]);
  }));

test("the client that dev itself writes is reported only if the program imports it", () =>
  watchFolder({}, async ({ write, follow, configure, next, quiet }) => {
    configure([], "routes/_client.ts");
    write("routes/_client.ts", "new");
    await quiet();
    follow("routes/_client.ts");
    write("routes/_client.ts", "after");
    assert.equal(await next(), ["routes/_client.ts"]);
  }));

test("an .env that becomes a folder is reported, and so is its end", () =>
  watchFolder({}, async ({ write, next, root }) => {
    write(".env", "A=1");
    assert.equal(await next(), [".env"]);
    rmSync(join(root, ".env"));
    mkdirSync(join(root, ".env"));
    assert.equal(await next(), [".env"]);
    rmSync(join(root, ".env"), { recursive: true });
    assert.equal(await next(), [".env"]);
  }));

test("a link is followed to where it leads, when another one takes its place, and not in a circle", () =>
  watchFolder({}, async ({ write, next, root }) => {
    write("../one/linked.ts", "one");
    write("../two/linked.ts", "two");
    symlinkSync(root, join(root, "routes/circle"));
    symlinkSync(join(root, "../one"), join(root, "routes/linked"));
    assert.equal(await next(), ["routes/linked/linked.ts"]);
    write("../one/linked.ts", "after");
    assert.equal(await next(), ["routes/linked/linked.ts"]);
    rmSync(join(root, "routes/linked"));
    symlinkSync(join(root, "../two"), join(root, "routes/linked"));
    assert.equal(await next(), ["routes/linked/linked.ts"]);
  }));

test("where a link leads is reported through other links, when it goes, and when it comes back", () =>
  watchFolder({}, async ({ write, next, root }) => {
    write("../places/one.ts", "one");
    write("../places/two.ts", "two");
    const hop = join(root, "../hop.ts");
    symlinkSync(join(root, "../places/one.ts"), hop);
    symlinkSync(hop, join(root, "routes/linked.ts"));
    assert.equal(await next(), ["routes/linked.ts"]);
    rmSync(hop);
    assert.equal(await next(), ["routes/linked.ts"]);
    symlinkSync(join(root, "../places/two.ts"), hop);
    assert.equal(await next(), ["routes/linked.ts"]);
    rmSync(join(root, "../places/two.ts"));
    assert.equal(await next(), ["routes/linked.ts"]);
    write("../places/two.ts", "two again");
    assert.equal(await next(), ["routes/linked.ts"]);
  }));

test("a project's folder that is renamed away and comes back is reported both times", () =>
  watchFolder({}, async ({ write, next, root }) => {
    renameSync(root, `${root}-away`);
    assert.equal([...(await next())].sort(), ["app.ts", "routes/index.ts"]);
    renameSync(`${root}-away`, root);
    assert.equal([...(await next())].sort(), ["app.ts", "routes/index.ts"]);
    write("app.ts", "after");
    assert.equal(await next(), ["app.ts"]);
  }));

test.run();
