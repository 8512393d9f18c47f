/** The sources of a project with as many handlers as are asked for. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Size {
  readonly handlers: number;
  readonly apps: number;
  /** How many folders deep the route files lie; they are there in place of apps. */
  readonly depth?: number;
}

/** Writes `framework.toml`, the apps and the routes. */
export function writeSources(folder: string, { handlers, apps, depth }: Size): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const names = Array.from({ length: apps }, (_, app) => `app${app}`);
  write("framework.toml", `apps = ${JSON.stringify(names)}\n\n[server]\nport = 8000\n`);
  for (const [at, name] of names.entries()) {
    const count = Math.floor(((at + 1) * handlers) / apps) - Math.floor((at * handlers) / apps);
    write(`apps/${name}/app.toml`, `[app]\nprefix = "/api/v1/${name}"\n`);
    write(`apps/${name}/views.ts`, viewsSource(count));
  }
  if (depth !== undefined) {
    for (let at = 0; at < handlers; at++) write(`routes/${pathOf(at, depth)}.ts`, routeFileSource());
  }
}

/** Ten files a folder, each folder in the one before, begun anew when the depth is reached. */
function pathOf(at: number, depth: number): string {
  const level = Math.floor(at / 10) % depth;
  const branch = `branch${Math.floor(at / 10 / depth)}`;
  const folders = Array.from({ length: level }, (_, index) => `folder${index}`);
  return [branch, ...folders, `file${at % 10}`].join("/");
}

const HEAD = `import { HttpError, type Request, type int } from "framework";

interface Item {
  id: number;
  name: string;
  tags: readonly string[];
}

const items = new Map<number, Item>();
`;

/** As long as handlers are in real projects, and with the syntax that stands in them. */
const HANDLERS: readonly ((name: string) => string)[] = [
  (name) => `
/** One item by its number. */
export function get_${name}(item_id: int) {
  const item = items.get(item_id);
  if (!item) throw new HttpError(404, \`There is no item \${item_id}\`);
  return { item: { ...item, name: item.name.trim() } };
}
`,
  (name) => `
export async function post_${name}(request: Request) {
  const { name, tags = [] } = (await request.json()) as Partial<Item>;
  if (!name) return [{ error: "name is required" }, 400];
  const item: Item = { id: items.size + 1, name, tags };
  items.set(item.id, item);
  return [{ item }, 201];
}
`,
  (name) => `
export async function put_${name}(request: Request, item_id: int, part: string) {
  const before = items.get(item_id);
  for (const tag of before?.tags ?? []) {
    if (/^[a-z]+$/.test(tag)) items.delete(Number(tag));
  }
  return { item_id, part, body: await request.json() };
}
`,
  (name) => `
export const delete_${name} = (item_id: int) => ({ deleted: items.delete(item_id) });
`,
];

function viewsSource(count: number): string {
  const handlers = Array.from({ length: count }, (_, at) =>
    HANDLERS[at % HANDLERS.length]?.(`item${Math.floor(at / HANDLERS.length)}`),
  );
  return HEAD + handlers.join("");
}

function routeFileSource(): string {
  return `import { type Request, type int } from "framework";

export function get(request: Request, item_id: int) {
  return { item_id, path: request.path };
}
`;
}
