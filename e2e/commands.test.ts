/** The commands of a created project, with nothing installed: what they print, what they refuse, and where a server listens. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { COMMANDS } from "#toolchain/cli/commands";
import { ask } from "./harness/client.ts";
import { run, start } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { runInProcess } from "./harness/in-process.ts";
import { once } from "./harness/once.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, START, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

/** No test changes what it serves. */
const sharedProject = once("project", copyProject);

async function list(project: Project): Promise<string[]> {
  const { status, stdout, stderr } = await project.framework(["routes", "list", "--json"]);
  assert.is(status, 0, stderr);
  return (JSON.parse(stdout) as Record<string, string>[]).map(
    ({ method, pattern, handler, file }) => `${method} ${pattern} ${handler} ${file}`,
  );
}

test("routes list --json has every route of the sample apps", async () => {
  assert.equal((await list(await sharedProject())).toSorted(), [
    "DELETE /products/item delete_item apps/products/views.ts",
    "GET / get routes/index.ts",
    "GET /items/<item_id> get routes/items.ts",
    "GET /products/ get_index apps/products/views.ts",
    "GET /products/all get_all apps/products/views.ts",
    "GET /products/featured/items get_featured_items apps/products/views.ts",
    "GET /users/by/id/<user_id> get_by_id apps/users/views.ts",
    "GET /users/by/username/<username> get_by_username apps/users/views.ts",
    "POST /items post routes/items.ts",
    "POST /products/ post_index apps/products/views.ts",
  ]);
});

test("npx framework works before installing, from a folder below the root, and --version is that of the package", async () => {
  const project = await sharedProject();
  const words = ["npx", "framework", "routes", "list", "--json", "--app", "users"];
  const cwd = join(project.folder, "vendor/framework/runtime");
  const { status, stdout, stderr } = await run(words, { cwd, env: isolatedEnvironment() });
  assert.is(status, 0, stderr);
  assert.is(JSON.parse(stdout).length, 2);
  const { version } = JSON.parse(project.read("vendor/framework/package.json"));
  assert.ok((await project.framework(["--version"])).stdout.includes(version));
});

test("without any setting it listens on port 8000, or says that it is taken", async () => {
  const project = await sharedProject();
  const command = start(START, { cwd: project.folder, env: isolatedEnvironment() });
  await command.waitFor(/http:\/\/localhost:8000|8000 is in use/);
  command.signal("SIGTERM");
  await command.ended;
});

/** Of `framework.toml`, `.env`, the environment and the flags, the later one overrides. */
const ADDRESSES: readonly {
  readonly what: string;
  readonly words: readonly string[];
  readonly env?: boolean;
  readonly shell?: boolean;
  readonly flag?: boolean;
  readonly signal: NodeJS.Signals;
}[] = [
  { what: "start: framework.toml", words: START, signal: "SIGINT" },
  { what: "dev: framework.toml", words: DEV, signal: "SIGINT" },
  { what: "start: .env overrides framework.toml", words: START, env: true, signal: "SIGTERM" },
  { what: "start: PORT and HOST override .env", words: START, env: true, shell: true, signal: "SIGTERM" },
  {
    what: "dev: --port and --host override PORT and HOST",
    words: DEV,
    env: true,
    shell: true,
    flag: true,
    signal: "SIGTERM",
  },
];

const addressed = once("project with an address", async (): Promise<Project> => {
  const project = await copyProject();
  project.write("routes/word.ts", "export const get = () => ({ word: process.env.WORD ?? null });\n");
  return project;
});

for (const { what, words, env, shell, flag, signal } of sample("addresses", ADDRESSES, 2)) {
  test(`${what}: it listens there, and ends by ${signal} with status 0`, async () => {
    const project = await addressed();
    const ports = await Promise.all(Array.from({ length: 4 }, freePort));
    const toml = project.read("framework.toml");
    project.edit("framework.toml", /port = .*/.exec(toml)?.[0] ?? "", `port = ${ports[0]}`);
    project.edit("framework.toml", /host = .*/.exec(toml)?.[0] ?? "", 'host = "127.0.0.2"');
    project.write(".env", env ? `PORT=${ports[1]}\nHOST=127.0.0.3\nWORD=from-file\n` : "");
    const settings = shell ? { PORT: `${ports[2]}`, HOST: "127.0.0.4", WORD: "from-shell" } : {};
    const flags = flag ? ["--port", `${ports[3]}`, "--host", "127.0.0.5"] : [];
    const command = start([...words, ...flags], {
      cwd: project.folder,
      env: { ...isolatedEnvironment(), ...settings },
    });
    const [url] = await command.waitFor(/http:\/\/[^\s/]+:\d+/);
    const winner = [env, shell, flag].filter(Boolean).length;
    assert.is(url, `http://127.0.0.${winner + 2}:${ports[winner]}`);
    const word = { word: shell ? "from-shell" : env ? "from-file" : null };
    assert.equal((await ask(url, "GET /word")).json, word);
    command.signal(signal);
    const outcome = await command.ended;
    assert.equal([outcome.status, outcome.signal], [0, null]);
  });
}

const SCRIPTS = [
  ["dev", "SIGTERM"],
  ["start", "SIGINT"],
] as const;
for (const [script, signal] of sample("scripts", SCRIPTS, 1)) {
  test(`npm run ${script} serves, and ends by ${signal} with nothing left behind`, async () => {
    const server = await serve((await sharedProject()).folder, ["npm", "run", script]);
    await checkSamples(server.url);
    // npm does not hand a signal on to what its shell started, so it has to reach the group, as a terminal's does.
    await server.stopGroup(signal);
    const refused = await ask(server.url, "GET /").then(
      () => "still served",
      (error: NodeJS.ErrnoException) => error.code,
    );
    assert.is(refused, "ECONNREFUSED");
  });
}

test("framework dev says what to do when the port is taken, and ends with 1", async () => {
  const { port, release } = await holdPort(0);
  const words = ["dev", "--host", "127.0.0.1", "--port", String(port)];
  const { status, stderr } = await (await sharedProject()).framework(words);
  await release();
  assert.is(status, 1, stderr);
  assert.match(stderr, new RegExp(`${port}[\\s\\S]*(?:--port|PORT)`));
  assert.not.match(stderr, /\n\s+at /);
});

const UNUSABLE = [
  ["dev", { PORT: "abc" }, /PORT is "abc"/],
  ["start", { PORT: "0", HOST: "no.such.host.invalid" }, /no\.such\.host\.invalid/],
  ["dev", { PORT: "0", HOST: "192.0.2.1" }, /192\.0\.2\.1/],
] as const;
for (const [name, settings, says] of sample("addresses that can't be had", UNUSABLE, 1)) {
  test(`framework ${name} with ${JSON.stringify(settings)} ends with 1 and says so, without a stack`, async () => {
    const env = { ...isolatedEnvironment(), ...settings };
    const { status, stderr } = await (await sharedProject()).spawnFramework([name], { env });
    assert.is(status, 1, stderr);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
  });
}

test("an app whose modules throw is listed without running them, and told when it shall serve", async () => {
  const project = await copyProject();
  const before = (await list(project)).length;
  const line = 'import { writeFileSync } from "node:fs";\nwriteFileSync("trace.txt", "run");\n';
  for (const file of ["apps/users/views.ts", "routes/items.ts"])
    project.write(file, `${line}${project.read(file)}\nthrow new Error("thrown when loaded");\n`);
  assert.is((await list(project)).length, before);
  assert.not.ok(project.has("trace.txt"));
  const { status, stderr } = await project.framework(["start", "--port", "0"]);
  assert.is(status, 1);
  assert.match(stderr, /apps\/users\/views\.ts:\d+/);
  assert.match(stderr, /routes\/items\.ts:\d+/);
  assert.match(stderr, /thrown when loaded/);
});

const BROKEN: readonly (readonly [file: string, text: string, says: RegExp])[] = [
  ["framework.toml", '# apps\napps = ["products",\n', /framework\.toml:\d+:\d+/],
  ["framework.toml", 'apps = ["products", "usres"]\n', /framework\.toml:1[\s\S]*Did you mean `users`/],
  ["apps/users/app.toml", '[app]\nprefix = "users"\n', /apps\/users\/app\.toml:2[\s\S]*\/users/],
  ["apps/users/views.ts", "export function get_all(when: Date) {}\n", /views\.ts:1[\s\S]*Date[\s\S]*int/],
  [
    "routes/users/by/username/[other].ts",
    "export const get = (other: string) => other;\n",
    /routes\/users\/by\/username\/\[other\]\.ts:1|apps\/users\/views\.ts:\d+/,
  ],
  ["app.ts", "\n\nthis = = not TypeScript;\n", /app\.ts:3/],
];

test("a mistake is told with its place by the list and by start, status 1", async () => {
  const project = await copyProject();
  const check = async (words: readonly string[], says: RegExp): Promise<void> => {
    const { status, stdout, stderr } = await project.framework(words);
    assert.is(status, 1, `${words.join(" ")}: ${stdout}${stderr}`);
    assert.match(stderr, says);
    assert.not.match(stderr, /vendor\/framework|\n\s+at |Oops|!/);
  };
  for (const [file, text, says] of BROKEN) {
    const before = project.has(file) ? project.read(file) : undefined;
    project.write(file, text);
    if (file !== "app.ts") await check(["routes", "list"], says);
    if (file.endsWith("app.ts") || file.endsWith("views.ts")) await check(["start", "--port", "0"], says);
    if (before === undefined) project.remove(file);
    else project.write(file, before);
  }
});

test("a project without framework.toml is none: status 2, and how to make one", async () => {
  const folder = createFolder("empty");
  for (const words of [["routes", "list"], ["start"], ["dev"], ["build"], ["generate", "app", "x"]]) {
    const { status, stderr } = await runInProcess(words, folder);
    assert.is(status, 2, `${words.join(" ")}: ${stderr}`);
    assert.match(stderr, /framework\.toml[\s\S]*npm create convention-app/);
  }
});

const MISUSED: readonly (readonly [line: string, says: RegExp])[] = [
  ["rotes list", /routes list/],
  ["routes lst", /Did you mean framework routes list/],
  ["routes", /routes list/],
  ["strat", /Did you mean framework start/],
  ["migrate", /Did you mean npm run migrate\?/],
  ["test users", /Did you mean npm test\?/],
  [
    "destroy app orders",
    /`framework destroy` was removed in 0\.2: delete the files that `generate` printed, or `git restore`/,
  ],
  ["routes list --jsn", /Did you mean --json/],
  ["start now", /now/],
  ["dev --prot 1", /Did you mean --port/],
  ["start --port many", /many/],
  ["start --port 70000", /65535/],
  ["--nonsense", /--nonsense/],
  ["__proto__", /__proto__/],
  ["run", /"framework run" needs <file>[\s\S]*As in: framework run database\/seed\.ts/],
  ["run --watch app.ts", /--watch is not an option of "framework run"/],
];

test("wrong usage is status 2, and what is meant", async () => {
  const { folder } = await sharedProject();
  for (const [line, says] of MISUSED) {
    const { status, stdout, stderr } = await runInProcess(line.split(" "), folder);
    assert.equal([status, stdout], [2, ""], `${line}: ${stderr}`);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
  }
});

test("help shows the commands, and each of them with an example", async () => {
  const { folder } = await sharedProject();
  for (const words of [[], ["--help"], ["-h"], ["help"], ["routes", "--help"], ["help", "generate"]]) {
    const { status, stdout } = await runInProcess(words, folder);
    assert.is(status, 0);
    assert.match(stdout, /framework (?:routes list|generate handler)/);
  }
  for (const command of Object.keys(COMMANDS)) {
    const { status, stdout } = await runInProcess([...command.split(" "), "--help"], folder);
    assert.is(status, 0);
    assert.match(stdout, new RegExp(`Examples?\\n +(?:\\w+=\\S+ )?framework ${command}`), command);
    assert.is((await runInProcess(["help", ...command.split(" ")], folder)).stdout, stdout);
  }
});

const SCRIPT = `import { createApp } from "framework";
import { type Word, read } from "#lib/words.ts";

const words: Word[] = process.argv.slice(2);
const app = await createApp();
const answer = await app.fetch("/users/by/id/7");
console.log(JSON.stringify({ words, read: read(), mode: process.env.NODE_ENV, answer: await answer.json() }));
process.exitCode = 3;
`;
const WORDS = `export type Word = string;
export const read = () => [process.env.IN_FILE, process.env.IN_BOTH];
`;

test("framework run runs a file with its own words, .env and what the project has, and ends with its status", async () => {
  const project = await copyProject();
  project.write(".env", "IN_FILE=file\nIN_BOTH=file\n");
  project.write("scripts/report.ts", SCRIPT);
  project.write("lib/words.ts", WORDS);
  const cwd = join(project.folder, "scripts");
  const words = ["../vendor/framework", "run", "report.ts", "--help", "-x", "--", "all"];
  const env = { ...isolatedEnvironment(), IN_BOTH: "shell" };
  const { status, stdout, stderr } = await run([process.execPath, ...words], { cwd, env });
  assert.is(stderr, "");
  assert.equal(JSON.parse(stdout), {
    words: ["--help", "-x", "--", "all"],
    read: ["file", "shell"],
    mode: "development",
    answer: { user: { id: 7, name: "Ada" } },
  });
  assert.is(status, 3);
});

/** Keeps a process alive. */
const HELD = "setInterval(() => {}, 1000);\n";

const FAILING: readonly [what: string, text: string, says: RegExp][] = [
  ["throws", `${HELD}throw new Error("no luck");\n`, /^error Error: no luck\n {4}at [^\n]*fails\.ts:2:7\b/],
  [
    "fails after it has loaded",
    `${HELD}const main = async () => {\n  await null;\n  throw new Error("no luck");\n};\nmain();\n`,
    /^error Error: no luck\n {4}at [^\n]*fails\.ts:4:9\b/,
  ],
  [
    "can't be loaded",
    'import "../lib/wrods.ts";\n',
    /^error FW503 [^\n]*\n {2}scripts\/fails\.ts:1:8\n {4}1 \| import [\s\S]*\n {2}hint: Check the path/,
  ],
  [
    "waits for ever",
    "await new Promise(() => {});\n",
    /^error scripts\/fails\.ts never ends\.\n {2}hint: [^\n]*\n$/,
  ],
];
for (const [what, text, says] of sample("files that fail", FAILING, 2)) {
  test(`framework run of a file that ${what} says why, once, and ends with 1`, async () => {
    const project = await sharedProject();
    project.write("scripts/fails.ts", text);
    const { status, stderr } = await project.framework(["run", "scripts/fails.ts"]);
    assert.match(stderr, says);
    assert.is(stderr.split("error ").length, 2, stderr);
    assert.is(status, 1);
  });
}

test("a file that framework run has started gets the signals, and decides about errors that nobody caught", async () => {
  const project = await copyProject();
  project.write(
    "scripts/waits.ts",
    `process.on("uncaughtException", ({ message }) => console.log(message));
process.on("SIGTERM", () => process.exit(4));
${HELD}setTimeout(() => { throw new Error("caught"); });
`,
  );
  const words = [process.execPath, "vendor/framework", "run", "scripts/waits.ts"];
  const command = start(words, { cwd: project.folder, env: isolatedEnvironment() });
  await command.waitFor(/^caught$/m);
  command.signal("SIGTERM");
  assert.equal(await command.ended, { status: 4, signal: null, stdout: "caught\n", stderr: "" });
});

test.run();
