/** The generated Dockerfile: each of its steps is done in folders of its own, where there may be no engine to do it. */

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG } from "../runtime/random.fixture.ts";
import { ask } from "./harness/client.ts";
import { run, runWell } from "./harness/command.ts";
import { ordinaryEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { freePort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

/** What a stage comes to: its files, and what is said about the container. */
interface Stage {
  readonly root: string;
  folder: string;
  readonly env: Record<string, string>;
  /** Words by instruction: CMD, HEALTHCHECK, USER. */
  readonly said: Record<string, string>;
}

const image = once("image", async () => {
  const project = await copyProject();
  const lines = project.read("Dockerfile").split("\n");
  return { project, lines, stages: await followLines(lines, copyContext(project)) };
});

async function lastStage(): Promise<Stage> {
  return lastOf((await image()).stages);
}

function lastOf(stages: ReadonlyMap<string, Stage>): Stage {
  const last = [...stages.values()].at(-1);
  if (last === undefined) throw new Error("The Dockerfile has no stage.");
  return last;
}

/** What `docker build` is sent: .dockerignore names entries of the project's own folder. */
function copyContext({ folder, read }: Project): string {
  const patterns = read(".dockerignore").trim().split("\n");
  const ignored = patterns.map(
    (pattern) => new RegExp(`^${pattern.replaceAll(".", "\\.").replace("*", ".*")}$`),
  );
  const context = createFolder("context");
  cpSync(folder, context, {
    recursive: true,
    filter: (path) => !ignored.some((pattern) => pattern.test(relative(folder, path))),
  });
  return context;
}

/** @param begun the stages before these lines, the last of which they go on with. */
async function followLines(
  lines: readonly string[],
  context: string,
  begun: ReadonlyMap<string, Stage> = new Map(),
): Promise<ReadonlyMap<string, Stage>> {
  const stages = new Map(begun);
  let stage = [...stages.values()].at(-1);
  for (const line of lines) {
    const [, instruction = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === "FROM") {
      const root = createFolder("stage");
      stage = { root, folder: root, env: {}, said: {} };
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? "", stage);
    } else if (stage !== undefined && instruction !== "") {
      await followLine(stage, instruction, rest, (name) => stages.get(name)?.root ?? context);
    }
  }
  return stages;
}

async function followLine(
  stage: Stage,
  instruction: string,
  rest: string,
  rootOf: (name: string) => string,
): Promise<void> {
  const shell = async (line: string, cwd: string): Promise<unknown> =>
    runWell(["sh", "-c", line], { cwd, env: { ...ordinaryEnvironment(), ...stage.env } });
  switch (instruction) {
    case "WORKDIR":
      stage.folder = join(stage.root, rest);
      mkdirSync(stage.folder, { recursive: true });
      return;
    case "ENV":
      for (const [, name = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
      return;
    case "COPY": {
      const [, from = "", sources = "", target = ""] = /^(?:--from=(\S+) )?(.+) (\S+)$/.exec(rest) ?? [];
      // Of a folder docker copies what is in it, and a pattern may match nothing.
      const what = sources
        .split(" ")
        .map((source) => source.replace(/^\//, "") + (/[.*]/.test(source) ? "" : "/."))
        .join(" ");
      mkdirSync(join(stage.folder, target), { recursive: true });
      await shell(
        `for one in ${what}; do [ ! -e "$one" ] || cp -R "$one" ${join(stage.folder, target)}; done`,
        rootOf(from),
      );
      return;
    }
    case "RUN":
      await shell(rest, stage.folder);
      return;
    default:
      stage.said[instruction] = rest;
  }
}

/** The words of an instruction in its JSON form; another `node` than that of this run would be the image's. */
function wordsOf(text = ""): string[] {
  const words = JSON.parse(text.slice(text.indexOf("["))) as string[];
  return words.map((word) => (word === "node" ? process.execPath : word));
}

test("the last stage of the Dockerfile holds the built server, its map and its kind, and is not root's", async () => {
  const { root, said } = await lastStage();
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort(), [
    "app/package.json",
    "app/server.js",
    "app/server.js.map",
  ]);
  assert.is(said.USER, "node");
});

test("the container serves the samples, and its health check tells whether it does", async () => {
  const { folder, env, said } = await lastStage();
  const settings = { ...env, HOST: "127.0.0.1", PORT: String(await freePort()) };
  const check = (): Promise<{ status: number | null }> =>
    run(wordsOf(said.HEALTHCHECK), { cwd: folder, env: { ...ordinaryEnvironment(), ...settings } });
  const server = await serve(folder, wordsOf(said.CMD), settings);
  await checkSamples(server.url);
  assert.is((await check()).status, 0);
  assert.is((await server.stop()).status, 0);
  assert.is((await check()).status, 1);
});

test("the Dockerfile asks for the health of the server where framework.toml has it", async () => {
  const { project } = await image();
  const [, path = ""] = /^health = "(.+)"$/m.exec(project.read("framework.toml")) ?? [];
  assert.match((await lastStage()).said.HEALTHCHECK ?? "", `}${path}\``);
});

if (IS_LONG) {
  test("a package that `[build]` leaves out is in the container, in the version of the lock file", async () => {
    const { project, lines, stages } = await image();
    const build = stages.get("build");
    if (build === undefined) throw new Error("No stage is called build.");
    const write = (file: string, text: string): void => writeFileSync(join(build.folder, file), text);
    write("framework.toml", `${project.read("framework.toml")}\n[build]\nexternal = ["uvu"]\n`);
    write(
      "routes/left.ts",
      'import { equal } from "uvu/assert";\nexport const get = () => ({ equal: typeof equal });\n',
    );
    const rest = lines.slice(lines.indexOf("COPY . .") + 1);
    const { folder, env, said } = lastOf(await followLines(rest, "", new Map([["build", build]])));
    const versionIn = (modules: string): unknown =>
      JSON.parse(readFileSync(join(modules, "node_modules/uvu/package.json"), "utf8")).version;
    assert.is(versionIn(folder), versionIn(build.folder));
    assert.not(readdirSync(join(folder, "node_modules")).includes("rolldown"));
    const settings = { ...env, HOST: "127.0.0.1", PORT: String(await freePort()) };
    const server = await serve(folder, wordsOf(said.CMD), settings);
    assert.equal((await ask(server.url, "GET /left")).json, { equal: "function" });
    await server.stop();
  });
}

test("neither secrets nor what is installed here goes into the image", async () => {
  const { project } = await image();
  project.write(".env.production", "SECRET=1");
  project.write("node_modules/x/index.js", "");
  const names = readdirSync(copyContext(project));
  assert.equal(
    names.filter((name) => /^(?:\.env|node_modules|\.git$|dist)/.test(name)),
    [],
  );
  assert.ok(names.includes("vendor"));
});

test.run();
