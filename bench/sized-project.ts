/** The sources of a project with as many handlers as are asked for. */

import { join } from "node:path";
import { writeWhole } from "../e2e/harness/write.ts";

export interface Size {
  readonly handlers: number;
  readonly apps: number;
  /** How many folders deep the route files lie; they are there in place of apps. */
  readonly depth?: number;
  /** Each handler declares its body, in an interface of its own. */
  readonly typed?: boolean;
  /** A guard is before all handlers, and each needs the same three providers. */
  readonly shared?: boolean;
}

export function writeSources(folder: string, size: Size): void {
  for (const [file, text] of Object.entries(sourcesOf(size))) writeWhole(join(folder, file), text);
}

/** @returns `framework.toml`, the apps and the routes, by file. */
export function sourcesOf({
  handlers,
  apps,
  depth,
  typed = false,
  shared = false,
}: Size): Record<string, string> {
  const sources: Record<string, string> = {};
  const write = (file: string, text: string): void => {
    sources[file] = text;
  };
  const names = Array.from({ length: apps }, (_, app) => `app${app}`);
  write("framework.toml", `apps = ${JSON.stringify(names)}\n\n[server]\nport = 8000\n`);
  for (const [at, name] of names.entries()) {
    const count = Math.floor(((at + 1) * handlers) / apps) - Math.floor((at * handlers) / apps);
    write(`apps/${name}/app.toml`, `[app]\nprefix = "/api/v1/${name}"\n`);
    const views = shared ? sharingViewsSource : typed ? typedViewsSource : viewsSource;
    write(`apps/${name}/views.ts`, views(count));
  }
  if (shared) for (const [file, text] of Object.entries(SHARED)) write(file, text);
  if (typed) write("types/shared.ts", SHARED_TYPES);
  if (depth !== undefined) {
    for (let at = 0; at < handlers; at++) write(`routes/${pathOf(at, depth)}.ts`, routeFileSource());
  }
  return sources;
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

const SHARED_TYPES = `import type { int, MaxLength, Min, MinLength } from "framework";

export const ROLES = ["admin", "editor", "guest"] as const;

export type Text<Most extends number> = string & MinLength<1> & MaxLength<Most>;

export interface Money {
  amount: number & Min<0>;
  currency: "EUR" | "USD" | "CHF";
}

export interface Address {
  street: Text<200>;
  city: Text<100>;
  postcode: Text<20>;
  country?: string;
}

export interface Line {
  sku: Text<40>;
  count: int & Min<1>;
  price: Money;
}

export type Contact = { kind: "email"; email: Text<254> } | { kind: "phone"; phone: Text<30>; mobile?: boolean };

export interface Stored {
  id: int & Min<1>;
  tags: string[];
}
`;

const TYPED_HEAD = `import type { Body, int, Max, Min } from "framework";
import type { Address, Contact, Line, Money, ROLES, Stored, Text } from "../../types/shared.ts";
`;

function typedViewsSource(count: number): string {
  const handlers = Array.from({ length: count }, (_, at) => typedHandlerSource(`item${at}`, `Item${at}`));
  return TYPED_HEAD + handlers.join("");
}

/** Eleven fields, two of them those that it extends, as bodies are in real projects. */
function typedHandlerSource(name: string, type: string): string {
  return `
export interface ${type} extends Stored {
  title: Text<80>;
  description: string | null;
  role: (typeof ROLES)[number];
  priority?: 1 | 2 | 3;
  discount: int & Min<0> & Max<100>;
  price: Money;
  shipping: Pick<Address, "city" | "country"> | null;
  contact: Contact;
  lines: Line[];
}

/** Takes one more. */
export function post_${name}(body: Body<${type}>) {
  const total = body.lines.reduce((sum, { count, price }) => sum + count * price.amount, 0);
  return [{ id: body.id, title: body.title.trim(), total }, 201];
}
`;
}

const SHARED: Readonly<Record<string, string>> = {
  "apps/_hooks.ts": `import { type From, HttpError } from "framework";
import type { currentUser } from "../lib/shared.ts";

export function guard(user: From<typeof currentUser>) {
  if (user.id === 0) throw new HttpError(403, "Not yours");
}
`,
  "lib/shared.ts": `import type { Bearer, From, int, Max, Min, Query } from "framework";

export function currentUser(token: Bearer) {
  return { id: token.length };
}

export function database() {
  return { list: (owner: number, from: number) => [{ owner, from }] };
}

export function page(at: Query<int & Min<1>> = 1, limit: Query<int & Max<100>> = 20) {
  return { from: (at - 1) * limit };
}
`,
};

function sharingViewsSource(count: number): string {
  const handlers = Array.from(
    { length: count },
    (_, at) => `
export function get_item${at}(user: From<typeof currentUser>, db: From<typeof database>, { from }: From<typeof page>) {
  return { items: db.list(user.id, from) };
}
`,
  );
  const head = `import type { From } from "framework";
import type { currentUser, database, page } from "../../lib/shared.ts";
`;
  return head + handlers.join("");
}
