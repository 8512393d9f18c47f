/** The generated Dockerfile: each of its steps is done in folders of its own, where there may be no engine to do it. */

import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
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
  return { project, stages: await followDockerfile(project, copyContext(project)) };
});

async function lastStage(): Promise<Stage> {
  const { stages } = await image();
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

async function followDockerfile(project: Project, context: string): Promise<ReadonlyMap<string, Stage>> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of project.read("Dockerfile").split("\n")) {
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
      const [, from = "", source = "", target = ""] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      // Of a folder docker copies what is in it.
      const what = /[.*]/.test(source) ? source.replace(/^\//, "") : `${source}/.`;
      mkdirSync(join(stage.folder, target), { recursive: true });
      await shell(`cp -R ${what} ${join(stage.folder, target)}`, rootOf(from));
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

test("the last stage of the Dockerfile holds the built server and nothing else, and is not root's", async () => {
  const { root, said } = await lastStage();
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(
    files.map((entry) => relative(root, join(entry.parentPath, entry.name))),
    ["app/server.js"],
  );
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
