/** The commands of a created project, with nothing installed: what they print, what they refuse, and that the list tells the truth. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { run, start } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, START, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

interface Listed {
  readonly method: string;
  readonly pattern: string;
  readonly params: readonly { name: string; type: string }[];
  readonly handler: string;
  readonly app: string | null;
  readonly appName: string | null;
  readonly convention: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

async function list(project: Project): Promise<Listed[]> {
  const { status, stdout, stderr } = await project.framework(["routes", "list", "--json"]);
  assert.is(status, 0, stderr);
  return JSON.parse(stdout);
}

/** Where a handler's name stands. */
function placeOf(
  project: Project,
  file: string,
  declaration: string,
): { file: string; line: number; column: number } {
  const lines = project.read(file).split("\n");
  const at = lines.findIndex((line) => line.includes(`function ${declaration}(`));
  return { file, line: at + 1, column: (lines[at] ?? "").indexOf(declaration) + 1 };
}

/** A project that no test changes. */
const sharedProject = once("project", copyProject);

const SAMPLE_ROUTES: readonly [
  method: string,
  pattern: string,
  params: Listed["params"],
  handler: string,
  app: string | null,
  file: string,
][] = [
  ["GET", "/", [], "get", null, "routes/index.ts"],
  ["POST", "/items", [], "post", null, "routes/items.ts"],
  ["GET", "/items/<item_id>", [{ name: "item_id", type: "str" }], "get", null, "routes/items.ts"],
  ["GET", "/products/", [], "get_index", "products", "apps/products/views.ts"],
  ["POST", "/products/", [], "post_index", "products", "apps/products/views.ts"],
  ["GET", "/products/all", [], "get_all", "products", "apps/products/views.ts"],
  ["GET", "/products/featured/items", [], "get_featured_items", "products", "apps/products/views.ts"],
  ["DELETE", "/products/item", [], "delete_item", "products", "apps/products/views.ts"],
  [
    "GET",
    "/users/by/id/<user_id>",
    [{ name: "user_id", type: "int" }],
    "get_by_id",
    "users",
    "apps/users/views.ts",
  ],
  [
    "GET",
    "/users/by/username/<username>",
    [{ name: "username", type: "str" }],
    "get_by_username",
    "users",
    "apps/users/views.ts",
  ],
];

test("routes list --json has every route with exactly the fields that programs may read", async () => {
  const project = await sharedProject();
  const wanted = SAMPLE_ROUTES.map(([method, pattern, params, handler, app, file]) => ({
    method,
    pattern,
    params,
    takes: [],
    middleware: [],
    guards: [],
    providers: [],
    handler,
    app,
    appName: app,
    convention: app === null ? "routes" : "views",
    ...placeOf(project, file, handler),
  }));
  const byPath = (a: Listed, b: Listed): number =>
    `${a.pattern} ${a.method}`.localeCompare(`${b.pattern} ${b.method}`);
  const listed = await list(project);
  assert.equal(listed.toSorted(byPath), wanted.toSorted(byPath));
  for (const route of listed) {
    const fields = [
      "method",
      "pattern",
      "params",
      "takes",
      "middleware",
      "guards",
      "providers",
      "handler",
      "app",
      "appName",
      "convention",
      "file",
      "line",
      "column",
    ];
    assert.equal(Object.keys(route), fields);
  }
});

test("routes list has a line for each route with its place, in columns, and the count", async () => {
  const project = await sharedProject();
  const { stdout, status } = await project.framework(["routes", "list"]);
  assert.is(status, 0);
  assert.match(stdout, /^METHOD +PATTERN +PARAMS +HANDLER +LOCATION *$/m);
  const lines = stdout.split("\n");
  const starts = new Set<number>();
  for (const { method, pattern, handler, file, line } of await list(project)) {
    const row =
      lines.find((text) => new RegExp(`^${method} +${pattern.replace(/[<>]/g, ".")} `).test(text)) ?? "";
    assert.ok(row.includes(handler) && row.includes(`${file}:${line}`), `${method} ${pattern}:\n${stdout}`);
    starts.add(row.indexOf(pattern));
  }
  assert.is(starts.size, 1, "the patterns stand in one column");
  assert.match(stdout, /\b10 routes\b/);
  assert.not.match(stdout, /\u001b/);
});

test("npx framework works before installing, from the root and from any folder below it", async () => {
  const project = await sharedProject();
  for (const folder of ["", "apps/users", "vendor/framework/runtime"]) {
    const words = ["npx", "framework", "routes", "list", "--json"];
    const { status, stdout, stderr } = await run(words, {
      cwd: join(project.folder, folder),
      env: isolatedEnvironment(),
    });
    assert.is(status, 0, `${folder}: ${stderr}`);
    assert.is(JSON.parse(stdout).length, SAMPLE_ROUTES.length);
  }
});

test("npm run routes lists too", async () => {
  const project = await sharedProject();
  const { status, stdout } = await run(["npm", "run", "routes"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0);
  assert.match(stdout, /get_by_username/);
});

test("routes list takes filters", async () => {
  const project = await sharedProject();
  const count = async (...words: string[]): Promise<number> => {
    const { stdout, stderr, status } = await project.framework(["routes", "list", "--json", ...words]);
    assert.is(status, 0, stderr);
    return JSON.parse(stdout).length;
  };
  assert.is(await count("--app", "users"), 2);
  assert.is(await count("--method", "post"), 2);
  assert.is(await count("--method", "DELETE"), 1);
  assert.is(await count("--path", "/products/all"), 1);
});

const PORT_ORDER: readonly [what: string, env: boolean, flag: boolean, winner: 0 | 1 | 2][] = [
  ["framework.toml decides the port alone", false, false, 0],
  ["PORT outranks framework.toml", true, false, 1],
  ["--port outranks PORT and framework.toml", true, true, 2],
  ["--port outranks framework.toml", false, true, 2],
];
for (const [what, env, flag, winner] of PORT_ORDER) {
  test(`${what}, in dev and in start`, async () => {
    const project = await copyProject();
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    project.edit("framework.toml", "port = 8000", `port = ${ports[0]}`);
    for (const words of [DEV, START]) {
      const flags = flag ? ["--port", String(ports[2])] : [];
      const server = await serve(project.folder, [...words, ...flags], { PORT: env ? String(ports[1]) : "" });
      assert.is(new URL(server.url).port, String(ports[winner]));
      await checkSamples(server.url);
      assert.equal((await server.stop()).status, 0);
    }
  });
}

test("HOST and --host are read in the same order", async () => {
  const project = await copyProject();
  project.edit("framework.toml", 'host = "localhost"', 'host = "127.0.0.3"');
  const hostOf = async (words: readonly string[], env: Record<string, string>): Promise<string> => {
    const server = await serve(project.folder, [...START, ...words], env);
    await checkSamples(server.url);
    await server.stop();
    return new URL(server.url).hostname;
  };
  assert.is(await hostOf([], {}), "127.0.0.3");
  assert.is(await hostOf([], { HOST: "127.0.0.2" }), "127.0.0.2");
  assert.is(await hostOf(["--host", "127.0.0.1"], { HOST: "127.0.0.2" }), "127.0.0.1");
});

test(".env is read, and the environment outranks it", async () => {
  const project = await copyProject();
  const [inFile, inShell] = [await freePort(), await freePort()];
  project.write(".env", `PORT=${inFile}\nWORD=from-file\n`);
  project.write("routes/word.ts", "export const get = () => ({ word: process.env.WORD });\n");
  for (const words of [DEV, START]) {
    const env = { ...isolatedEnvironment() };
    const command = start(words, { cwd: project.folder, env });
    const [url] = await command.waitFor(/http:\/\/[^\s/]+:\d+/);
    assert.is(new URL(url).port, String(inFile));
    assert.equal((await ask(url, "GET /word")).json, { word: "from-file" });
    command.signal("SIGTERM");
    assert.is((await command.ended).status, 0);
    const server = await serve(project.folder, words, { PORT: String(inShell), WORD: "from-shell" });
    assert.is(new URL(server.url).port, String(inShell));
    assert.equal((await ask(server.url, "GET /word")).json, { word: "from-shell" });
    await server.stop();
  }
});

test("localhost is both loopback addresses", async () => {
  const project = await sharedProject();
  const server = await serve(project.folder);
  const { port } = new URL(server.url);
  assert.is(new URL(server.url).hostname, "localhost");
  await checkSamples(`http://127.0.0.1:${port}`);
  await checkSamples(`http://[::1]:${port}`).catch((error: Error) => {
    if (!/EADDRNOTAVAIL|EAFNOSUPPORT/.test(error.message)) throw error;
  });
  await server.stop();
});

for (const script of ["dev", "start"]) {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`npm run ${script} serves, and ends by ${signal} with nothing left behind`, async () => {
      const project = await sharedProject();
      const server = await serve(project.folder, ["npm", "run", script]);
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
}

for (const words of [DEV, START]) {
  const name = words.at(-1);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`framework ${name} ends by ${signal} with status 0`, async () => {
      const server = await serve((await sharedProject()).folder, words);
      const { status, signal: by } = await server.stop(signal);
      assert.equal([status, by], [0, null]);
    });
  }

  test(`framework ${name} says what to do when the port is taken, and ends with 1`, async () => {
    const project = await sharedProject();
    const { port, release } = await holdPort(0);
    const outcome = await project.framework([name ?? "", "--host", "127.0.0.1", "--port", String(port)]);
    await release();
    assert.is(outcome.status, 1, outcome.stdout + outcome.stderr);
    assert.ok(outcome.stderr.includes(String(port)), outcome.stderr);
    assert.match(outcome.stderr, /--port|PORT/);
    assert.not.match(outcome.stderr, /\n\s+at /);
  });
}

test("without any setting it listens on port 8000, or says that it is taken", async () => {
  const project = await sharedProject();
  const command = start(START, { cwd: project.folder, env: isolatedEnvironment() });
  const [, first] = await command.waitFor(/(http:\/\/localhost:8000|8000)/);
  assert.ok(first);
  command.signal("SIGTERM");
  await command.ended;
});

for (const words of [DEV, START]) {
  const name = words.at(-1) ?? "";
  for (const [what, settings, says] of [
    ["a PORT that is no number", { PORT: "abc" }, /PORT is "abc"/],
    ["a HOST that is nobody's", { PORT: "0", HOST: "no.such.host.invalid" }, /no\.such\.host\.invalid/],
    ["a HOST that is another machine's", { PORT: "0", HOST: "192.0.2.1" }, /192\.0\.2\.1/],
  ] as const) {
    test(`framework ${name} with ${what} ends with 1 and says so, without a stack`, async () => {
      const env = { ...isolatedEnvironment(), ...settings };
      const { status, stderr } = await (await sharedProject()).spawnFramework([name], { env });
      assert.is(status, 1, stderr);
      assert.match(stderr, says);
      assert.not.match(stderr, /\n\s+at /);
    });
  }
}

for (const [file, text] of [
  ["apps/users/names.ts", "\n\nexport const name = = 1;\n"],
  ["app.ts", "\n\nthis = = not TypeScript;\n"],
] as const) {
  test(`a syntax error in ${file}, which holds no handler, is told with its place`, async () => {
    const project = await copyProject();
    project.write(file, text);
    if (file !== "app.ts")
      project.write("routes/name.ts", `export { name } from "../${file}";\nexport const get = () => 1;\n`);
    const { status, stderr } = await project.framework(["start", "--port", "0"]);
    assert.is(status, 1);
    assert.ok(stderr.includes(`${file}:3`), stderr);
    assert.not.match(stderr, /vendor\/framework/);
  });
}

test("an app whose modules throw is listed all the same, and told when it shall serve", async () => {
  const project = await copyProject();
  const before = (await list(project)).length;
  for (const file of ["apps/users/views.ts", "routes/items.ts"]) {
    project.write(file, `${project.read(file)}\nthrow new Error("thrown when loaded");\n`);
  }
  project.write("app.ts", 'throw new Error("never run by a list");\n');
  assert.is((await list(project)).length, before);
  project.write(
    "app.ts",
    'import { createApp } from "framework";\nexport const app = await createApp();\nawait app.listen();\n',
  );
  const { status, stderr } = await project.framework(["start", "--port", "0"]);
  assert.is(status, 1);
  assert.match(stderr, /apps\/users\/views\.ts:\d+/);
  assert.match(stderr, /routes\/items\.ts:\d+/);
  assert.match(stderr, /thrown when loaded/);
});

test("listing runs nothing of the user's: no file that a module would write appears", async () => {
  const project = await copyProject();
  const line = 'import { writeFileSync } from "node:fs";\nwriteFileSync("trace.txt", "run");\n';
  for (const file of ["apps/users/views.ts", "routes/items.ts", "app.ts"])
    project.write(file, line + project.read(file));
  await list(project);
  assert.not.ok(project.has("trace.txt"));
});

interface Broken {
  readonly what: string;
  readonly file: string;
  readonly edit: (text: string) => string;
  /** The line that has to be told. */
  readonly line: number | undefined;
  readonly says: RegExp;
}

const BROKEN: readonly Broken[] = [
  {
    what: "framework.toml with half a list",
    file: "framework.toml",
    edit: () => '# apps\napps = ["products",\n',
    line: undefined,
    says: /framework\.toml:\d+:\d+/,
  },
  {
    what: "framework.toml with a slip in a key",
    file: "framework.toml",
    edit: () => 'apps = ["products"]\n\n[server]\nprot = 8000\n',
    line: 4,
    says: /prot[\s\S]*Did you mean `port`/,
  },
  {
    what: "framework.toml with a word for a port",
    file: "framework.toml",
    edit: () => 'apps = []\n[server]\nport = "many"\n',
    line: 3,
    says: /port/,
  },
  {
    what: "framework.toml with a port beyond all",
    file: "framework.toml",
    edit: () => "apps = []\n[server]\nport = 70000\n",
    line: 3,
    says: /65535/,
  },
  {
    what: "framework.toml that lists an app without a folder",
    file: "framework.toml",
    edit: () => 'apps = ["products", "usres"]\n',
    line: 1,
    says: /usres[\s\S]*users/,
  },
  {
    what: "framework.toml that leads out of the project",
    file: "framework.toml",
    edit: () => 'apps = ["../users"]\n',
    line: 1,
    says: /\.\.\/users/,
  },
  {
    what: "framework.toml that lists an app twice",
    file: "framework.toml",
    edit: () => 'apps = ["users", "users"]\n',
    line: 1,
    says: /twice/,
  },
  {
    what: "app.toml with an open text",
    file: "apps/users/app.toml",
    edit: () => '[app]\nprefix = "/users\n',
    line: 2,
    says: /app\.toml/,
  },
  {
    what: "app.toml with a number for a prefix",
    file: "apps/users/app.toml",
    edit: () => "[app]\nprefix = 7\n",
    line: 2,
    says: /prefix/,
  },
  {
    what: "app.toml with a prefix that begins without a slash",
    file: "apps/users/app.toml",
    edit: () => '[app]\nprefix = "users"\n',
    line: 2,
    says: /\/users/,
  },
  {
    what: "views.ts that is no TypeScript",
    file: "apps/users/views.ts",
    edit: () => "\nexport function get_all( {\n",
    line: undefined,
    says: /views\.ts:\d+:\d+/,
  },
  {
    what: "views.ts with a param of an unknown type",
    file: "apps/users/views.ts",
    edit: () => "export function get_all(when: Date) {}\n",
    line: 1,
    says: /Date[\s\S]*int/,
  },
  {
    what: "views.ts with a rest parameter",
    file: "apps/users/views.ts",
    edit: () => "export function get_all(...all: string[]) {}\n",
    line: 1,
    says: /rest/,
  },
  {
    what: "views.ts with an empty segment in a name",
    file: "apps/users/views.ts",
    edit: () => "\n\nexport function get_a__b() {}\n",
    line: 3,
    says: /get_a__b/,
  },
  {
    what: "views.ts with a wrapped handler",
    file: "apps/users/views.ts",
    edit: () => "const wrap = (f: unknown) => f;\nexport const get_all = wrap(() => 1);\n",
    line: 2,
    says: /get_all/,
  },
  {
    what: "two handlers for the same requests",
    file: "routes/users/by/username/[other].ts",
    edit: () => "export const get = (other: string) => other;\n",
    line: 1,
    says: /apps\/users\/views\.ts:\d+[\s\S]*|routes\/users/,
  },
];

for (const { what, file, edit, line, says } of BROKEN) {
  test(`${what} is told with its place by the list and by start, status 1`, async () => {
    const project = await copyProject();
    project.write(file, edit(project.has(file) ? project.read(file) : ""));
    for (const words of [
      ["routes", "list"],
      ["start", "--port", "0"],
    ]) {
      const { status, stdout, stderr } = await project.framework(words);
      assert.is(status, 1, `${words.join(" ")}: ${stdout}${stderr}`);
      const text = stdout + stderr;
      assert.match(text, says);
      const place = line === undefined ? `${file}:` : `${file}:${line}`;
      assert.ok(text.includes(place), `${place} is missing in:\n${text}`);
      assert.not.match(text, /vendor\/framework|\n\s+at |Oops|!/);
    }
  });
}

test("a project without framework.toml is none: status 2, and how to make one", async () => {
  const project = await copyProject();
  const folder = createFolder("empty");
  mkdirSync(join(folder, "below"));
  for (const words of [["routes", "list"], ["start"], ["dev"], ["build"], ["generate", "app", "x"]]) {
    const command = [process.execPath, join(project.folder, "vendor/framework"), ...words];
    const { status, stderr } = await run(command, { cwd: folder, env: isolatedEnvironment() });
    assert.is(status, 2, `${words.join(" ")}: ${stderr}`);
    assert.match(stderr, /framework\.toml[\s\S]*npm create convention-app/);
  }
});

const MISUSED: readonly [words: readonly string[], says: RegExp][] = [
  [["rotes", "list"], /routes list/],
  [["routes", "lst"], /Did you mean framework routes list/],
  [["routes"], /routes list/],
  [["generate"], /generate/],
  [["generate", "handlr", "get_x"], /Did you mean framework generate handler/],
  [["strat"], /Did you mean framework start/],
  [
    ["destroy", "app", "orders"],
    /`framework destroy` was removed in 0\.2: delete the files that `generate` printed, or `git restore`/,
  ],
  [["routes", "list", "--jsn"], /Did you mean --json/],
  [["routes", "list", "--app"], /--app/],
  [["routes", "list", "everything"], /everything/],
  [["start", "now"], /now/],
  [["dev", "--prot", "1"], /Did you mean --port/],
  [["start", "--port", "many"], /many/],
  [["start", "--port", "70000"], /65535/],
  [["start", "--port"], /--port/],
  [["start", "--port", ""], /--port/],
  [["--nonsense"], /--nonsense/],
  [["constructor"], /constructor/],
  [["__proto__"], /__proto__/],
  [["generate", "app"], /name/],
  [["generate", "handler"], /name/],
  [["run"], /Which file\?/],
  [["run", "--watch", "app.ts"], /--watch is not an option of "framework run"/],
];
for (const [words, says] of MISUSED) {
  test(`framework ${words.join(" ")} is wrong usage: status 2, and what is meant`, async () => {
    const { status, stdout, stderr } = await (await sharedProject()).framework(words);
    assert.is(status, 2, stdout + stderr);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
    assert.is(stdout, "");
  });
}

for (const words of [[], ["--help"], ["-h"], ["help"], ["routes", "--help"], ["generate", "--help"]]) {
  test(`framework ${words.join(" ")} shows the commands`, async () => {
    const { status, stdout } = await (await sharedProject()).framework(words);
    assert.is(status, 0);
    assert.match(stdout, /framework (?:routes list|generate handler)/);
  });
}

for (const command of [
  "dev",
  "start",
  "build",
  "run",
  "routes list",
  "generate handler",
  "generate app",
  "generate route",
]) {
  test(`framework ${command} --help shows an example`, async () => {
    const { status, stdout } = await (await sharedProject()).spawnFramework([
      ...command.split(" "),
      "--help",
    ]);
    assert.is(status, 0);
    assert.match(stdout, new RegExp(`Examples?\\n +framework ${command}`));
  });
}

test("framework --version is the version of the package", async () => {
  const project = await sharedProject();
  const { version } = JSON.parse(project.read("vendor/framework/package.json"));
  assert.ok((await project.framework(["--version"])).stdout.includes(version));
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
for (const [what, text, says] of FAILING) {
  test(`framework run of a file that ${what} says why, once, and ends with 1`, async () => {
    const project = await copyProject();
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

test("every listed route answers, and what is not listed does not", async () => {
  const project = await copyProject();
  project.write(
    "routes/[kind]/[id].ts",
    'import type { int } from "framework";\nexport const patch = (kind: string, id: int) => ({ kind, id });\n',
  );
  const listed = await list(project);
  const server = await serve(project.folder);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const toPath = (route: Listed, ints = "1"): string =>
    route.pattern.replace(/<([^>]+)>/g, (_, name) =>
      route.params.find((param) => param.name === name)?.type === "int" ? ints : "x",
    );
  for (const route of listed) {
    const answer = await ask(server.url, `${route.method} ${toPath(route)}`, { body: '{"name":"a"}' });
    assert.ok(
      answer.status >= 200 && answer.status < 300,
      `${route.method} ${route.pattern}: ${answer.status} ${answer.text}`,
    );
  }
  const serves = (method: string, path: string): boolean =>
    listed.some((route) => {
      const pattern = route.pattern
        .replace(/\/$/, "")
        .replace(/<([^>]+)>/g, (_, name) =>
          route.params.find((param) => param.name === name)?.type === "int" ? "\\d+" : "[^/]+",
        );
      return route.method === method && new RegExp(`^${pattern}/?$`).test(path);
    });
  const words = ["products", "users", "items", "all", "by", "id", "index", "7", "x"];
  const paths = words.flatMap((one) => [
    `/${one}`,
    ...words.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/x`]),
  ]);
  for (const path of paths) {
    for (const method of methods) {
      const { status } = await ask(server.url, `${method} ${path}`, { body: '{"name":"a"}' });
      const wanted = serves(method, path)
        ? "2xx"
        : methods.some((other) => serves(other, path))
          ? "405"
          : "404";
      const is = status >= 200 && status < 300 ? "2xx" : String(status);
      assert.is(is, wanted, `${method} ${path}`);
    }
  }
  await server.stop();
});

test.run();
