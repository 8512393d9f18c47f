/**
 * A spare worker rehearses while nobody waits for it: it loads a small project of its own, and answers a request by it. V8 has then
 * compiled the framework's functions that the first answer needs, so that answer comes sooner after a save.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import type { Project } from "#convention/project";
import { NOTHING_TYPED } from "#convention/wire/typed-route";
import { createCoreApp } from "#runtime/app";
import type { Log } from "#runtime/log/log";
import { listenOn, useTransport } from "#runtime/node/server";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import type { BoundRoutes } from "../load/load.ts";
import { splitProject, toRoute } from "../load/project-functions.ts";

const FILE = "routes/rehearsal.ts";

/** With the syntax that real handlers have: what takes the types out is compiled for it. */
const SOURCE = `import { HttpError, type Request, type int } from "framework";

interface Item<Tag extends object = Record<string, unknown>> {
  readonly id: int;
  name?: string;
  tags: readonly Tag[];
}

type Found = Item | { rehearsed: boolean };

export class Items<T> {
  readonly #items: Map<number, T> = new Map<number, T>();
  find(id: number): T | undefined {
    return this.#items.get(id) as T | undefined;
  }
}

export const items: Items<Item> = new Items();

export async function get(request?: Request): Promise<Found> {
  const item = items.find(1)!;
  if (item?.name === \`\${1}\`) throw new HttpError(404, "There is no such item");
  return { ...item, rehearsed: [1].every((one: number): boolean => one > 0) satisfies boolean };
}
`;

const LOCATION = { file: FILE, line: 1, column: 1 };

const PROJECT: Omit<Project, "root"> = {
  settings: DEFAULT_SETTINGS,
  apps: [],
  routes: [
    {
      ...NOTHING_TYPED,
      method: "GET",
      pattern: "/rehearsal",
      segments: ["rehearsal"],
      arguments: [],
      handler: "get",
      module: FILE,
      app: null,
      convention: "routes",
      location: LOCATION,
    },
  ],
  guards: [],
  definitions: {},
  diagnostics: [],
  files: [FILE],
};

const SILENT: Log = { info() {}, error() {} };

/**
 * @param root a folder for the small project.
 * @param bind loads its module.
 * @param project that will be loaded, if it is known: its table is built and thrown away.
 */
export async function rehearse(
  root: string,
  bind: (small: Project) => Promise<BoundRoutes>,
  project: Project | undefined,
): Promise<void> {
  const file = join(root, FILE);
  mkdirSync(dirname(file), { recursive: true });
  // What Node has kept of another worker's module would spare it the work that is to be rehearsed.
  writeFileSync(file, `${SOURCE}// ${process.pid}\n`);
  const options = { settings: DEFAULT_SETTINGS, dev: true, log: SILENT };
  const { routes } = await bind({ ...PROJECT, root });
  const before = useTransport(listenOn);
  const listening = createCoreApp(routes, options).listen({ host: "127.0.0.1", port: 0 });
  useTransport(before);
  const server = await listening;
  await ask(server.port);
  await server.close();
  if (project === undefined) return;
  splitProject(project);
  const handler = (): void => {};
  createCoreApp(
    project.routes.map((typed) => ({ route: toRoute(typed), handler })),
    options,
  );
}

function ask(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    connect(port, "127.0.0.1")
      .on("error", reject)
      .on("close", () => resolve())
      .resume()
      .end("GET /rehearsal HTTP/1.1\r\nHost: rehearsal\r\nConnection: close\r\n\r\n");
  });
}
